// SPDX-License-Identifier: MIT
// A body that a hand holds: the dinosaur is grabbed, pressed on the bridge, turned and let go, by a
// mouse and by a gamepad. Against the real server: what is felt is its to say.
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { type Server, closePages, launch, openPage, patience, pause, realServer, startServer, waitForFrames } from "./harness.ts";

const skip = realServer ? false : "needs the examples";
const scene = join(dirname(process.env.PLIANT_SCENE ?? "."), "dinosaur.toml");

let browser: Browser;
let server: Server;
before(async () => {
  if (skip) return;
  browser = await launch();
  server = await startServer({}, undefined, scene);
});
after(async () => {
  if (skip) return;
  await browser.close();
  await server.stop();
});
afterEach(closePages);

// What the server says of the hand, and where the page draws the body.
async function look(page: Page) {
  return page.evaluate(() => {
    const { world, stage, session } = window.pliant;
    const held = session.scene.value?.held ?? -1;
    const view = world.value?.bodies[held];
    const frame = world.value?.frame;
    if (!view || !frame?.handle) throw new Error("nobody holds a body");
    const { x, y } = stage.project(view.middle());
    const { position, quaternion: q } = view.group;
    return {
      x,
      y,
      drawn: [position.x, position.y, position.z, q.w, q.x, q.y, q.z],
      pose: [...frame.handle.ghost],
      hand: [...frame.handle.pose],
      force: Math.hypot(...frame.handle.force),
      torque: Math.hypot(...frame.handle.torque),
      contacts: frame.contacts.length,
      shown: [...document.querySelectorAll(".felt dd")].map((item) => item.textContent ?? ""),
    };
  });
}

type Look = Awaited<ReturnType<typeof look>>;

// Looks until it is so.
async function until(page: Page, what: string, so: (now: Look) => boolean, act: () => Promise<void> = async () => {}) {
  const end = Date.now() + patience;
  for (;;) {
    await act();
    const now = await look(page);
    if (so(now)) return now;
    assert.ok(Date.now() < end, `${what}: ${JSON.stringify(now)}`);
    await page.waitForTimeout(50);
  }
}

// "1.2 kN" in N.
function newtons(text: string): number {
  const [, digits, prefix] = /^([\d.,]+)\s?(m|k|µ|)N/.exec(text.replace(/\s/g, " ")) ?? [];
  const factor = { m: 1e-3, µ: 1e-6, k: 1e3, "": 1 }[prefix ?? ""] ?? NaN;
  return Number(digits) * factor;
}

function angle(a: number[], b: number[]): number {
  const dot = a.slice(3).reduce((sum, value, i) => sum + value * b[3 + i], 0);
  return 2 * Math.acos(Math.min(1, Math.abs(dot)));
}

test("the dinosaur is grabbed, pressed on the bridge, turned and let go", { skip }, async () => {
  const { page, close } = await openPage(browser, server.url);
  await waitForFrames(page);
  const start = await look(page);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  let down = 0;
  const pressed = await until(
    page,
    "pressed on the bridge",
    ({ force, contacts }) => force > 0.05 && contacts > 0,
    async () => {
      down = Math.min(down + 4, 160);
      await page.mouse.move(start.x, start.y + down);
    },
  );
  assert.ok(pressed.pose[1] > pressed.hand[1], "the body stays above the hand");

  // Numbers and pixels are those of one state: it stands still while they are compared.
  await pause(page, true);
  const still = await until(page, "a world that stands", ({ force, shown }) => Math.abs(newtons(shown[0]) - force) < 0.01 * force);
  for (let i = 0; i < 7; ++i) assert.ok(Math.abs(still.drawn[i] - still.pose[i]) < 1e-5, "drawn where it is");
  const colours = await page.evaluate(
    ({ x, y }) => {
      const { stage } = window.pliant;
      stage.drawFine();
      const box = stage.canvas.getBoundingClientRect();
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = 21;
      const draw = canvas.getContext("2d");
      if (!draw) throw new Error("no 2D canvas");
      const [sx, sy] = [stage.canvas.width / box.width, stage.canvas.height / box.height];
      draw.drawImage(stage.canvas, (x - box.left - 10) * sx, (y - box.top - 10) * sy, 21 * sx, 21 * sy, 0, 0, 21, 21);
      const { data } = draw.getImageData(0, 0, 21, 21);
      let green = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i + 1] > 1.1 * data[i] && data[i + 1] > 1.1 * data[i + 2]) ++green;
      return green / (21 * 21);
    },
    { x: still.x, y: still.y },
  );
  assert.ok(colours > 0.3, `where the body is the picture is green: ${colours}`);
  await pause(page, false);

  // Shift turns it about the point that is held.
  await page.keyboard.down("Shift");
  await page.mouse.move(start.x + 80, start.y + down, { steps: 8 });
  await until(page, "turned", ({ pose }) => angle(pose, start.pose) > 0.1);
  await page.keyboard.up("Shift");

  // While I is on, the pointer moves and the hand does not.
  await page.keyboard.press("i");
  const before = await look(page);
  await page.mouse.move(start.x - 120, start.y + down - 60, { steps: 5 });
  await page.waitForTimeout(300);
  const after = await look(page);
  assert.ok(Math.hypot(...[0, 1, 2].map((i) => after.hand[i] - before.hand[i])) < 5e-3, "the hand stands still");
  await page.keyboard.press("i");

  await page.mouse.up();
  const free = await until(page, "let go", ({ hand, pose }) => Math.hypot(...[0, 1, 2].map((i) => hand[i] - pose[i])) < 0.02);
  await page.mouse.move(start.x - 200, start.y - 100, { steps: 5 });
  await page.waitForTimeout(300);
  const later = await look(page);
  assert.ok(Math.hypot(...[0, 1, 2].map((i) => later.hand[i] - free.hand[i])) < 5e-3, "nobody moves it");
  await close();
});

test("a gamepad takes the dinosaur, moves and turns it", { skip }, async () => {
  const { page, close } = await openPage(browser, server.url);
  await waitForFrames(page);
  await page.evaluate(() => {
    const pad = { axes: [0, 0, 0, 0], buttons: Array.from({ length: 17 }, () => ({ pressed: false, value: 0 })) };
    (window as unknown as { pad: typeof pad }).pad = pad;
    navigator.getGamepads = () => [pad as unknown as Gamepad];
    window.dispatchEvent(new Event("gamepadconnected"));
  });
  const set = (axes: number[], a: boolean) =>
    page.evaluate(
      ({ axes, a }) => {
        const { pad } = window as unknown as { pad: { axes: number[]; buttons: { pressed: boolean; value: number }[] } };
        pad.axes = axes;
        pad.buttons[0] = { pressed: a, value: a ? 1 : 0 };
      },
      { axes, a },
    );
  const start = await look(page);
  await set([0, 0, 0, 0], true);
  await page.waitForFunction(() => window.pliant.pull.holds("gamepad"));
  await set([0, -1, 0.8, 0], false); // up, and round
  const moved = await until(page, "lifted and turned", ({ pose }) => pose[1] > start.pose[1] + 0.01 && angle(pose, start.pose) > 0.1);
  assert.ok(moved.pose[1] > start.pose[1]);
  await set([0, 0, 0, 0], true);
  await page.waitForFunction(() => !window.pliant.pull.holds("gamepad"));
  await close();
});
