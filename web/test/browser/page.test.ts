// SPDX-License-Identifier: MIT
// The page in a browser against a server: the double, or `pliant play` (see harness.ts).
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import {
  type Server,
  type TestPage,
  Wire,
  changedPixels,
  closePages,
  dragTip,
  epochOf,
  halt,
  handState,
  launch,
  openPage,
  patience,
  pause,
  pixels,
  realServer,
  startDouble,
  startServer,
  stoppedTip,
  waitForFrames,
  waitForNewScene,
  waitForTime,
} from "./harness.ts";

let browser: Browser;
let server: Server;

before(async () => {
  browser = await launch();
  server = await startServer();
});
after(async () => {
  await browser.close();
  await server.stop();
});

afterEach(closePages);

async function ready(): Promise<TestPage> {
  const opened = await openPage(browser, server.url);
  await waitForFrames(opened.page);
  await opened.page.evaluate(() => window.pliant.session.send({ type: "reset" }));
  return opened;
}

const size = (v: number[]) => Math.hypot(...v);
const distance = (a: number[], b: number[]) => size(a.map((x, k) => x - b[k]));

test("every scene of the gallery opens and is drawn", async () => {
  const { page, close } = await ready();
  await page.keyboard.press("o");
  await page.waitForSelector(".card[data-scene]");
  const ids = await page.$$eval(".card[data-scene]", (cards) =>
    cards.map((card) => (card as HTMLElement).dataset.scene ?? ""),
  );
  assert.ok(ids.length > 0);
  // The one that was open comes last, for the tests that follow.
  const first = await page.evaluate(() => window.pliant.session.scene.value?.id ?? "");
  assert.ok(ids.includes(first), `${first} is not in the gallery`);
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog.gallery", { state: "hidden" });
  for (const id of [...ids.filter((other) => other !== first), first]) {
    const epoch = await epochOf(page);
    await page.keyboard.press("o");
    await page.click(`.card[data-scene="${id}"]`);
    await waitForNewScene(page, epoch);
    assert.equal(await page.evaluate(() => window.pliant.session.scene.value?.id), id);
    // Hiding the bodies changes the picture: they were in it.
    const shown = await pixels(page);
    await page.evaluate(() => (window.pliant.look.surface.value = "hidden"));
    const hidden = await pixels(page);
    await page.evaluate(() => (window.pliant.look.surface.value = "solid"));
    assert.ok(changedPixels(shown, hidden) > 50, `${id} is not to be seen`);
  }
  await close();
});

test("a pulled point moves as the server says, in numbers and in pixels", async () => {
  const { page, close } = await ready();
  const rest = await pixels(page);
  await dragTip(page, -30, -140);
  await page.waitForFunction(() => (window.pliant.world.value?.frame?.pulls.length ?? 0) > 0);
  await waitForTime(page, 1.5);
  await halt(page);
  const state = await handState(page);
  assert.ok(state);
  assert.ok(size(state.force) > 0, "the hand pulls");
  assert.ok(distance(state.at, state.drawn) < 1e-4 * state.size, "it is drawn where the server has it");
  const moved = await pixels(page);
  assert.ok(changedPixels(rest, moved) > 30, "the picture changed");
  await page.mouse.up();
  await pause(page, false);
  await page.waitForFunction(() => window.pliant.world.value?.frame?.pulls.length === 0);
  await close();
});

// How far the hand is in front of the eye: dragging, in the plane of the view, does not change it.
function handDepth(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { stage, world } = window.pliant;
    const target = world.value?.frame?.pulls[0]?.target;
    if (!target) return 0;
    const { position, matrixWorld } = stage.camera;
    const back = matrixWorld.elements.slice(8, 11); // its z axis
    return position.toArray().reduce((sum, x, k) => sum + (x - target[k]) * back[k], 0);
  });
}

test("the wheel pushes the hand away while it pulls", async () => {
  const { page, close } = await ready();
  await dragTip(page, 0, -60);
  await page.waitForFunction(() => (window.pliant.world.value?.frame?.pulls.length ?? 0) > 0);
  const before = await handDepth(page);
  const size = await page.evaluate(() => window.pliant.world.value?.size ?? 1);
  const camera = await page.evaluate(() => window.pliant.stage.camera.position.toArray());
  await page.mouse.wheel(0, -400);
  const deadline = Date.now() + patience;
  while ((await handDepth(page)) < before + 0.01 * size) {
    assert.ok(Date.now() < deadline, "the wheel did not push the hand");
    await page.waitForTimeout(50);
  }
  assert.deepEqual(await page.evaluate(() => window.pliant.stage.camera.position.toArray()), camera);
  await page.mouse.up();
  await close();
});

test("a hand that the engine limits says so, and pulls as is shown", { skip: realServer ? "needs the double" : false }, async () => {
  const { page, close } = await ready();
  const epoch = await epochOf(page);
  await page.evaluate(() => window.pliant.session.send({ type: "open", scene: "beam-full" }));
  await waitForNewScene(page, epoch);
  const hand = page.locator("section", { hasText: "Spring of the hand" }).first();
  assert.match(await hand.innerText(), /400.N\/m[^]*bears 400.N\/m of the 4.0.kN\/m/);
  await dragTip(page, 0, -60);
  await page.waitForFunction(() => window.pliant.world.value?.frame?.pulls[0]?.spring);
  assert.deepEqual(await page.evaluate(() => window.pliant.world.value?.frame?.pulls[0]?.spring), { stiffness: 400, wanted: 400 });
  await page.mouse.up();
  const back = await epochOf(page);
  await page.evaluate(() => window.pliant.session.send({ type: "open", scene: "beam" }));
  await waitForNewScene(page, back);
  await close();
});

test("a slider changes the world at once", async () => {
  const { page, close } = await ready();
  const slider = page.getByRole("slider", { name: "Gravity" });
  await slider.focus();
  await page.keyboard.press("Home");
  await page.waitForFunction(() => Math.hypot(...(window.pliant.session.settings.value?.gravity ?? [1])) === 0);
  await page.getByRole("button", { name: "Earth" }).click();
  await page.waitForFunction(() => Math.hypot(...(window.pliant.session.settings.value?.gravity ?? [0])) > 9);
  const stiffness = page.getByRole("slider", { name: "Stiffness" }).first();
  if ((await stiffness.count()) > 0) {
    const young = () =>
      page.evaluate(() => window.pliant.session.settings.value?.bodies[0]?.regions[0]?.young ?? 0);
    const baked = await young();
    await stiffness.focus();
    for (let i = 0; i < 20; ++i) await page.keyboard.press("ArrowRight");
    await page.waitForFunction(
      (last) => (window.pliant.session.settings.value?.bodies[0]?.regions[0]?.young ?? 0) > 1.2 * last,
      baked,
    );
    await page.getByRole("button", { name: "As baked" }).first().click();
    await page.waitForFunction(
      (last) => Math.abs((window.pliant.session.settings.value?.bodies[0]?.regions[0]?.young ?? 0) / last - 1) < 1e-6,
      baked,
    );
  }
  await close();
});

test("positions on the GPU are those of the CPU to half precision", async () => {
  const { page, close } = await ready();
  await dragTip(page, -40, -160);
  await waitForTime(page, 1.5);
  await page.getByRole("tab", { name: "Engine" }).focus();
  await pause(page, true);
  await page.mouse.up();
  await page.getByRole("tab", { name: "Engine" }).click();
  await page.getByRole("button", { name: "Check this GPU" }).click();
  const result = page.locator("[data-largest]");
  const [largest, allowed] = await result.evaluate((element) => [
    Number((element as HTMLElement).dataset.largest),
    Number((element as HTMLElement).dataset.allowed),
  ]);
  assert.ok(largest > 0, "something was compared");
  assert.ok(largest <= allowed, `${largest} m off, ${allowed} m allowed`);
  await pause(page, false);
  await close();
});

test("colours have a legend with units, and its range follows the field", async () => {
  const { page, close } = await ready();
  await dragTip(page, -20, -160);
  for (const [key, unit] of [
    ["3", "m]"],
    ["5", "Pa]"],
    ["6", "J/m³]"],
  ]) {
    await page.keyboard.press(key);
    await page.waitForFunction((text) => document.querySelector(".legend:not([hidden]) strong")?.textContent?.includes(text), unit);
    // As soon as the body is bent; of displacements no peak is left out.
    await page.waitForFunction((whole) => {
      const legend = window.pliant.look.legend.value;
      if (legend?.kind !== "field" || !(legend.peak > 0)) return false;
      return legend.max >= (whole ? 1 : 0.01) * legend.peak;
    }, key === "3");
  }
  await page.keyboard.press("1");
  await page.waitForFunction(() => document.querySelector<HTMLElement>(".legend")?.hidden);
  await page.mouse.up();
  await close();
});

test("the simulation mesh, held nodes and modes can be looked at", async () => {
  const { page, close } = await ready();
  await page.keyboard.press("n");
  await page.keyboard.press("m");
  await page.waitForFunction(() =>
    window.pliant.world.value?.bodies[0].group.children.some((child) => child.type === "LineSegments" && child.visible),
  );
  await page.keyboard.press("m");
  await page.keyboard.press("n");
  await page.getByRole("tab", { name: "Inside" }).click();
  const shapes = page.locator(".shape input");
  if ((await shapes.count()) > 1) {
    await shapes.nth(1).check({ force: true });
    await page.waitForFunction(() => document.querySelector(".banner:not([hidden])")?.textContent?.includes("Hz"));
    const before = await pixels(page);
    const deadline = Date.now() + patience;
    while (changedPixels(before, await pixels(page)) <= 10) {
      assert.ok(Date.now() < deadline, "the mode does not move");
      await page.waitForTimeout(50);
    }
    await page.getByRole("button", { name: "Back to live" }).first().click();
    await page.waitForFunction(() => window.pliant.look.shape.value === null);
  }
  await close();
});

test("pause, step, slow motion and reset", async () => {
  const { page, close } = await ready();
  const step = () => page.evaluate(() => window.pliant.world.value?.frame?.step ?? 0);
  await page.keyboard.press("Space");
  await page.waitForFunction(() => window.pliant.session.settings.value?.paused);
  await halt(page);
  const paused = await step();
  await page.waitForTimeout(400);
  assert.equal(await step(), paused);
  await page.keyboard.press(".");
  await page.waitForFunction((last) => window.pliant.world.value?.frame?.step === last + 1, paused);
  await page.keyboard.press("Space");
  await page.waitForFunction((last) => (window.pliant.world.value?.frame?.step ?? 0) > last + 50, paused);
  await page.selectOption(".dock select", "0.1");
  await page.waitForFunction(() => window.pliant.session.settings.value?.speed === 0.1);
  await page.selectOption(".dock select", "1");
  await page.waitForFunction(() => window.pliant.session.settings.value?.speed === 1);
  await page.keyboard.press("r");
  await close();
});

test("a recording is replayed and left again", async () => {
  const { page, close } = await ready();
  await page.keyboard.press("c");
  await page.waitForTimeout(1000);
  await page.keyboard.press("c");
  await page.keyboard.press("y");
  await page.waitForFunction(() => window.pliant.player.state.value.kind === "replay");
  await page.waitForFunction(() => {
    const { value } = window.pliant.player.state;
    return value.kind === "replay" && !value.playing && value.time === value.duration;
  });
  const live = await page.evaluate(() => window.pliant.world.value?.frame?.step ?? 0);
  await page.keyboard.press("y");
  await page.waitForFunction((last) => (window.pliant.world.value?.frame?.step ?? 0) > last, live);
  await close();
});

test("a picture is a PNG file", async () => {
  const { page, close } = await ready();
  const download = page.waitForEvent("download");
  await page.keyboard.press("s");
  assert.match((await download).suggestedFilename(), /\.png$/);
  await close();
});

test("a video is a WebM file", async () => {
  const { page, close } = await ready();
  await page.keyboard.press("v");
  await page.getByRole("button", { name: "Stop and save video" }).waitFor();
  await dragTip(page, 0, -80);
  await page.waitForTimeout(1500);
  await page.mouse.up();
  const download = page.waitForEvent("download");
  await page.keyboard.press("v");
  const file = await download;
  assert.match(file.suggestedFilename(), /\.webm$/);
  const bytes = await readFile(await file.path());
  assert.equal(bytes.readUInt32BE(0), 0x1a45dfa3, "the mark of Matroska");
  assert.ok(bytes.length > 5000, `${bytes.length} bytes hold pictures`);
  await close();
});

test("the keyboard alone can take, move and release a point", async () => {
  const { page, close } = await ready();
  const { body, point } = await stoppedTip(page);
  // The point comes to the middle of the view.
  await page.evaluate(([b, p]) => {
    const { stage, world } = window.pliant;
    const view = world.value?.bodies[b];
    if (!view) return;
    stage.controls.target.copy(view.worldPoint(p));
    stage.controls.update();
  }, [body, point] as const);
  await page.locator(".stage canvas").focus();
  await page.keyboard.press("g");
  await pause(page, false);
  await page.waitForFunction(() => (window.pliant.world.value?.frame?.pulls.length ?? 0) === 1);
  const before = await handState(page);
  for (let i = 0; i < 5; ++i) await page.keyboard.press("Shift+ArrowUp");
  await page.waitForFunction(
    (last) => {
      const target = window.pliant.world.value?.frame?.pulls[0]?.target;
      return target && Math.hypot(...[...target].map((x, k) => x - last[k])) > 0;
    },
    before?.target ?? [0, 0, 0],
  );
  await page.keyboard.press("g");
  await page.waitForFunction(() => window.pliant.world.value?.frame?.pulls.length === 0);
  await close();
});

test("a finger pulls although it is a little beside the body", async () => {
  const { page, close } = await openPage(browser, server.url, { hasTouch: true });
  await waitForFrames(page);
  const { body, point } = await stoppedTip(page);
  // To the right until the ray misses.
  const at = await page.evaluate(([b, p]) => {
    const { projectPoint, stage, world } = window.pliant;
    const place = projectPoint.call(window.pliant, b, p);
    while (world.value?.pick(stage.ray(place.x, place.y))) place.x += 1;
    return { x: place.x + 3, y: place.y };
  }, [body, point] as const);
  const fingers = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", x?: number, y?: number) =>
    fingers.send("Input.dispatchTouchEvent", { type, touchPoints: x === undefined || y === undefined ? [] : [{ x, y }] });
  const camera = await page.evaluate(() => window.pliant.stage.camera.position.toArray());
  await touch("touchStart", at.x, at.y);
  await pause(page, false);
  await touch("touchMove", at.x, at.y - 40);
  await page.waitForFunction(() => Math.hypot(...(window.pliant.world.value?.frame?.pulls[0]?.force ?? [0])) > 0);
  assert.deepEqual(await page.evaluate(() => window.pliant.stage.camera.position.toArray()), camera);
  await touch("touchEnd");
  await page.waitForFunction(() => window.pliant.world.value?.frame?.pulls.length === 0);
  await close();
});

test("a mouse takes a body that is a little beside it, and not one that is far", async () => {
  const { page, close } = await ready();
  const { body, point } = await stoppedTip(page);
  const edge = await page.evaluate(([b, p]) => {
    const { projectPoint, stage, world } = window.pliant;
    const place = projectPoint.call(window.pliant, b, p);
    while (world.value?.pick(stage.ray(place.x, place.y))) place.x += 1;
    return place;
  }, [body, point] as const);
  for (const [beside, taken] of [
    [5, true],
    [40, false],
  ] as const) {
    await page.mouse.move(edge.x + beside, edge.y);
    await page.mouse.down();
    assert.equal(await page.evaluate(() => window.pliant.pull.pulling), taken, `${beside} px beside it`);
    await page.mouse.up();
  }
  await pause(page, false);
  await close();
});

test("every control can be reached with the keyboard and shows its focus", async () => {
  const { page, close } = await ready();
  const seen = new Set<string>();
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press("Tab");
    const entry = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const style = getComputedStyle(element);
      const label = element.nextElementSibling;
      const ring = style.outlineStyle !== "none" || (label && getComputedStyle(label).outlineStyle !== "none");
      return { name: element.getAttribute("aria-label") ?? element.textContent ?? "", ring: Boolean(ring) };
    });
    if (!entry) continue;
    assert.ok(entry.ring, `no focus ring on ${entry.name}`);
    seen.add(entry.name);
  }
  for (const name of ["Scenes", "Help", "Reset", "Record", "Picture", "Touch"]) {
    assert.ok([...seen].some((text) => text.includes(name)), `${name} was not reached`);
  }
  await close();
});

test("a lost connection is said and mends itself", async () => {
  const wire = await Wire.start(server.url);
  // The browser itself reports the failed attempts on the console.
  const { page, close } = await openPage(browser, wire.url, { allow: /WebSocket connection|ERR_/ });
  await waitForFrames(page);
  wire.cut();
  await page.waitForSelector(".banner.bad:not([hidden])");
  assert.match(await page.locator(".banner.bad").innerText(), /Connection lost/);
  wire.mend();
  await page.waitForSelector(".banner.bad", { state: "hidden" });
  const last = await page.evaluate(() => window.pliant.world.value?.frame?.time ?? 0);
  await page.waitForFunction((time) => (window.pliant.world.value?.frame?.time ?? 0) !== time, last);
  await close();
  await wire.stop();
});

test("a second viewer watches, and may take over", async () => {
  const { page, close } = await ready();
  const second = await openPage(browser, server.url);
  await waitForFrames(second.page);
  await second.page.waitForFunction(() => window.pliant.session.steering.value?.you === false);
  await second.page.keyboard.press("Space");
  await second.page.waitForSelector(".toast");
  await second.page.waitForTimeout(5500); // the one who steers must have been idle for 5 s
  await second.page.getByRole("button", { name: "Take over" }).click();
  await second.page.waitForFunction(() => window.pliant.session.steering.value?.you);
  await page.waitForFunction(() => window.pliant.session.steering.value?.you === false);
  await second.close();
  await close();
});

test("a sketch is baked into a new basis without leaving the page", async () => {
  const { page, close } = await ready();
  const sketchable = await page.evaluate(() => window.pliant.session.scene.value?.bodies.some((body) => body.edits.sketch));
  if (!sketchable) {
    await close();
    return;
  }
  const epoch = await epochOf(page);
  await page.getByRole("button", { name: /Sketch a new basis/ }).first().click();
  await page.waitForSelector(".banner.sketch:not([hidden])");
  await dragTip(page, 0, -120);
  await page.waitForFunction(() => (window.pliant.sketch.value?.samples ?? 0) > 2);
  await page.mouse.up();
  await page.getByRole("button", { name: "Bake the new basis" }).click();
  await waitForNewScene(page, epoch);
  assert.equal(await page.evaluate(() => window.pliant.session.bake.value?.state), "done");
  await close();
});

const cubeObj = (() => {
  const lines: string[] = [];
  for (let i = 0; i < 8; ++i) lines.push(`v ${80 * (i & 1)} ${20 * ((i >> 1) & 1)} ${20 * (i >> 2)}`);
  const faces = ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"];
  for (const face of faces) lines.push(`f ${face}`);
  return lines.join("\n");
})();

async function drop(page: Page, name: string, content: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], fileName));
      return data;
    },
    [name, content] as const,
  );
  await page.dispatchEvent("#app", "drop", { dataTransfer: transfer });
}

test("a dropped mesh becomes a body that can be touched", async () => {
  const { page, close } = await ready();
  const epoch = await epochOf(page);
  await drop(page, "block.obj", cubeObj);
  await page.waitForSelector(".prepare:not([hidden])");
  assert.match(await page.locator(".prepare").innerText(), /80.*mm × 20.*mm × 20.*mm/);
  await page.getByRole("radio", { name: "Left" }).check({ force: true });
  assert.match(await page.locator(".prepare").innerText(), /4 of 8 points are held/);
  await page.getByRole("button", { name: "Bake and touch" }).click();
  await waitForNewScene(page, epoch);
  assert.equal(await page.evaluate(() => window.pliant.session.bake.value?.state), "done");
  await dragTip(page, 0, -80);
  await page.waitForFunction(() => (window.pliant.world.value?.frame?.pulls.length ?? 0) > 0);
  await page.mouse.up();
  await close();
});

test("points are painted, and a bake can be cancelled", async () => {
  const { page, close } = await ready();
  await drop(page, "block.obj", cubeObj);
  await page.waitForSelector(".prepare:not([hidden])");
  await page.getByRole("radio", { name: "Paint" }).check({ force: true });
  const corner = await page.evaluate(() => {
    const preview = window.pliant.preview.value;
    const view = preview?.bodies[0];
    if (!preview || !view) throw new Error("no preview");
    // a place inside the first corner that is seen
    for (let p = 0; p < 8; ++p) {
      const place = preview.stage.project(view.worldPoint(p).lerp(preview.bounds.getCenter(view.worldPoint(p).clone()), 0.06));
      const hit = preview.pick(preview.stage.ray(place.x, place.y));
      if (hit?.point === p) return place;
    }
    throw new Error("no corner is seen");
  });
  await page.mouse.move(corner.x, corner.y);
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForFunction(() => /[1-8] of 8 points are held/.test(document.querySelector(".prepare")?.textContent ?? ""));
  await page.getByRole("slider", { name: "Resolution" }).press("End"); // a bake that takes its time
  await page.getByRole("button", { name: "Bake and touch" }).click();
  await page.waitForSelector(".bake:not([hidden])");
  await page.locator(".bake").getByRole("button", { name: "Cancel" }).click();
  await page.waitForSelector(".bake", { state: "hidden" });
  await page.locator(".prepare").getByRole("button", { name: "Cancel" }).click();
  await page.waitForSelector(".prepare", { state: "hidden" });
  await close();
});

test("a file that is no mesh is refused with advice", async () => {
  const { page, close } = await openPage(browser, server.url, { allow: /422/ });
  await waitForFrames(page);
  await drop(page, "notes.txt", "hello");
  await page.waitForSelector(".toast.error");
  await drop(page, "bad.obj", "v 0 0 0\nf 1 2 3\n");
  await page.waitForFunction(() => /bad\.obj:2: /.test(document.querySelector(".toasts")?.textContent ?? ""));
  await close();
});

test("light and dark, tablet and desktop", async () => {
  for (const [colorScheme, width, height] of [
    ["dark", 1280, 720],
    ["light", 820, 1180],
  ] as const) {
    const { page, close } = await openPage(browser, server.url, { colorScheme, width, height, hasTouch: width < 1000 });
    await waitForFrames(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    assert.ok(!overflow, "nothing sticks out");
    await page.keyboard.press("t");
    const other = colorScheme === "dark" ? "light" : "dark";
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), other);
    await close();
  }
});

test("a stage of another size is drawn before it is seen", async () => {
  const { page, close } = await ready();
  // No picture comes of itself.
  const height = await page.evaluate(() => {
    Object.assign(window.pliant.stage, { rested: Infinity });
    return window.pliant.stage.canvas.clientHeight;
  });
  await page.setViewportSize({ width: 900, height: 640 });
  await page.waitForFunction((before) => window.pliant.stage.canvas.clientHeight !== before, height);
  const shot = (await page.locator(".stage canvas").screenshot()).toString("base64");
  const colours = await page.evaluate(async (data) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${data}`;
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    const draw = canvas.getContext("2d");
    if (!draw) throw new Error("no 2D canvas");
    // Its middle, which no toolbar covers.
    draw.drawImage(picture, picture.width / 4, picture.height / 4, picture.width / 2, picture.height / 2, 0, 0, 64, 64);
    return new Set(new Uint32Array(draw.getImageData(0, 0, 64, 64).data.buffer)).size;
  }, shot);
  assert.ok(colours > 50, `${colours} colours`);
  await close();
});

test("the token of the address goes with every request", { skip: realServer ? "needs the double" : false }, async () => {
  const guarded = await startDouble({ token: "secret" });
  const { page, close } = await openPage(browser, guarded.url);
  await waitForFrames(page);
  await close();
  const without = await openPage(browser, guarded.url.replace(/\?.*/, ""), { allow: /401|WebSocket/ });
  await without.page.waitForSelector(".toast.error");
  assert.match(await without.page.locator(".toast.error").innerText(), /token/);
  await without.close();
  await guarded.stop();
});

test("150,000 triangles are right on the GPU", { skip: realServer ? "needs the double" : false }, async () => {
  const fine = await startDouble({ along: 388 });
  const { page, close } = await openPage(browser, fine.url);
  await waitForFrames(page);
  const triangles = await page.evaluate(() => window.pliant.session.scene.value?.bodies[0].triangles ?? 0);
  assert.ok(triangles >= 150_000, `${triangles}`);
  await page.getByRole("tab", { name: "Engine" }).click();
  await page.getByRole("button", { name: "Check this GPU" }).click();
  const [largest, allowed] = await page.locator("[data-largest]").evaluate((element) => [
    Number((element as HTMLElement).dataset.largest),
    Number((element as HTMLElement).dataset.allowed),
  ]);
  assert.ok(largest <= allowed, `${largest} m off, ${allowed} m allowed`);
  await close();
  await fine.stop();
});
