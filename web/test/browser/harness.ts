// SPDX-License-Identifier: MIT
// A page in a real browser, and the server under test: `pliant play` of the program PLIANT_PROGRAM
// with the scene PLIANT_SCENE, or a double of it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, type Page, chromium } from "playwright-core";
import type { Viewer } from "../../src/viewer.ts";
import { Double, type DoubleOptions } from "../double/server.ts";

declare global {
  interface Window {
    pliant: Viewer;
  }
}

export const realServer = process.env.PLIANT_PROGRAM !== undefined;
export const patience = Number(process.env.PLIANT_PATIENCE ?? 120_000); // ms; the machine may be busy, a bake may be long

const dist =
  process.env.PLIANT_WEB_DIST ?? join(dirname(fileURLToPath(import.meta.url)), "../../../dist");

export function findChromium(): string | null {
  const places = [process.env.PLIANT_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"];
  return places.find((place) => place && existsSync(place)) ?? null;
}

export async function launch(): Promise<Browser> {
  const executablePath = findChromium();
  assert.ok(executablePath, "no Chromium: install Debian's package chromium");
  return chromium.launch({
    executablePath,
    // WebGL 2 on the CPU; the sandbox of Chromium does not work for root
    args: [
      "--no-sandbox",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--ignore-gpu-blocklist",
    ],
  });
}

export interface Server {
  url: string;
  stop(): Promise<void>;
}

// `meshes`: a folder that keeps dropped ones; without it they go with the server.
export async function startServer(
  options: Partial<DoubleOptions> = {},
  meshes?: string,
  scene = process.env.PLIANT_SCENE ?? "",
): Promise<Server> {
  return realServer ? startProgram(scene, meshes) : startDouble(options);
}

async function startProgram(scene: string, meshes?: string): Promise<Server> {
  const { PLIANT_PROGRAM: program = "", PLIANT_CACHE: cache = "" } = process.env;
  const words = ["play", scene, "--port", "0", "--no-browser", "--cache", cache];
  const own = meshes ?? (await mkdtemp(join(tmpdir(), "pliant-meshes-")));
  words.push("--meshes", own);
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`${program} ended with ${code}`)));
    createInterface(child.stdout).once("line", resolve);
  });
  return {
    url,
    stop: async () => {
      child.kill("SIGINT");
      await ended;
      if (!meshes) await rm(own, { recursive: true });
    },
  };
}

export async function startDouble(options: Partial<DoubleOptions> = {}): Promise<Double> {
  assert.ok(existsSync(join(dist, "index.html")), `no page in ${dist}: npm run build`);
  return Double.start({ dist, along: 32, bakeSeconds: 1.5, ...options });
}

export interface TestPage {
  page: Page;
  // Ends the test: no error must have appeared on the console.
  close(): Promise<void>;
}

const openContexts = new Set<BrowserContext>();

// A test that failed leaves its pages open, and one of them may steer.
export async function closePages(): Promise<void> {
  await Promise.all([...openContexts].map((context) => context.close()));
  openContexts.clear();
}

export async function openPage(
  browser: Browser,
  url: string,
  options: { colorScheme?: "light" | "dark"; width?: number; height?: number; hasTouch?: boolean; allow?: RegExp } = {},
): Promise<TestPage> {
  const { colorScheme = "light", width = 1280, height = 720, hasTouch = false, allow } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, hasTouch });
  openContexts.add(context);
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(url);
  return {
    page,
    close: async () => {
      openContexts.delete(context);
      await context.close();
      const left = allow ? problems.filter((problem) => !allow.test(problem)) : problems;
      assert.deepEqual(left, [], "the console must be silent");
    },
  };
}

// Frames of the scene are arriving and are shown.
export async function waitForFrames(page: Page): Promise<void> {
  await page.waitForFunction(() => window.pliant?.world.value?.frame, null, { timeout: patience });
}

// Seconds of the simulation, which may be slower than the clock.
export async function waitForTime(page: Page, seconds: number): Promise<void> {
  const from = await page.evaluate(() => window.pliant.world.value?.frame?.time ?? 0);
  await page.waitForFunction((end) => (window.pliant.world.value?.frame?.time ?? 0) >= end, from + seconds);
}

export async function epochOf(page: Page): Promise<number> {
  return page.evaluate(() => window.pliant.session.loaded.value?.scene.epoch ?? 0);
}

// A scene after that of an epoch is loaded; it may have to be baked.
export async function waitForNewScene(page: Page, epoch: number): Promise<void> {
  const outcome = await page.waitForFunction(
    (last) => {
      if ((window.pliant.session.loaded.value?.scene.epoch ?? 0) > last) return "loaded";
      return document.querySelector(".toast.error")?.textContent;
    },
    epoch,
    { timeout: 5 * patience },
  );
  assert.equal(await outcome.jsonValue(), "loaded");
  await waitForFrames(page);
}

// The index of a deformable body and the point of it that the first mode moves most (dense bodies:
// the point farthest from the middle), of those that the camera sees.
// `name`: of the body; the first that deforms without.
export async function movablePoint(page: Page, name?: string): Promise<{ body: number; point: number }> {
  return page.evaluate((wanted) => {
    const bodies = window.pliant.world.value?.bodies ?? [];
    const view = bodies.find(({ info }) => info.engine !== "rigid" && (wanted === undefined || info.name === wanted));
    if (!view) throw new Error("no body that deforms");
    const { X, U, r } = view.asset.surface;
    const weights = r > 0 ? U.subarray(0, X.length) : X;
    const size = (p: number) => Math.hypot(weights[3 * p], weights[3 * p + 1], weights[3 * p + 2]);
    const order = Array.from({ length: X.length / 3 }, (_, p) => p).sort((p, q) => size(q) - size(p));
    const point = order.find((p) => {
      const place = window.pliant.projectPoint(view.index, p);
      const hit = window.pliant.world.value?.pick(window.pliant.stage.ray(place.x, place.y));
      return hit?.body === view.index && hit.point === p;
    });
    if (point === undefined) throw new Error("no point of the body is seen");
    return { body: view.index, point };
  }, name);
}

// The world stands still until the point is held: a body that swings would get away.
export async function pause(page: Page, on: boolean): Promise<void> {
  await page.evaluate((value) => window.pliant.session.send({ type: "pause", on: value }), on);
  await page.waitForFunction((value) => window.pliant.session.settings.value?.paused === value, on);
}

// Pauses the world and waits for the frames that were under way: two that follow tell the same step.
export async function halt(page: Page): Promise<void> {
  await pause(page, true);
  const last = { step: -1, sequence: -1 };
  const deadline = Date.now() + patience;
  for (;;) {
    const now = await page.evaluate(() => {
      const { step = -1, sequence = -1 } = window.pliant.world.value?.frame ?? {};
      return { step, sequence };
    });
    if (now.step === last.step && now.sequence !== last.sequence) return;
    if (now.step !== last.step) Object.assign(last, now);
    assert.ok(Date.now() < deadline, `the world does not stand still: ${JSON.stringify(now)}`);
    await page.waitForTimeout(30);
  }
}

export async function stoppedTip(page: Page): Promise<{ body: number; point: number }> {
  await halt(page);
  return movablePoint(page);
}

export async function dragTip(page: Page, right: number, down: number): Promise<void> {
  const { body, point } = await stoppedTip(page);
  const at = await page.evaluate(([b, p]) => window.pliant.projectPoint(b, p), [body, point] as const);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await pause(page, false);
  await page.mouse.move(at.x + right, at.y + down, { steps: 5 });
}

// Position and force of the hand in slot 0 as the server says, and where the page draws the point.
export async function handState(page: Page) {
  return page.evaluate(() => {
    const { world } = window.pliant;
    const pull = world.value?.frame?.pulls[0];
    const view = pull && world.value?.bodies[pull.body];
    if (!pull || !view) return null;
    return {
      at: [...pull.at],
      target: [...pull.target],
      force: [...pull.force],
      drawn: view.worldPoint(pull.point).toArray(),
      size: world.value?.size ?? 0,
    };
  });
}

// What the canvas shows, as grey values of a coarse grid.
export async function pixels(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const { stage } = window.pliant;
    stage.drawFine();
    const canvas = document.createElement("canvas");
    canvas.width = 160;
    canvas.height = 120;
    const draw = canvas.getContext("2d");
    if (!draw) throw new Error("no 2D canvas");
    draw.drawImage(stage.canvas, 0, 0, 160, 120);
    const { data } = draw.getImageData(0, 0, 160, 120);
    const grey: number[] = [];
    for (let i = 0; i < data.length; i += 4) grey.push(data[i] + data[i + 1] + data[i + 2]);
    return grey;
  });
}

// Writes what the canvas shows, without the panels, as the picture of a scene.
export async function savePicture(page: Page, path: string): Promise<void> {
  const data = await page.evaluate(() => {
    const { stage } = window.pliant;
    stage.drawFine();
    return stage.canvas.toDataURL("image/jpeg", 0.88);
  });
  await writeFile(path, Buffer.from(data.slice(data.indexOf(",") + 1), "base64"));
}

export function changedPixels(before: number[], after: number[]): number {
  return before.filter((value, i) => Math.abs(value - after[i]) > 60).length;
}

// A wire between browser and server that can be cut.
export class Wire {
  private readonly open = new Set<Socket>();
  private cutNow = false;

  private constructor(
    readonly url: string,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

  static async start(target: string): Promise<Wire> {
    const { hostname, port, search } = new URL(target);
    let wire: Wire;
    const server = createServer((socket) => {
      if (wire.cutNow) {
        socket.destroy();
        return;
      }
      const other = createConnection(Number(port), hostname);
      for (const end of [socket, other]) {
        wire.open.add(end);
        end.on("error", () => end.destroy());
        end.on("close", () => wire.open.delete(end));
      }
      socket.pipe(other).pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    wire = new Wire(`http://127.0.0.1:${address.port}/${search}`, server);
    return wire;
  }

  cut(): void {
    this.cutNow = true;
    for (const socket of this.open) socket.destroy();
  }

  mend(): void {
    this.cutNow = false;
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
