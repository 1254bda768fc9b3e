// SPDX-License-Identifier: MIT
// A mesh of one's own, from drop to touch: prepared, baked, pulled, saved, and found again after a
// restart. Against `pliant play`; the double bakes nothing.
import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import {
  type Server,
  type TestPage,
  changedPixels,
  closePages,
  dragTip,
  epochOf,
  handState,
  launch,
  movablePoint,
  openPage,
  pause,
  pixels,
  realServer,
  startServer,
  waitForFrames,
  waitForNewScene,
  waitForTime,
} from "./harness.ts";

const skip = realServer ? false : "needs pliant play";

let browser: Browser;
let server: Server;
let meshes: string;

before(async () => {
  browser = await launch();
  meshes = await mkdtemp(join(tmpdir(), "pliant-meshes-"));
  if (realServer) server = await startServer({}, meshes);
});
after(async () => {
  await browser.close();
  if (realServer) await server.stop();
  await rm(meshes, { recursive: true });
});
afterEach(closePages);

type Point = [number, number, number];

// A block from one corner to the other with `n` squares along each edge, without the faces in `open`.
function block(from: Point, to: Point, n: number, open: readonly number[] = []): string {
  const vertices: string[] = [];
  const faces: string[] = [];
  for (let side = 0; side < 6; ++side) {
    if (open.includes(side)) continue;
    const axis = side >> 1;
    const [u, v] = side % 2 ? [(axis + 1) % 3, (axis + 2) % 3] : [(axis + 2) % 3, (axis + 1) % 3];
    for (let i = 0; i < n; ++i) {
      for (let j = 0; j < n; ++j) {
        const corner = (a: number, b: number) => {
          const x: number[] = [0, 0, 0];
          x[axis] = side % 2 ? to[axis] : from[axis];
          x[u] = from[u] + ((to[u] - from[u]) * a) / n;
          x[v] = from[v] + ((to[v] - from[v]) * b) / n;
          vertices.push(`v ${x.join(" ")}`);
          return vertices.length;
        };
        faces.push(`f ${corner(i, j)} ${corner(i + 1, j)} ${corner(i + 1, j + 1)} ${corner(i, j + 1)}`);
      }
    }
  }
  return [...vertices, ...faces, ""].join("\n");
}

// The faces of the second count on from the vertices of the first.
function joined(a: string, b: string): string {
  const count = a.split("\n").filter((line) => line.startsWith("v ")).length;
  return a + b.replace(/^f .*$/gm, (line) => line.replace(/\d+/g, (index) => String(Number(index) + count)));
}

async function drop(page: Page, files: Record<string, string>): Promise<void> {
  await page.evaluate((entries) => {
    const transfer = new DataTransfer();
    for (const [name, text] of Object.entries(entries)) transfer.items.add(new File([text], name));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }));
  }, files);
  await page.waitForSelector(".prepare:not([hidden])");
}

const panel = (page: Page): Promise<string> => page.locator(".prepare").innerText();
const choose = (page: Page, name: string) => page.getByRole("radio", { name, exact: true }).check({ force: true });

async function chooseMaterial(page: Page, material: string): Promise<void> {
  const materials = page.locator(".prepare").getByRole("combobox", { name: "Material" });
  const names = await materials.locator("option").allInnerTexts();
  const label = names.find((name) => name.startsWith(`${material} (`));
  assert.ok(label, `${material} is not among ${names.join()}`);
  await materials.selectOption({ label });
}

async function bake(page: Page): Promise<void> {
  const epoch = await epochOf(page);
  await page.getByRole("button", { name: "Bake and touch" }).click();
  await waitForNewScene(page, epoch);
}

// Drags the point that moves most; the part of the drag that it went, in the world. The mean of so
// many seconds of the simulation after it has begun to settle, as a body without damping swings.
async function followed(page: Page, right: number, down: number, seconds = 1.5): Promise<number> {
  await page.evaluate(() => {
    window.pliant.session.send({ type: "reset" });
    window.pliant.session.send({ type: "gravity", vector: [0, 0, 0] });
  });
  await page.waitForFunction(() => window.pliant.session.settings.value?.gravity.every((x) => x === 0));
  await waitForTime(page, 0.2); // what fell before gravity was gone
  const { body, point } = await movablePoint(page);
  const [at, start] = await page.evaluate(
    ([b, p]) => {
      const view = window.pliant.world.value?.bodies[b];
      return [window.pliant.projectPoint(b, p), view?.worldPoint(p).toArray() ?? []] as const;
    },
    [body, point] as const,
  );
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + right, at.y + down, { steps: 8 });
  await waitForTime(page, seconds / 3);
  let sum = 0;
  let count = 0;
  const time = () => page.evaluate(() => window.pliant.world.value?.frame?.time ?? 0);
  for (const end = (await time()) + seconds; (await time()) < end || count === 0; await page.waitForTimeout(50)) {
    const state = await handState(page);
    if (!state) continue;
    const way = state.target.map((x, k) => x - start[k]);
    const size = way.reduce((total, x) => total + x * x, 0);
    sum += state.at.reduce((total, x, k) => total + (x - start[k]) * way[k], 0) / size;
    ++count;
  }
  await page.mouse.up();
  await page.waitForFunction(() => window.pliant.world.value?.frame?.pulls.length === 0);
  return sum / count;
}

// At rest and seen from where the scene begins.
async function restPixels(page: Page): Promise<number[]> {
  await page.mouse.move(2, 2); // no marker under the pointer
  await pause(page, true); // first: gravity comes back with the reset, and nothing may move by it
  await page.evaluate(() => {
    window.pliant.session.send({ type: "reset" });
    window.pliant.session.send({ type: "gravity", vector: [0, 0, 0] });
    window.pliant.resetCamera();
  });
  for (let last = await pixels(page); ; ) {
    await page.waitForTimeout(400);
    const now = await pixels(page);
    if (changedPixels(last, now) === 0) return now;
    last = now;
  }
}

async function download(page: Page, label: string): Promise<{ name: string; bytes: Buffer }> {
  const waiting = page.waitForEvent("download");
  await page.locator("dialog.save").getByRole("button", { name: label }).click();
  const file = await waiting;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

// Ends the server and starts it again; a page of the new one, with the scene opened from its gallery.
async function reopened(id: string): Promise<TestPage> {
  await server.stop();
  server = await startServer({}, meshes);
  const opened = await openPage(browser, server.url);
  const { page } = opened;
  await waitForFrames(page);
  await page.keyboard.press("o");
  const card = page.locator(`.card[data-scene="${id}"]`);
  await card.waitFor();
  assert.equal(await card.locator("img").count(), 1, "it has a picture");
  const epoch = await epochOf(page);
  await card.click();
  await waitForNewScene(page, epoch);
  return opened;
}

// The body that was just baked is saved, and found in the gallery after a restart: the same picture
// as before it, so that nothing but the scene was on the stage, and it follows the hand again.
async function keepsAndFinds(opened: TestPage, right: number, down: number): Promise<TestPage> {
  const { page } = opened;
  const { id, title, files } = await page.evaluate(() => {
    const scene = window.pliant.session.scene.value;
    return { id: scene?.id ?? "", title: scene?.title ?? "", files: scene?.files?.length ?? 0 };
  });
  assert.match(id, /^own-/);
  assert.ok(files > 0, "a scene of files");
  await page.keyboard.press("k");
  const toml = await download(page, "Scene");
  assert.equal(toml.name, `${title}.toml`);
  assert.ok(toml.bytes.toString().includes(`title = "${title}"`));
  await page.keyboard.press("Escape");
  const before = await restPixels(page);
  await page.waitForFunction(
    async (own) => (await window.pliant.session.api.gallery()).some(({ id, picture }) => id === own && picture),
    id,
  );
  await opened.close();
  const again = await reopened(id);
  assert.equal(await again.page.evaluate(() => window.pliant.session.scene.value?.title), title);
  const fresh = await restPixels(again.page);
  assert.ok(fresh.some((value) => Math.abs(value - fresh[0]) > 60), "there is something to see");
  assert.ok(changedPixels(before, fresh) < 20, `${changedPixels(before, fresh)} of ${fresh.length} pixels differ`);
  await pause(again.page, false);
  const part = await followed(again.page, right, down);
  assert.ok(part > 0.5, `found again it follows ${part}`);
  return again;
}

test("a mesh is dropped, baked, pulled at any size, saved, and found after a restart", { skip }, async () => {
  let opened = await openPage(browser, server.url);
  let { page } = opened;
  await waitForFrames(page);
  // The same block of rubber drawn in other sizes, in metres, held at its left end.
  for (const [size, title] of [
    [1000, "huge"],
    [10, "large"],
    [0.001, "tiny"],
    [0.1, "hand 🖐"],
    [0.01, "small"],
  ] as const) {
    await drop(page, { [`${title}.obj`]: block([0, 0, 0], [4 * (size / 4), size / 4, size / 4], 6) });
    await choose(page, "m");
    await choose(page, "Left");
    await bake(page);
    assert.equal(await page.evaluate(() => window.pliant.session.scene.value?.title), title);
    assert.equal(await page.evaluate(() => window.pliant.stage.content.children.length), 1, "no ghost on the stage");
    const part = await followed(page, 0, -60);
    console.log(`${size} m: the point follows ${(100 * part).toFixed(0)} % of the drag`);
    assert.ok(part > 0.5 && part < 1.2, `of ${size} m: ${part}`);
  }
  // What the slider shows is what pulls.
  const shown = await page.evaluate(() => window.pliant.session.scene.value?.bodies[0]?.hand?.stiffness ?? 0);
  await dragTip(page, 0, -10);
  await page.waitForFunction(() => window.pliant.world.value?.frame?.pulls[0]?.spring);
  const used = await page.evaluate(() => window.pliant.world.value?.frame?.pulls[0]?.spring?.stiffness ?? 0);
  assert.ok(Math.abs(used / shown - 1) < 1e-6, `${used} N/m, ${shown} N/m are shown`);
  await page.mouse.up();

  // Recorded, and saved with the scene and the body.
  await page.keyboard.press("c");
  await page.waitForTimeout(600);
  await page.keyboard.press("c");
  await page.keyboard.press("k");
  const toml = await download(page, "Scene");
  assert.equal(toml.name, "small.toml");
  assert.match(toml.bytes.toString(), /title = "small"/);
  const asset = await download(page, "Baked body");
  assert.equal(asset.name, "small.pliant");
  assert.ok(asset.bytes.length > 10_000);
  const mesh = await download(page, "own-small");
  assert.match(mesh.bytes.toString(), /^v /m);
  const csv = (await download(page, "Table")).bytes.toString().split("\n");
  assert.ok(csv.length > 5 && csv[0].startsWith("step,time [s],body x [m]"), csv[0]);
  assert.equal(csv[1].split(",").length, csv[0].split(",").length);
  const film = await download(page, "Film");
  assert.equal(film.bytes.subarray(0, 4).toString(), "glTF");
  assert.equal(film.bytes.readUInt32LE(8), film.bytes.length);
  const tensors = await download(page, "Tensors");
  const header = JSON.parse(tensors.bytes.subarray(8, 8 + Number(tensors.bytes.readBigUInt64LE(0))).toString()) as Record<string, { shape: number[] }>;
  assert.equal(header["body/c"].shape[0], header.time.shape[0]);
  await page.keyboard.press("Escape");

  // The picture after all these drops, against the scene opened afresh by another server.
  opened = await keepsAndFinds(opened, 0, -60);
  ({ page } = opened);
  await page.keyboard.press("o");
  await page.waitForSelector('.card[data-scene^="own-"]');
  assert.equal(await page.locator('.card[data-scene^="own-"]').count(), 5);
  // One that is not wanted any more goes, at the second press.
  await page.getByRole("button", { name: "Remove large" }).click();
  await page.getByRole("button", { name: "Remove for good" }).click();
  await page.waitForFunction(() => document.querySelectorAll('.card[data-scene^="own-"]').length === 4);
  assert.ok(!(await readdir(meshes)).some((name) => name.startsWith("own-large")), "its files are gone");
  // What was saved opens as a scene.
  const folder = await mkdtemp(join(tmpdir(), "pliant-saved-"));
  await writeFile(join(folder, toml.name), toml.bytes);
  await writeFile(join(folder, mesh.name), mesh.bytes);
  const saved = await startServer({}, meshes, join(folder, toml.name));
  const again = await openPage(browser, saved.url);
  await waitForFrames(again.page);
  assert.equal(await again.page.evaluate(() => window.pliant.session.scene.value?.title), "small");
  await again.close();
  await saved.stop();
  await rm(folder, { recursive: true });
  await opened.close();
});

test("a preview goes when the panel is closed and when another file is dropped", { skip }, async () => {
  const { page, close } = await openPage(browser, server.url);
  await waitForFrames(page);
  const shown = () => page.evaluate(() => window.pliant.stage.content.children.length);
  const bodies = await shown();
  await drop(page, { "a.obj": block([0, 0, 0], [40, 10, 10], 2) });
  await drop(page, { "b.obj": block([0, 0, 0], [20, 10, 10], 2) });
  await page.waitForFunction(() => document.querySelector(".prepare-title")?.textContent === "b.obj");
  assert.equal(await shown(), bodies + 1, "one preview");
  await page.locator(".prepare").getByRole("button", { name: "Cancel" }).click();
  assert.equal(await shown(), bodies);
  await close();
});

test("two parts in mm are told of, become a body each, and are found after a restart", { skip }, async () => {
  let opened = await openPage(browser, server.url);
  const { page } = opened;
  await waitForFrames(page);
  const two = joined(block([0, 0, 0], [20, 40, 20], 4), block([50, 0, 0], [60, 30, 10], 4));
  await drop(page, { "two.obj": two });
  assert.match(await panel(page), /1 part does not hang on the largest piece and gets no elements/);
  await choose(page, "A body each");
  await bake(page);
  const info = await page.evaluate(() =>
    window.pliant.session.scene.value?.bodies.map(({ free, elements, facts }) => ({ free, elements, moves: facts.moves })),
  );
  assert.equal(info?.length, 2);
  const top = await page.evaluate(() => window.pliant.world.value?.bounds.max.y ?? 0);
  assert.ok(Math.abs(top - 0.04) < 1e-6, `40 mm became ${top} m`);
  for (const entry of info ?? []) assert.ok(entry.elements > 0 && entry.moves && !entry.free);
  const part = await followed(page, 60, 0);
  assert.ok(part > 0.5, `it follows ${part}`);
  // A held point says so.
  const held = await page.evaluate(() => {
    const view = window.pliant.world.value?.bodies[0];
    if (!view) throw new Error("no body");
    const { X } = view.asset.surface;
    let lowest = 0;
    for (let p = 1; p < X.length / 3; ++p) if (X[3 * p + 1] < X[3 * lowest + 1]) lowest = p;
    const { x, y, z } = view.worldPoint(lowest);
    window.pliant.session.send({ type: "pull", slot: 0, body: 0, point: lowest, target: [x + 1, y, z], stiffness: 10 });
    return lowest;
  });
  await page.waitForFunction((p) => window.pliant.world.value?.frame?.pulls[0]?.point === p, held);
  assert.deepEqual(await page.evaluate(() => window.pliant.world.value?.frame?.pulls[0]?.spring), { stiffness: 0, wanted: 10 });
  await page.evaluate(() => window.pliant.session.send({ type: "release", slot: 0 }));
  opened = await keepsAndFinds(opened, 60, 0);
  await opened.close();
});

test("a mesh with holes, in inches and Z up, of numbers of one's own, is found after a restart", { skip }, async () => {
  let opened = await openPage(browser, server.url);
  const { page } = opened;
  await waitForFrames(page);
  // Without its lid.
  await drop(page, { "open.obj": block([0, 0, 0], [2, 2, 8], 5, [5]) });
  assert.match(await panel(page), /8.*mm/, "first taken for millimetres");
  await choose(page, "inch");
  assert.match(await panel(page), /51.mm × 51.mm × 203.mm/);
  await choose(page, "m");
  assert.doesNotMatch(await panel(page), /long: is the file/);
  await choose(page, "inch");
  await choose(page, "Z up");
  await page.locator(".prepare").getByLabel("Young's modulus").fill("2e5");
  await page.locator(".prepare").getByLabel("Density").fill("-1");
  assert.ok(await page.getByRole("button", { name: "Bake and touch" }).isDisabled());
  await page.locator(".prepare").getByLabel("Density").fill("950");
  await bake(page);
  const scene = await page.evaluate(() => {
    const { scene: now, settings } = window.pliant.session;
    const size = window.pliant.world.value?.bounds.max.z ?? 0;
    const { young, density } = now.value?.bodies[0]?.regions[0] ?? {};
    return { up: now.value?.camera.up, gravity: settings.value?.gravity, size, young, density };
  });
  assert.deepEqual(scene.up, [0, 0, 1]);
  assert.deepEqual(scene.gravity, [0, 0, -9.81]);
  assert.ok(Math.abs(scene.size - 8 * 0.0254) < 1e-6);
  assert.ok(Math.abs((scene.young ?? 0) / 2e5 - 1) < 1e-9 && Math.abs((scene.density ?? 0) - 950) < 1e-9);
  const part = await followed(page, 60, 0);
  assert.ok(part > 0.5, `it follows ${part}`);
  opened = await keepsAndFinds(opened, 60, 0);
  await opened.close();
});

test("a surface over a volume mesh of its own, with what is held, is found after a restart", { skip }, async () => {
  let opened = await openPage(browser, server.url);
  const { page } = opened;
  await waitForFrames(page);
  // Five tetrahedra to a cube, four cubes along x; 10 mm each.
  const vertices: string[] = [];
  for (let i = 0; i <= 4; ++i) for (let k = 0; k < 4; ++k) vertices.push(`${10 * i} ${10 * (k & 1)} ${5 * (k & 2)}`);
  const tets: string[] = [];
  for (let i = 0; i < 4; ++i) {
    const [a, b, c, d, e, f, g, h] = Array.from({ length: 8 }, (_, k) => 4 * i + k + 1);
    // a b c d at x = i, e f g h at x = i + 1; diagonals alternate so that faces agree.
    const five = i % 2 ? [[a, b, f, d], [a, f, e, g], [a, d, c, g], [f, d, h, g], [a, f, d, g]] : [[b, a, e, c], [b, e, f, h], [b, c, d, h], [e, c, g, h], [b, e, c, h]];
    tets.push(...five.map((tet) => tet.join(" ")));
  }
  const veg = `*VERTICES\n${vertices.length} 3 0 0\n${vertices.map((v, k) => `${k + 1} ${v}`).join("\n")}\n*ELEMENTS\nTET\n${tets.length} 4 0\n${tets.map((t, k) => `${k + 1} ${t}`).join("\n")}\n`;
  await drop(page, { "bar.veg": veg, "bar.obj": block([0, 2, 2], [40, 8, 8], 6), "bar.bou": "1, 2, 3, 4,\n" });
  assert.match(await panel(page), /20 solid elements of the file/);
  await choose(page, "Full");
  assert.match(await panel(page), /every node[^]*about 54\sµs a step/, "the cost is that of its 20 nodes");
  await choose(page, "Reduced");
  assert.match(await panel(page), /4 nodes are held, as the file says/);
  await bake(page);
  const info = await page.evaluate(() => {
    const body = window.pliant.session.scene.value?.bodies[0];
    return body && { elements: body.elements, triangles: body.triangles, free: body.free };
  });
  assert.deepEqual(info, { elements: 20, triangles: 432, free: false });
  const part = await followed(page, 0, -60);
  assert.ok(part > 0.5, `it follows ${part}`);
  opened = await keepsAndFinds(opened, 0, -60);
  await opened.close();
});

test("a mesh that pliant play is given is prepared: an odd size is asked about, tissues are offered", { skip }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "pliant-given-"));
  const path = join(folder, "part of mine.obj");
  await writeFile(path, block([0, 0, 0], [440, 110, 110], 4));
  const given = await startServer({}, meshes, path);
  const { page, close } = await openPage(browser, given.url);
  await page.waitForSelector(".prepare:not([hidden])");
  assert.match(await panel(page), /part of mine\.obj/);
  await choose(page, "m");
  assert.match(await panel(page), /440 m long: is the file in mm \(440 mm\)\?/);
  await choose(page, "mm");
  assert.doesNotMatch(await panel(page), /is the file in/);
  const materials = page.locator(".prepare").getByRole("combobox", { name: "Material" });
  const names = await materials.locator("option").allInnerTexts();
  for (const tissue of ["fat", "muscle", "liver", "skin", "silicone"]) {
    assert.ok(names.some((name) => name.startsWith(`${tissue} (`)), `${tissue} is not among ${names.join()}`);
  }
  await chooseMaterial(page, "liver");
  await choose(page, "Left");
  // A bake that fails says why, and leaves what was chosen.
  await page.evaluate(() => {
    const { session } = window.pliant;
    const send = session.send.bind(session);
    session.send = (command) => {
      session.send = send;
      return send(command.type === "bake" ? { ...command, engine: "magic" } : command);
    };
  });
  await page.getByRole("button", { name: "Bake and touch" }).click();
  await page.waitForSelector(".toast.error");
  assert.match(await page.locator(".toast.error").innerText(), /bake\.engine: it is not known[^]*'magic'/);
  assert.match(await panel(page), /part of mine\.obj/);
  assert.match(await materials.inputValue(), /^\d+$/);
  assert.ok(await page.getByRole("radio", { name: "Left", exact: true }).isChecked());
  await page.locator(".toast.error").getByRole("button", { name: "Close" }).click();
  await bake(page);
  const region = await page.evaluate(() => window.pliant.session.scene.value?.bodies[0]?.regions[0]);
  assert.equal(region?.material, "liver");
  const part = await followed(page, 0, -60);
  assert.ok(part > 0.5, `it follows ${part}`);
  await close();
  await given.stop();
  await rm(folder, { recursive: true });
});

test("the folder of own meshes holds a scene, its mesh and a picture each", { skip }, async () => {
  const files = await readdir(meshes);
  const scenes = files.filter((name) => name.endsWith(".toml"));
  assert.ok(scenes.length >= 3, files.join());
  for (const scene of scenes) {
    const id = scene.slice(0, -".toml".length);
    assert.ok(files.some((name) => name.startsWith(`${id}-`) && name.endsWith(".obj")), id);
  }
});
