// SPDX-License-Identifier: MIT
// The pictures of the examples and of the page, made anew with PLIANT_FIGURES=FOLDER; skipped
// without. PLIANT_TEST_NAME takes one of them: the tests are named after the scenes.
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import {
  type Server,
  closePages,
  epochOf,
  launch,
  movablePoint,
  openPage,
  realServer,
  savePicture,
  startServer,
  waitForFrames,
  waitForNewScene,
} from "./harness.ts";

const folder = process.env.PLIANT_FIGURES ?? "";
const skip = folder && realServer ? false : "PLIANT_FIGURES names no folder";

let browser: Browser;
let server: Server;
before(async () => {
  if (skip) return;
  browser = await launch();
  server = await startServer();
});
after(async () => {
  if (skip) return;
  await browser.close();
  await server.stop();
});
afterEach(closePages);

// What is done before the picture: seconds to wait for, and a drag in pixels, of the body in the hand,
// of the point that moves most, or of nothing but a control element that is chosen.
interface Pose {
  wait?: number;
  drag?: [number, number];
  of?: string; // the body that is dragged, if not the first that deforms
  chooses?: boolean;
  colour?: string; // a key
}

const scenes: Record<string, Pose> = {
  alpha: { drag: [20, -20] },
  ball: { wait: 1 },
  basket: { wait: 2 },
  beam: { drag: [0, 60] },
  beams: { wait: 0.2, drag: [0, 25], of: "upper" },
  bolt: { wait: 0.5 },
  bridge: { wait: 0.5, drag: [0, 60] },
  bunnies: { wait: 0.2, drag: [-25, 5], of: "red" },
  cable: { chooses: true },
  cantilever: { wait: 0.5, drag: [0, -110] },
  chair: { wait: 1 },
  cube: { wait: 0.2, drag: [50, -60] },
  dinosaur: { wait: 0.5, drag: [0, 12] },
  dragon: { wait: 0.5, drag: [50, -40] },
  drop: { wait: 0.6 },
  hand: { wait: 0.2, drag: [0, 30] },
  heart: { wait: 0.5, drag: [60, 20] },
  hose: { wait: 0.5 },
  hoses: { wait: 0.5, drag: [0, 30] },
  jellies: { wait: 1.5 },
  jelly: { wait: 0.5, drag: [40, -50] },
  knight: { wait: 0.5, drag: [0, 8] },
  laminate: { chooses: true, colour: "5" },
  mould: { wait: 1 },
  operator: { wait: 1 },
  peg: { wait: 0.5 },
  plate: { wait: 0.5, drag: [0, -60] },
  probe: { wait: 0.2, drag: [0, 14] },
  sagging: { wait: 0.2, drag: [0, 60] },
  spoon: { wait: 0.5, drag: [0, -60] },
  tower: { wait: 0.5, drag: [70, 20] },
  tube: { chooses: true, colour: "7" },
  twins: { wait: 1 },
  vessel: { wait: 0.5 },
};

// Of the simulation; one that is slow gets a minute.
async function seconds(page: Page, time: number): Promise<void> {
  const from = await page.evaluate(() => window.pliant.world.value?.frame?.time ?? 0);
  await page
    .waitForFunction((end) => (window.pliant.world.value?.frame?.time ?? 0) >= end, from + time, { timeout: 60_000 })
    .catch(() => {});
}

// The middle of the body that the hand holds, or the point that moves most.
async function grip(page: Page, name?: string): Promise<{ x: number; y: number }> {
  const held = await page.evaluate(() => {
    const { session, world, stage } = window.pliant;
    const view = world.value?.bodies[session.scene.value?.handle ?? -1];
    return view ? stage.project(view.middle()) : null;
  });
  if (held) return held;
  const { body, point } = await movablePoint(page, name);
  return page.evaluate(([b, p]) => window.pliant.projectPoint(b, p), [body, point] as const);
}

async function pose(page: Page, { wait = 0, drag, of, chooses, colour }: Pose): Promise<void> {
  if (wait > 0) await seconds(page, wait);
  if (colour) {
    await page.keyboard.press(colour);
    await page.waitForFunction(() => window.pliant.look.legend.value?.kind === "field");
  }
  if (chooses) {
    await page.waitForFunction(() => window.pliant.world.value?.frame?.controls.some(({ driven }) => driven));
    const ball = await page.evaluate(() => {
      const { stage, world } = window.pliant;
      const control = world.value?.frame?.controls.find(({ driven }) => driven);
      return stage.project(stage.camera.position.clone().fromArray(control?.centre ?? [0, 0, 0]));
    });
    await page.mouse.click(ball.x, ball.y);
  }
  if (drag) {
    const at = await grip(page, of);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + drag[0], at.y + drag[1], { steps: 30 });
    await seconds(page, 0.7);
  }
  await page.waitForTimeout(300);
}

for (const [id, what] of Object.entries(scenes)) {
  test(`picture of ${id}`, { skip }, async () => {
    const { page, close } = await openPage(browser, server.url, { width: 1120, height: 600 });
    await waitForFrames(page);
    const epoch = await epochOf(page);
    const open = await page.evaluate(() => window.pliant.session.scene.value?.id);
    if (open !== id) {
      await page.evaluate((scene) => window.pliant.session.open(scene, scene), id);
      await waitForNewScene(page, epoch);
    }
    await page.evaluate(() => window.pliant.session.send({ type: "reset" }));
    await pose(page, what);
    await savePicture(page, join(folder, `${id}.jpg`));
    if (process.env.PLIANT_SCREENS) await page.screenshot({ path: join(process.env.PLIANT_SCREENS, `${id}.png`) });
    await page.mouse.up();
    await close();
  });
}

test("picture of the viewer", { skip }, async () => {
  const { page, close } = await openPage(browser, server.url);
  await waitForFrames(page);
  const epoch = await epochOf(page);
  await page.evaluate(() => window.pliant.session.open("dinosaur", "Bridge and dinosaur"));
  await waitForNewScene(page, epoch);
  await pose(page, { wait: 1, drag: [0, 12] });
  await page.evaluate(() => window.pliant.stage.drawFine());
  await page.screenshot({ path: join(folder, "viewer.jpg"), type: "jpeg", quality: 70 });
  await page.mouse.up();
  await close();
});
