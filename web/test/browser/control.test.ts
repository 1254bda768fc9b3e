// SPDX-License-Identifier: MIT
// Control elements and bodies in the hand, by mouse and by fingers: gizmos that move, turn, scale and
// shear; a second finger that turns and a third that pushes; what a device says of itself. The
// terms of a body that looks its answers up, and what presses on another.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { Browser, CDPSession, Page } from "playwright-core";
import {
  closePages,
  dragTip,
  epochOf,
  launch,
  openPage,
  patience,
  realServer,
  startDouble,
  startServer,
  waitForFrames,
  waitForNewScene,
} from "./harness.ts";

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
});
afterEach(closePages);

const skip = realServer ? "needs the double" : false;

async function withScene(scene: string, hasTouch: boolean, work: (page: Page) => Promise<void>): Promise<void> {
  const double = await startDouble({ scene });
  try {
    const { page, close } = await openPage(browser, double.url, { hasTouch });
    await waitForFrames(page);
    await page.evaluate(() => window.pliant.stage.drawNow()); // places are those of a picture
    await work(page);
    await close();
  } finally {
    await double.stop();
  }
}

// A place of the screen as far from the centre of the first driven element: in arms of the shear
// gizmo, in sizes of the other one, or in pixels of the world's axes.
async function beside(page: Page, arms: number[], sizes: number[] = [0, 0, 0]): Promise<{ x: number; y: number }> {
  return page.evaluate(
    ([pixels, units]) => {
      const { stage, world } = window.pliant;
      const control = world.value?.frame?.controls.find(({ driven }) => driven);
      if (!control) throw new Error("no element is driven");
      const centre = stage.camera.position.clone().fromArray(control.centre);
      const unit = stage.unitAt(centre);
      // As three.js sizes its gizmo.
      const distance = centre.distanceTo(stage.camera.position);
      const gizmo = (0.7 / 4) * distance * Math.min(1.9 * Math.tan((Math.PI * stage.camera.fov) / 360), 7);
      const at = centre.clone();
      for (let k = 0; k < 3; ++k) at.setComponent(k, at.getComponent(k) + pixels[k] * unit + units[k] * gizmo);
      return stage.project(at);
    },
    [arms, sizes],
  );
}

const motion = (page: Page) =>
  page.evaluate(() => [...(window.pliant.world.value?.frame?.controls.find(({ driven }) => driven)?.motion ?? [])]);

async function until<T>(page: Page, what: string, look: () => Promise<T>, so: (now: T) => boolean): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    const now = await look();
    if (so(now)) return now;
    assert.ok(Date.now() < end, `${what}: ${JSON.stringify(now)}`);
    await page.waitForTimeout(50);
  }
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.waitForTimeout(150);
  await page.mouse.up();
}

const largest = (values: number[], except: readonly number[]) =>
  Math.max(...values.map((value, k) => (except.includes(k) ? 0 : Math.abs(value))));

// The handle of the arm along x that shears along y, dragged by half an arm.
async function shears(page: Page): Promise<void> {
  const from = await beside(page, [78, 15, 0]);
  const to = await beside(page, [78, 15 + 39, 0]);
  await drag(page, from, to);
}

test("a control element is moved, turned, scaled and sheared by its gizmo, and the wrench is shown", { skip }, async () => {
  await withScene("control", false, async (page) => {
    const controls = page.locator("section", { hasText: "Control elements" }).first();
    assert.match(await controls.innerText(), /Click a white ball/);
    const camera = await page.evaluate(() => window.pliant.stage.camera.position.toArray());
    const ball = await beside(page, [0, 0, 0]);
    await page.mouse.click(ball.x, ball.y);
    await page.waitForFunction(() => document.querySelector(".control:not([hidden])"));

    // The arrow along x.
    await drag(page, await beside(page, [0, 0, 0], [0.5, 0, 0]), await beside(page, [40, 0, 0], [0.5, 0, 0]));
    const moved = await until(page, "moved", () => motion(page), ([x]) => x > 0.005);
    assert.ok(largest(moved, [0]) < 1e-6, `along x alone: ${moved}`);
    const shown = () =>
      page.evaluate(() => ({
        text: document.querySelector(".control dd")?.textContent ?? "",
        force: Math.hypot(...(window.pliant.world.value?.frame?.controls[0]?.force ?? [])),
      }));
    await until(page, "the force in words", shown, ({ text, force }) => Math.abs(parseFloat(text) / force - 1) < 0.01);
    // The label at its arrow shows all of it: nothing is written up to its borders.
    const labels = await page.evaluate(() => {
      const { stage } = window.pliant;
      stage.drawNow();
      const borders: number[] = [];
      stage.scene.traverseVisible((part) => {
        const image = (part as { material?: { map?: { image?: unknown } | null } }).material?.map?.image;
        if (!(image instanceof HTMLCanvasElement) || part.type !== "Sprite") return;
        borders.push(image.getContext("2d")?.getImageData(0, image.height / 2, 1, 1).data[3] ?? 255);
      });
      return borders;
    });
    assert.ok(labels.length > 0 && labels.every((alpha) => alpha === 0), `${labels}`);

    // A click on the ball goes on: to turning, and the ring about z.
    const again = await beside(page, [0, 0, 0]);
    await page.mouse.click(again.x, again.y);
    await page.waitForFunction(() => window.pliant.dragMode.value === "rotate");
    assert.ok(await page.getByRole("radio", { name: "Turn" }).isChecked());
    await page.evaluate(() => window.pliant.session.send({ type: "reset" }));
    await until(page, "reset", () => motion(page), (now) => largest(now, []) === 0);
    await drag(page, await beside(page, [0, 0, 0], [0.5 * Math.SQRT1_2, 0.5 * Math.SQRT1_2, 0]), await beside(page, [0, 0, 0], [-0.1, 0.5, 0]));
    const turned = await until(page, "turned", () => motion(page), (now) => Math.abs(now[4]) > 0.1);
    assert.ok(Math.abs(turned[4] + turned[6]) < 1e-5, `M is that of a turn: ${turned}`);
    assert.ok(largest(turned.slice(0, 3), []) < 1e-6);

    // E goes on to scaling.
    await page.keyboard.press("e");
    await page.waitForFunction(() => window.pliant.dragMode.value === "scale");
    await page.evaluate(() => window.pliant.session.send({ type: "reset" }));
    await until(page, "reset", () => motion(page), (now) => largest(now, []) === 0);
    await drag(page, await beside(page, [0, 0, 0], [0, 0.5, 0]), await beside(page, [0, 0, 0], [0, 0.7, 0]));
    const scaled = await until(page, "scaled", () => motion(page), (now) => now[7] > 0.1);
    assert.ok(largest(scaled, [7]) < 1e-6, `along y alone: ${scaled}`);

    // And the panel to shearing: y = g x, with half an arm.
    await page.getByRole("radio", { name: "Shear" }).check({ force: true });
    await page.evaluate(() => window.pliant.session.send({ type: "reset" }));
    await until(page, "reset", () => motion(page), (now) => largest(now, []) === 0);
    await shears(page);
    const sheared = await until(page, "sheared", () => motion(page), (now) => now[6] > 0.45);
    assert.ok(Math.abs(sheared[6] - 0.5) < 0.05, `half an arm: ${sheared[6]}`);
    assert.ok(largest(sheared, [6]) < 1e-6, `one number of M alone: ${sheared}`);
    assert.deepEqual(await page.evaluate(() => window.pliant.stage.camera.position.toArray()), camera, "the view stays");

    // Force and torque go into the plots.
    await page.getByRole("tab", { name: "Plots" }).click();
    const torque = page.locator("figure", { hasText: "Torque of the hands" });
    await torque.waitFor();
    await page.waitForFunction(() => window.pliant.history.torque.last(0) > 0.1);
    await until(page, "plotted", () => torque.innerText(), (text) => /\d.N m/.test(text));
  });
});

type Finger = { x: number; y: number; id: number };

async function fingers(page: Page): Promise<(type: "touchStart" | "touchMove" | "touchEnd", points: Finger[]) => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  return async (type, touchPoints) => {
    await session.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
}

test("fingers use the gizmos too", { skip }, async () => {
  await withScene("control", true, async (page) => {
    const touch = await fingers(page);
    const draw = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
      await touch("touchStart", [{ ...from, id: 0 }]);
      for (let k = 1; k <= 6; ++k) {
        await touch("touchMove", [{ x: from.x + ((to.x - from.x) * k) / 6, y: from.y + ((to.y - from.y) * k) / 6, id: 0 }]);
      }
      await page.waitForTimeout(150);
      await touch("touchEnd", []);
    };
    const ball = await beside(page, [0, 0, 0]);
    await draw({ x: ball.x + 14, y: ball.y }, { x: ball.x + 14, y: ball.y }); // a finger is broad
    await page.waitForFunction(() => document.querySelector(".control:not([hidden])"));
    await draw(await beside(page, [0, 0, 0], [0, 0.5, 0]), await beside(page, [0, 40, 0], [0, 0.5, 0]));
    const moved = await until(page, "moved", () => motion(page), (now) => now[1] > 0.005);
    assert.ok(largest(moved, [1]) < 1e-6, `along y alone: ${moved}`);
    await page.getByRole("radio", { name: "Shear" }).check({ force: true });
    await draw(await beside(page, [78, 15, 0]), await beside(page, [78, 15 + 39, 0]));
    await until(page, "sheared", () => motion(page), (now) => now[6] > 0.3);
  });
});

const block = (page: Page) =>
  page.evaluate(() => {
    const { world, stage, session } = window.pliant;
    const held = session.scene.value?.held ?? -1;
    const frame = world.value?.frame;
    const view = world.value?.bodies[held];
    if (!view || !frame?.handle) throw new Error("nobody holds a body");
    const away = view.group.position.clone().sub(stage.camera.position);
    const forward = stage.camera.getWorldDirection(away.clone());
    return { ...stage.project(view.middle()), pose: [...frame.handle.pose], depth: away.dot(forward) };
  });

test("one finger moves a body in the hand, a second turns it, a third pushes it away", { skip }, async () => {
  await withScene("held", true, async (page) => {
    const touch = await fingers(page);
    const camera = await page.evaluate(() => window.pliant.stage.camera.position.toArray());
    const start = await block(page);
    const first = { x: start.x, y: start.y, id: 0 };
    await touch("touchStart", [first]);
    first.x += 60;
    await touch("touchMove", [first]);
    const moved = await until(page, "moved", () => block(page), (now) => now.x > start.x + 40);
    assert.ok(Math.abs(moved.pose[3] - 1) < 1e-6, "not turned");
    const second = { x: start.x - 150, y: start.y + 60, id: 1 };
    await touch("touchStart", [first, second]);
    second.x += 90;
    await touch("touchMove", [first, second]);
    await until(page, "turned", () => block(page), (now) => now.pose[3] < 0.97);
    await page.waitForTimeout(200);
    const turned = await block(page);
    const third = { x: start.x - 200, y: start.y + 100, id: 2 };
    await touch("touchStart", [first, second, third]);
    third.y -= 80;
    await touch("touchMove", [first, second, third]);
    const pushed = await until(page, "pushed", () => block(page), (now) => now.depth > turned.depth + 0.02);
    assert.ok(Math.abs(pushed.pose[3] - turned.pose[3]) < 1e-6, "turned no more");
    await touch("touchEnd", []);
    assert.deepEqual(await page.evaluate(() => window.pliant.stage.camera.position.toArray()), camera, "the view stays");
  });
});

test("the scale and the clutch of the hand are for the keyboard's hand too", { skip }, async () => {
  await withScene("held", false, async (page) => {
    await page.evaluate(() => {
      const { stage, world, session } = window.pliant;
      const view = world.value?.bodies[session.scene.value?.held ?? -1];
      if (!view) throw new Error("nobody holds a body");
      stage.controls.target.copy(view.middle());
      stage.controls.update();
    });
    await page.locator(".stage canvas").focus();
    await page.keyboard.press("g");
    await page.waitForFunction(() => window.pliant.pull.holds("keyboard"));
    const way = async () => {
      const before = await block(page);
      await page.keyboard.press("ArrowRight");
      await page.waitForTimeout(250);
      const after = await block(page);
      return Math.hypot(...[0, 1, 2].map((k) => after.pose[k] - before.pose[k]));
    };
    const once = await way();
    assert.ok(once > 0);
    for (let k = 0; k < 3; ++k) await page.keyboard.press(">");
    assert.ok(Math.abs((await way()) / once - 1.25 ** 3) < 0.05, "longer ways");
    await page.keyboard.press("i");
    assert.equal(await way(), 0);
  });
});

test("the hand's force and torque are in the plots, its ghost and spring on the stage", { skip }, async () => {
  await withScene("held", false, async (page) => {
    const start = await block(page);
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(start.x, start.y + 90, { steps: 6 });
    await page.waitForFunction(() => window.pliant.history.force.last(0) > 10);
    await page.keyboard.down("Shift");
    await page.mouse.move(start.x + 80, start.y + 90, { steps: 6 });
    await page.keyboard.up("Shift");
    await page.waitForFunction(() => window.pliant.history.torque.last(0) > 0.1);
    await page.getByRole("tab", { name: "Plots" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    // What is read and what it stands for are taken together: the hand is still on its way.
    const both = (name: string, kind: "force" | "torque") =>
      page.locator("figure", { hasText: name }).locator(".readout").evaluate((readout, kind) => {
        const handle = window.pliant.world.value?.frame?.handle;
        return { text: readout.textContent ?? "", size: Math.hypot(...(handle?.[kind] ?? [])) };
      }, kind);
    const agree = ({ text, size }: { text: string; size: number }) => {
      const read = Number(/^[\d.]+/.exec(text)?.[0]) / (/mN/.test(text) ? 1000 : 1);
      return Math.abs(read / size - 1) < 0.02;
    };
    await until(page, "force", () => both("Force of the hands", "force"), agree);
    await until(page, "torque", () => both("Torque of the hands", "torque"), agree);
    const seen = await page.evaluate(() => {
      const names: string[] = [];
      window.pliant.stage.drawNow();
      window.pliant.stage.overlay.traverseVisible((part) => names.push(part.type));
      return names;
    });
    assert.ok(seen.includes("Line"), "the spring");
    await page.mouse.up();
  });
});

test("a device says what it can, how it is, and obeys the keys", { skip }, async () => {
  await withScene("device", false, async (page) => {
    const device = page.locator("section", { hasText: "stand-in" }).first();
    await page.waitForFunction(() => /force on/.test(document.querySelector(".device")?.textContent ?? ""));
    const text = await device.innerText();
    assert.match(text, /forces up to 12.N, torques as numbers only, a gripper/);
    assert.match(text, /ready: all is well/);
    assert.match(text, /went off 1 ×, last because the device stopped answering/);
    assert.match(text, /1\.50?.N/);
    assert.match(text, /1 3, 0\.50?/);
    assert.equal(await page.getByRole("button", { name: "Hold it where I take it" }).count(), 1);
    assert.equal(await page.getByText("Gripper", { exact: true }).count(), 0, "it closes the fingers itself");
    await page.keyboard.press("i");
    await page.waitForFunction(() => /the hand stands still/.test(document.querySelector(".device")?.textContent ?? ""));
    await page.keyboard.press(">");
    await page.waitForFunction(() => (window.pliant.session.settings.value?.device?.scale ?? 0) === 1.25);
  });
});

test("the terms of answers are looked at one by one, with their weights and errors", { skip }, async () => {
  await withScene("terms", false, async (page) => {
    await page.getByRole("tab", { name: "Engine" }).click();
    assert.equal(await page.getByRole("button", { name: "Measure it" }).count(), 0, "there is nothing to be measured");
    const chart = page.locator("figure", { hasText: "Error against number of terms" });
    const readout = () => chart.locator(".readout").innerText();
    await until(page, "the error of all terms", readout, (text) => /^3: 0\.40.%$/.test(text));
    await page.getByRole("button", { name: "Look at this term" }).click();
    await page.waitForFunction(() => document.querySelector(".legend:not([hidden]) strong")?.textContent?.startsWith("Weight"));
    assert.match(await page.locator(".banner:not([hidden])").innerText(), /Term 1/);
    assert.match(await readout(), /^1: 20.%$/);
    // The weights are those of the places, and where no load acts there are none.
    const coloured = () =>
      page.evaluate(() => {
        const view = window.pliant.world.value?.bodies[0];
        if (!view) throw new Error("no body");
        const { X, U } = view.asset.surface;
        const field = view.mesh.geometry.getAttribute("field").array;
        const index = window.pliant.look.shape.value?.index ?? 0;
        let [off, none, known] = [0, 0, 0];
        for (let p = 0; p < X.length / 3; ++p) {
          if (Number.isNaN(field[p])) {
            ++none;
            if (X[3 * p] > 0.3) ++off;
          } else if (X[3 * p] > 0.3) {
            ++known;
            off = Math.max(off, Math.abs(field[p] - U[index * X.length + 3 * p + 1]));
          }
        }
        return { off, none, known };
      });
    const first = await coloured();
    assert.ok(first.off < 1e-6 && first.none > 0 && first.known > 0, JSON.stringify(first));
    // It moves as X, in time.
    const tip = () =>
      page.evaluate(() => {
        const view = window.pliant.world.value?.bodies[0];
        const { deformation } = view ?? {};
        return deformation && "c" in deformation ? [...(deformation.c as Float32Array)] : [];
      });
    await until(page, "the first alone moves", tip, (c) => Math.abs(c[0]) > 0 && c.slice(1).every((x) => x === 0));
    await page.getByRole("slider", { name: "Term" }).press("End");
    await until(page, "the third alone moves", tip, (c) => Math.abs(c[2]) > 0 && c[0] === 0);
    assert.match(await page.locator(".term").innerText(), /D: −y 0\.25/);
    const third = await until(page, "coloured anew", coloured, ({ off }) => off < 1e-6);
    assert.ok(third.known > 0);
    await page.keyboard.press("3"); // another colour does not take its place
    assert.match(await page.locator(".legend:not([hidden]) strong").innerText(), /^Weight/);
    await page.getByRole("button", { name: "Back to live" }).first().click();
    await page.waitForFunction(() => document.querySelector(".legend:not([hidden]) strong")?.textContent?.startsWith("Displacement"));
  });
});

test("a body that is pressed shows where and how hard, and its colours come from its surface", { skip }, async () => {
  await withScene("pressed", false, async (page) => {
    const picture = page.locator(".pressure");
    await picture.waitFor();
    await page.waitForFunction(() => /4\.00.N/.test(document.querySelector(".pressure")?.textContent ?? ""));
    const text = await picture.innerText();
    assert.match(text, /Pressure on beam/);
    // 3 N on a taxel of 25 mm x 25 mm.
    assert.match(text, /4\.00.N, 1\.00.N of it beside; up to 4\.80.kPa on 200.mm × 100.mm/);
    assert.match(text, /5 kPa/);
    const brightest = await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>(".pressure .taxels canvas");
      const { data } = canvas?.getContext("2d")?.getImageData(0, 0, 8, 4) ?? { data: [] };
      let best = 0;
      for (let k = 0; k < 32; ++k) if (data[4 * k + 1] > data[4 * best + 1]) best = k;
      return { x: best % 8, y: Math.floor(best / 8) };
    });
    assert.deepEqual(brightest, { x: 2, y: 2 }, "the second row from below is the third from above");
    await page.getByRole("button", { name: "None" }).click(); // no gravity: what pressed floats away
    await page.waitForFunction(() => document.querySelector<HTMLElement>(".pressure")?.hidden);
    await dragTip(page, 0, -80);
    for (const [key, field] of [
      ["4", "strain"],
      ["5", "stress"],
      ["6", "energy"],
      ["7", "area"],
    ]) {
      await page.keyboard.press(key);
      await page.waitForFunction((name) => {
        const legend = window.pliant.look.legend.value;
        return legend?.kind === "field" && legend.field === name && legend.peak > 0;
      }, field);
    }
    await page.mouse.up();
  });
});

// What follows is against the real server.

const skipDouble = realServer ? false : "needs the examples";

async function withExample(id: string, work: (page: Page) => Promise<void>): Promise<void> {
  const server = await startServer();
  try {
    const { page, close } = await openPage(browser, server.url);
    await waitForFrames(page);
    const epoch = await epochOf(page);
    await page.evaluate((scene) => window.pliant.session.open(scene, scene), id);
    await waitForNewScene(page, epoch);
    await page.evaluate(() => window.pliant.stage.drawNow());
    await work(page);
    await close();
  } finally {
    await server.stop();
  }
}

// How far the point of a body is that moved most [m].
const displaced = (page: Page, body: string) =>
  page.evaluate((name) => {
    const view = window.pliant.world.value?.bodies.find(({ info }) => info.name === name);
    if (!view) throw new Error(`no body ${name}`);
    const count = view.asset.surface.X.length / 3;
    return Array.from({ length: count }, (_, p) => view.displacement(p)).reduce((a, b) => Math.max(a, b), 0);
  }, body);

test("the end of a tube is sheared, and the body follows", { skip: skipDouble }, async () => {
  await withExample("tube", async (page) => {
    await page.waitForFunction(() => window.pliant.world.value?.frame?.controls.some(({ driven }) => driven));
    const ball = await beside(page, [0, 0, 0]);
    await page.mouse.click(ball.x, ball.y);
    await page.getByRole("radio", { name: "Shear" }).check({ force: true });
    const before = { motion: await motion(page), displaced: await displaced(page, "tube") };
    const from = await beside(page, [78, 15, 0]);
    const to = await beside(page, [78, 15 + 4, 0]); // a small one, within the linear range
    await drag(page, from, to);
    const after = await until(page, "sheared", () => motion(page), (now) => Math.abs(now[6] - before.motion[6]) > 0.01);
    assert.ok(largest(after.map((x, k) => x - before.motion[k]), [6, 7, 8]) < 1e-3, `${after}`);
    await until(page, "the body follows", () => displaced(page, "tube"), (now) => Math.abs(now - before.displaced) > 1e-5);
    // Coloured by how the surface grows.
    await page.keyboard.press("7");
    await page.waitForFunction(() => {
      const legend = window.pliant.look.legend.value;
      return legend?.kind === "field" && legend.field === "area" && legend.peak > 1e-4;
    });
  });
});

// The body in the hand, dragged until it is so; it stays in the hand.
async function press<T>(page: Page, step: number, what: string, look: () => Promise<T>, so: (now: T) => boolean): Promise<T> {
  const start = await block(page);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  let down = 0;
  return until(
    page,
    what,
    async () => {
      await page.mouse.move(start.x, start.y + (down += step));
      return look();
    },
    so,
  );
}

// What presses on a body as the frame says: [N], the taxel that bears most, and what the hand feels.
const pressure = (page: Page) =>
  page.evaluate(() => {
    const frame = window.pliant.world.value?.frame;
    const { taxels, outside, columns } = frame?.pressures[0] ?? { taxels: new Float32Array(), outside: 0, columns: 1 };
    let best = 0;
    taxels.forEach((force, k) => (best = force > taxels[best] ? k : best));
    const total = taxels.reduce((sum, force) => sum + force, outside);
    return { total, column: best % columns, hand: Math.abs(frame?.handle?.force[1] ?? 0), shown: document.querySelector(".pressure:not([hidden])")?.textContent ?? "" };
  });

test("a sphere that is dragged over a block is seen in the picture of its pressure", { skip: skipDouble }, async () => {
  await withExample("probe", async (page) => {
    const pressed = await press(page, 2, "pressed", () => pressure(page), ({ total, shown }) => total > 0.05 && shown !== "");
    assert.match(pressed.shown, /Pressure on block/);
    const still = await until(page, "the hand bears what presses", () => pressure(page), ({ total, hand }) => Math.abs(total / hand - 1) < 0.1);
    const places = await block(page);
    await page.mouse.move(places.x + 40, places.y, { steps: 10 });
    const moved = await until(page, "it goes along", () => pressure(page), ({ column, total }) => total > 0 && column !== still.column);
    const right = await page.evaluate(() => {
      const { stage, session } = window.pliant;
      const image = session.scene.value?.bodies.find(({ image }) => image)?.image;
      if (!image) throw new Error("no image");
      const at = stage.camera.position.clone().fromArray(image.corner);
      return stage.project(at.clone().add(stage.camera.position.clone().fromArray(image.right))).x - stage.project(at).x;
    });
    assert.equal(Math.sign(moved.column - still.column), Math.sign(right), "as the sphere on the screen");
    await page.mouse.up();
  });
});

test("a beam whose answers are looked up bends under a block, and shows its terms", { skip: skipDouble }, async () => {
  await withExample("beam", async (page) => {
    await press(page, 1, "bent", () => displaced(page, "beam"), (now) => now > 1e-3);
    await page.waitForFunction(() => (window.pliant.world.value?.frame?.contacts.length ?? 0) > 0);
    await page.mouse.up();
    await page.getByRole("tab", { name: "Engine" }).click();
    const terms = await page.evaluate(() => window.pliant.session.scene.value?.bodies.find(({ separated }) => separated)?.separated?.terms ?? 0);
    assert.ok(terms > 1, `${terms} terms`);
    const chart = page.locator("figure", { hasText: "Error against number of terms" });
    await until(page, "the error of all terms", () => chart.locator(".readout").innerText(), (text) => text.startsWith(`${terms}: `));
    await page.getByRole("button", { name: "Look at this term" }).click();
    await page.waitForFunction(() => document.querySelector(".legend:not([hidden]) strong")?.textContent?.startsWith("Weight"));
    assert.match(await page.locator(".banner:not([hidden])").innerText(), /Term 1/);
    assert.match(await page.locator(".term").innerText(), /D: −y/);
    // Where nothing holds the beam a load weighs more than at its held end.
    const weights = await page.evaluate(() => {
      const view = window.pliant.world.value?.bodies.find(({ info }) => info.separated);
      if (!view) throw new Error("no beam");
      const field = view.mesh.geometry.getAttribute("field").array;
      const { X } = view.asset.surface;
      const ends = [0, 0];
      for (let p = 0; p < X.length / 3; ++p) {
        const end = X[3 * p + 2] > 0.35 ? 1 : X[3 * p + 2] < 0.05 ? 0 : -1;
        if (end >= 0 && Number.isFinite(field[p])) ends[end] = Math.max(ends[end], Math.abs(field[p]));
      }
      return ends;
    });
    assert.ok(weights[1] > 3 * weights[0], `${weights}`);
    await page.getByRole("button", { name: "Back to live" }).first().click();
    await page.waitForFunction(() => window.pliant.look.shape.value === null);
  });
});
