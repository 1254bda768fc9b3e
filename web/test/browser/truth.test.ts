// SPDX-License-Identifier: MIT
// What the page says is so: rates, costs, quality, failures, places. Against the double, which can be
// slow, fail and wait; what needs the real server is at the end.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import {
  type TestPage,
  Wire,
  closePages,
  dragTip,
  epochOf,
  halt,
  launch,
  movablePoint,
  openPage,
  patience,
  pause,
  realServer,
  startDouble,
  startServer,
  waitForFrames,
  waitForNewScene,
} from "./harness.ts";
import type { Double, DoubleOptions } from "../double/server.ts";

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
});
afterEach(closePages);

async function withDouble(
  options: Partial<DoubleOptions>,
  work: (opened: TestPage, double: Double) => Promise<void>,
  size: { width?: number; height?: number } = {},
): Promise<void> {
  const double = await startDouble(options);
  try {
    const opened = await openPage(browser, double.url, size);
    await work(opened, double);
    await opened.close();
  } finally {
    await double.stop();
  }
}

const health = (page: Page) => page.locator(".health");
const skip = realServer ? "needs the double" : false;

test("a world that is too slow says how much, and a single late moment is not red", { skip }, async () => {
  await withDouble({ rate: 40 }, async ({ page }) => {
    await waitForFrames(page);
    await page.waitForFunction(() => /too slow/.test(document.querySelector(".health")?.textContent ?? ""));
    assert.match(await health(page).innerText(), /^\d+\sHz, \d+× too slow$/);
    assert.equal(await health(page).getAttribute("data-state"), "bad");
    assert.match((await health(page).getAttribute("title")) ?? "", /1\skHz are wanted/);
  });
});

test("a body of several materials has a colour for each, and a key", { skip }, async () => {
  await withDouble({ scene: "composite" }, async ({ page }) => {
    await waitForFrames(page);
    const entries = await page.$$eval(".legend:not([hidden]) .category", (items) => items.map((item) => item.textContent));
    assert.deepEqual(entries, ["rubber", "wood"]);
    const epoch = await epochOf(page);
    await page.evaluate(() => window.pliant.session.open("beam", "Cantilever"));
    await waitForNewScene(page, epoch);
    assert.equal(await page.locator(".legend:not([hidden])").count(), 0, "one with a colour keeps it");
  });
});

test("what was not measured can be measured, and the camera stays", { skip }, async () => {
  await withDouble({ scene: "composite", bakeSeconds: 0.5 }, async ({ page }) => {
    await waitForFrames(page);
    await page.getByRole("tab", { name: "Engine" }).click();
    assert.match(await page.locator(".quality").innerText(), /not measured/);
    await page.evaluate(() => window.pliant.stage.camera.position.multiplyScalar(1.2));
    const camera = await page.evaluate(() => window.pliant.stage.camera.position.toArray());
    const epoch = await epochOf(page);
    await page.getByRole("button", { name: "Measure it" }).click();
    await waitForNewScene(page, epoch);
    assert.match(await page.locator(".quality").innerText(), /1\.2 % off on average and 4\.1 % at worst/);
    const moved = await page.evaluate(() => window.pliant.stage.camera.position.toArray());
    assert.ok(Math.hypot(...moved.map((x, k) => x - camera[k])) < 1e-6, "the camera moved");
    assert.match(await page.locator(".tab-content").last().innerText(), /With full\s+about/);
  });
});

test("displacements are drawn larger; numbers and hands stay true", { skip }, async () => {
  await withDouble({}, async ({ page }) => {
    await waitForFrames(page);
    const { body, point } = await movablePoint(page);
    await halt(page);
    const state = () =>
      page.evaluate(
        ([b, p]) => {
          const view = window.pliant.world.value?.bodies[b];
          if (!view) throw new Error("no body");
          const { X } = view.asset.surface;
          const drawn = view.deformation.position(p).map((x, k) => x - X[3 * p + k]);
          return { drawn: Math.hypot(...drawn), true: view.displacement(p) };
        },
        [body, point] as const,
      );
    const before = await state();
    assert.ok(before.true > 0);
    const slider = page.getByRole("slider", { name: "Displacements drawn" });
    assert.equal(await slider.getAttribute("aria-valuetext"), "as they are");
    await slider.focus();
    for (let i = 0; i < 40; ++i) await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => window.pliant.look.exaggeration.value > 1.9);
    const factor = await page.evaluate(() => window.pliant.look.exaggeration.value);
    assert.match(await page.locator(".banner:not([hidden])").innerText(), /× larger than they are/);
    const after = await state();
    assert.ok(Math.abs(after.drawn / before.drawn / factor - 1) < 1e-3, `${after.drawn} of ${before.drawn}`);
    assert.ok(Math.abs(after.true / before.true - 1) < 1e-3, "the number is that of the simulation");
    // A hand that takes the drawn point and does not move pulls at nothing.
    const at = await page.evaluate(([b, p]) => window.pliant.projectPoint(b, p), [body, point] as const);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.waitForFunction(() => window.pliant.world.value?.frame?.pulls.length === 1);
    const apart = await page.evaluate(() => {
      const pull = window.pliant.world.value?.frame?.pulls[0];
      return pull ? Math.hypot(...pull.at.map((x, k) => x - pull.target[k])) : 1;
    });
    assert.ok(apart < 0.02 * before.true, `${apart} m apart`);
    await page.mouse.up();
    await page.getByRole("button", { name: "As they are" }).click();
    assert.equal(await page.evaluate(() => window.pliant.look.exaggeration.value), 1);
  });
});

test("the camera stays above the ground", { skip }, async () => {
  await withDouble({}, async ({ page }) => {
    await waitForFrames(page);
    await page.evaluate(() => {
      const { camera, ground } = window.pliant.stage;
      camera.position.y = ground.group.position.y - 1;
    });
    await page.waitForFunction(() => {
      const { camera, ground } = window.pliant.stage;
      return camera.position.y > ground.group.position.y;
    });
  });
});

test("no toolbar hides a part of a body", { skip }, async () => {
  for (const [width, height] of [
    [1280, 720],
    [820, 1180],
  ]) {
    await withDouble(
      {},
      async ({ page }) => {
        await waitForFrames(page);
        for (const id of ["pair", "beam"]) {
          const epoch = await epochOf(page);
          await page.evaluate((scene) => window.pliant.session.open(scene, scene), id);
          await waitForNewScene(page, epoch);
          assert.deepEqual(await hiddenCorners(page), [], `${id} at ${width} x ${height}`);
        }
      },
      { width, height },
    );
  }
});

// Of the box around the bodies, those that are not between the toolbars.
async function hiddenCorners(page: Page): Promise<{ x: number; y: number }[]> {
  return page.evaluate(() => {
    const { stage, world } = window.pliant;
    const bounds = world.value?.bounds;
    if (!bounds) throw new Error("no world");
    const top = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
    const bottom = document.querySelector(".dock")?.getBoundingClientRect().top ?? 0;
    return Array.from({ length: 8 }, (_, i) => {
      const corner = bounds.min.clone();
      if (i & 1) corner.x = bounds.max.x;
      if (i & 2) corner.y = bounds.max.y;
      if (i & 4) corner.z = bounds.max.z;
      return stage.project(corner);
    }).filter(({ x, y }) => y < top || y > bottom || x < 0 || x > stage.canvas.clientWidth);
  });
}

test("the title of the scene before goes at once", { skip }, async () => {
  await withDouble({}, async ({ page }) => {
    await waitForFrames(page);
    await page.keyboard.press("o");
    await page.waitForSelector('.card[data-scene="pair"]');
    const title = await page.evaluate(() => {
      document.querySelector<HTMLElement>('.card[data-scene="pair"]')?.click();
      return document.querySelector("header h1")?.textContent;
    });
    assert.equal(title, "Opening Two bars and a block…");
    await page.waitForFunction(() => document.querySelector("header h1")?.textContent === "Two bars and a block");
  });
});

test("a page that is left closes its connection, and comes back", { skip }, async () => {
  await withDouble({}, async ({ page }, double) => {
    await waitForFrames(page);
    assert.equal(double.clients.size, 1);
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
    const deadline = Date.now() + patience;
    while (double.clients.size > 0) {
      assert.ok(Date.now() < deadline, "the connection is still open");
      await page.waitForTimeout(20);
    }
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await page.waitForFunction(() => window.pliant.session.connection.state.value.kind === "open");
    assert.equal(double.clients.size, 1);
  });
});

test("a scene that cannot be opened says why", { skip }, async () => {
  const failure = "part.toml:3: body.part.engine.k: not a whole number, found 'many', expected 1 to 1000";
  await withDouble({ scene: null, failure }, async ({ page }) => {
    await page.waitForSelector("dialog.gallery[open] .failure:not([hidden])");
    assert.match(await page.locator(".failure").innerText(), /part\.toml:3: body\.part\.engine\.k/);
    await page.click('.card[data-scene="beam"]');
    await waitForFrames(page);
    assert.equal(await page.evaluate(() => window.pliant.session.failure.value), null);
  });
});

const box = (() => {
  const lines: string[] = [];
  for (let i = 0; i < 8; ++i) lines.push(`v ${80 * (i & 1)} ${20 * ((i >> 1) & 1)} ${20 * (i >> 2)}`);
  for (const face of ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"]) lines.push(`f ${face}`);
  return lines.join("\n");
})();

test("a mesh that was given opens its panel, which says what the full engine will cost", { skip }, async () => {
  await withDouble({ scene: null, file: { name: "box.obj", text: box } }, async ({ page }) => {
    await page.waitForSelector(".prepare:not([hidden])");
    assert.match(await page.locator(".prepare").innerText(), /box\.obj/);
    assert.equal(await page.locator("dialog.gallery[open]").count(), 0);
    await page.getByRole("radio", { name: "Full" }).check({ force: true });
    await page.getByRole("slider", { name: "Resolution" }).press("End");
    assert.match(await page.locator(".prepare").innerText(), /a step, [\d\s]+× too slow for 1\skHz/);
  });
});

test("a mesh that is being prepared stays as it is when the connection is lost for a moment", { skip }, async () => {
  const double = await startDouble();
  const wire = await Wire.start(double.url);
  const { page, close } = await openPage(browser, wire.url, { allow: /WebSocket connection|ERR_/ });
  await waitForFrames(page);
  await page.evaluate((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "box.obj"));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }));
  }, box);
  await page.waitForSelector(".prepare:not([hidden])");
  await page.getByRole("radio", { name: "Z up" }).check({ force: true });
  const camera = () => page.evaluate(() => window.pliant.stage.camera.position.toArray().map((x) => x.toFixed(1)));
  const before = await camera();
  await page.locator(".stage canvas").focus();
  await page.keyboard.press("h"); // the camera of the mesh, not of the scene behind it
  assert.deepEqual(await camera(), before);
  wire.cut();
  await page.waitForSelector(".banner.bad:not([hidden])");
  wire.mend();
  await page.waitForSelector(".banner.bad", { state: "hidden" });
  await page.waitForFunction(() => window.pliant.world.value?.frame);
  assert.ok(await page.getByRole("radio", { name: "Z up" }).isChecked());
  assert.equal(await page.locator(".prepare:not([hidden])").count(), 1);
  const shown = await page.evaluate(() => window.pliant.stage.content.children.filter((child) => child.visible).length);
  assert.equal(shown, 1, "the mesh alone");
  assert.deepEqual(await camera(), before);
  await page.locator(".prepare").getByRole("button", { name: "Cancel" }).click();
  await page.waitForFunction(() => window.pliant.world.value?.bodies.every((body) => body.group.visible));
  await close();
  await wire.stop();
  await double.stop();
});

test("the wind is set, and an arrow shows it", { skip }, async () => {
  await withDouble({}, async ({ page }) => {
    await waitForFrames(page);
    const arrow = () =>
      page.evaluate(() => {
        const { stage } = window.pliant;
        stage.drawNow();
        return stage.overlay.children.filter((child) => child.visible).length;
      });
    const without = await arrow();
    await page.locator("summary", { hasText: "Wind" }).click();
    await page.getByRole("slider", { name: "Wind" }).press("End");
    await page.waitForFunction(() => Math.hypot(...(window.pliant.session.settings.value?.wind ?? [0])) > 39);
    assert.equal(await arrow(), without + 1);
    const direction = page.getByRole("slider", { name: "Direction" });
    for (let i = 0; i < 9; ++i) await direction.press("PageUp");
    await page.waitForFunction(() => Math.abs(window.pliant.session.settings.value?.wind[2] ?? 0) > 1);
    await page.getByRole("slider", { name: "Wind" }).press("Home");
    await page.waitForFunction(() => Math.hypot(...(window.pliant.session.settings.value?.wind ?? [1])) === 0);
    assert.equal(await arrow(), without);
  });
});

test("a sketch says how long it will take, and when fewer shapes come out than were asked for", { skip }, async () => {
  await withDouble({ bakeSeconds: 0.5 }, async ({ page }) => {
    await waitForFrames(page);
    const epoch = await epochOf(page);
    await page.getByRole("button", { name: /Sketch a new basis/ }).first().click();
    await page.waitForSelector(".banner.sketch:not([hidden])");
    await dragTip(page, 0, -100);
    await page.waitForFunction(() => (window.pliant.sketch.value?.samples ?? 0) > 2);
    await page.mouse.up();
    assert.match(await page.locator(".banner.sketch").innerText(), /forces, about [\d.]+ (ms|s) to bake/);
    await page.locator(".banner.sketch").getByRole("slider").press("End");
    await page.getByRole("button", { name: "Bake the new basis" }).click();
    await waitForNewScene(page, epoch);
    await page.waitForSelector(".toast");
    assert.match(await page.locator(".toast").innerText(), /6 shapes came out of the 60 that were asked for/);
  });
});

test("bodies that touch show where and how hard, and with what they feel", { skip: realServer ? false : "needs the examples" }, async () => {
  const server = await startServer();
  try {
    const { page, close } = await openPage(browser, server.url);
    await waitForFrames(page);
    const epoch = await epochOf(page);
    await page.evaluate(() => window.pliant.session.open("jellies", "Two jellies"));
    await waitForNewScene(page, epoch);
    await page.waitForFunction(() => (window.pliant.world.value?.frame?.contacts.length ?? 0) > 0, null, {
      timeout: patience,
    });
    // On the ball and the block, as far as the world has come to rest, acts what it weighs.
    const force = await page.evaluate(() => {
      const contacts = window.pliant.world.value?.frame?.contacts ?? [];
      return contacts.every(({ force, position }) => force >= 0 && position.every(Number.isFinite));
    });
    assert.ok(force);
    await page.getByRole("tab", { name: "Inside" }).click();
    await page.waitForFunction(
      () => /points? touch(es)?, .* asleep/.test(document.querySelector(".contact-counters")?.textContent ?? ""),
      null,
      { timeout: patience },
    );
    // Nothing but what is switched on or off may change the picture.
    await pause(page, true);
    const pixels = () => page.locator("canvas").first().screenshot();
    const changes = async (name: string, control: Locator) => {
      let before = await pixels();
      for (let still = await pixels(); !still.equals(before); still = await pixels()) before = still;
      await control.click({ force: true });
      const end = Date.now() + patience;
      while ((await pixels()).equals(before)) assert.ok(Date.now() < end, `${name} changes nothing`);
      if (process.env.PLIANT_SCREENS) {
        await page.screenshot({ path: `${process.env.PLIANT_SCREENS}/${name}.png` });
      }
    };
    for (const name of ["Contacts and their forces", "Points that feel"]) {
      await changes(name, page.getByRole("switch", { name }));
    }
    for (const name of ["Slice", "Zero level"]) await changes(name, page.getByRole("radio", { name }));
    await close();
  } finally {
    await server.stop();
  }
});

test("a distance field says where inside and outside are a guess", { skip: realServer ? false : "needs the examples" }, async () => {
  const server = await startServer();
  try {
    const { page, close } = await openPage(browser, server.url);
    await waitForFrames(page);
    const epoch = await epochOf(page);
    await page.evaluate(() => window.pliant.session.open("holed", "A box with a hole"));
    await waitForNewScene(page, epoch);
    await page.getByRole("tab", { name: "Inside" }).click();
    assert.ok(await page.locator(".doubt").isHidden());
    await page.getByRole("radio", { name: "Zero level" }).check({ force: true });
    await page.locator(".doubt").waitFor();
    assert.match(await page.locator(".doubt").innerText(), /^Inside or outside is a guess for [\d.]+.% of box, orange/);
    // The doubts are drawn at the hole, which is in the lid.
    const places = await page.evaluate(async () => {
      const view = window.pliant.world.value?.bodies.find(({ info }) => info.name === "box");
      const { doubt } = (await view?.asset.field()) ?? {};
      return [...(doubt?.places ?? [])];
    });
    assert.ok(places.length > 0);
    for (let k = 0; k < places.length; k += 3) {
      assert.ok(places[k + 1] > 0 && Math.hypot(places[k], places[k + 2]) < 0.1, `${places.slice(k, k + 3)}`);
    }
    await close();
  } finally {
    await server.stop();
  }
});

test("no toolbar hides a part of any example", { skip: realServer ? false : "needs the examples" }, async () => {
  const server = await startServer();
  try {
    for (const [width, height] of [
      [1280, 720],
      [820, 1180],
    ]) {
      const { page, close } = await openPage(browser, server.url, { width, height });
      await waitForFrames(page);
      const ids = await page.evaluate(async () => (await window.pliant.session.api.gallery()).map(({ id }) => id));
      for (const id of ids) {
        const epoch = await epochOf(page);
        await page.waitForTimeout(600); // two are allowed in a second
        await page.evaluate((scene) => window.pliant.session.open(scene, scene), id);
        await waitForNewScene(page, epoch);
        assert.deepEqual(await hiddenCorners(page), [], `${id} at ${width} x ${height}`);
        if (process.env.PLIANT_SCREENS) {
          await page.waitForTimeout(1500);
          await page.evaluate(() => window.pliant.stage.drawFine());
          await page.screenshot({ path: `${process.env.PLIANT_SCREENS}/${id}-${width}.png` });
        }
      }
      await close();
    }
  } finally {
    await server.stop();
  }
});
