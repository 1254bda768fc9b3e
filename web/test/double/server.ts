// SPDX-License-Identifier: MIT
// A double of the server of `pliant play`, to develop and test the page alone: the protocol of
// docs/protocol.md, with beams in place of finite elements.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { type WebSocket, WebSocketServer } from "ws";
import { encodeFrame, quantise } from "../../src/protocol/encode_frame.ts";
import type { CountersFrame, Frame, HistogramFrame } from "../../src/protocol/frames.ts";
import {
  type BakeOptions,
  type BakeProgress,
  type Command,
  type ServerMessage,
  limits,
  parseCommand,
  protocolVersion,
} from "../../src/protocol/messages.ts";
import { MessageError } from "../../src/protocol/schema.ts";
import { type Surface, surfaceTensors } from "./beam.ts";
import { readObj } from "./obj.ts";
import { type OpenScene, gallery, makeFromMesh, makeScene, materials } from "./scenes.ts";
import { writeTensors } from "./tensors.ts";

export interface DoubleOptions {
  dist: string; // folder of the page
  port?: number;
  token?: string;
  along?: number; // fineness of the beams
  bakeSeconds?: number;
  scene?: string | null; // that is open at the start
  file?: { name: string; text: string }; // a mesh that waits to be prepared
  failure?: string; // of the scene that was to be opened
  rate?: number; // steps a second that it manages, of the 1000 that are wanted
}

interface Client {
  id: number;
  socket: WebSocket;
  sequence: number;
  skipped: number;
  status: number;
}

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
const policy =
  "default-src 'self'; img-src 'self' blob: data:; media-src blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
const bakeSteps = ["voxels", "stiffness and mass", "modes", "derivatives", "basis", "coefficients", "quality"];
const histogramBins = { first: 1, ratio: 2 ** 0.25, count: 48 };

class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly advice: string,
  ) {
    super(message);
  }
}

export class Double {
  readonly clients = new Map<number, Client>();
  private readonly http = createServer((request, response) => {
    this.handle(request, response).catch((problem: unknown) => this.refuse(response, problem));
  });
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: limits.message });
  private readonly assets = new Map<string, Uint8Array>();
  private readonly meshes = new Map<string, Surface>();
  private open: OpenScene | null = null;
  private epoch = 0;
  private nextClient = 1;
  private steering: number | null = null;
  private job = 0;
  private bake: { timer: NodeJS.Timeout; progress: BakeProgress } | null = null;
  private readonly timers: NodeJS.Timeout[] = [];
  private cycles: number[] = [];
  private recent: number[] = [];
  private histogram = new Uint32Array(histogramBins.count);
  private frames = 0;

  private constructor(private readonly options: DoubleOptions) {}

  static async start(options: DoubleOptions): Promise<Double> {
    const double = new Double(options);
    const id = options.scene === undefined ? "beam" : options.scene;
    if (id !== null) double.openScene(makeScene(id, options.along ?? 64));
    double.http.on("upgrade", (request, socket, head) => {
      if (!double.allowed(request) || new URL(request.url ?? "", "http://x").pathname !== "/ws") {
        socket.end("HTTP/1.1 401 Unauthorized\r\n\r\n");
        return;
      }
      double.sockets.handleUpgrade(request, socket, head, (ws) => double.welcome(ws));
    });
    double.timers.push(setInterval(() => double.simulate(), 4));
    double.timers.push(setInterval(() => double.sendFrames(), 1000 / 60));
    await new Promise<void>((resolve) => double.http.listen(options.port ?? 0, "127.0.0.1", resolve));
    return double;
  }

  get url(): string {
    const { port } = this.http.address() as AddressInfo;
    return `http://127.0.0.1:${port}/${this.options.token ? `?token=${this.options.token}` : ""}`;
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.endBake();
    for (const { socket } of this.clients.values()) socket.terminate();
    await new Promise<void>((resolve) => {
      this.http.close(() => resolve());
      this.http.closeAllConnections();
    });
  }

  // ---- HTTP

  private allowed(request: IncomingMessage): boolean {
    const url = new URL(request.url ?? "", "http://x");
    const { origin, host } = request.headers;
    if (origin !== undefined && origin !== `http://${host}`) return false;
    return !this.options.token || url.searchParams.get("token") === this.options.token;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", "http://x");
    response.setHeader("Content-Security-Policy", policy);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("X-Frame-Options", "DENY");
    const api = url.pathname.startsWith("/api/") || url.pathname.startsWith("/asset/");
    if (api && !this.allowed(request)) {
      throw new Refused(401, "token", "The token is missing or wrong.", "Open the address that was printed at the start.");
    }
    if (url.pathname === "/api/scenes") {
      const scenes = gallery.map((scene) => ({ ...scene, own: false, picture: `/api/picture/${scene.id}` }));
      sendJson(response, { scenes });
    } else if (url.pathname === "/api/scene.toml") {
      response.setHeader("Content-Type", "application/toml");
      response.end(`title = ${JSON.stringify(this.open?.message.title ?? "")}\n`);
    } else if (url.pathname.startsWith("/api/picture/")) {
      response.setHeader("Content-Type", "image/svg+xml");
      response.end(pictureSvg(url.pathname.slice(13)));
    } else if (url.pathname === "/api/file" && this.options.file) {
      response.end(this.options.file.text);
    } else if (url.pathname === "/api/mesh" && request.method === "POST") {
      sendJson(response, await this.upload(request, url.searchParams.get("name") ?? ""));
    } else if (url.pathname.startsWith("/asset/")) {
      this.sendAsset(request, response, url.pathname.slice(7));
    } else {
      await this.sendFile(response, url.pathname);
    }
  }

  private refuse(response: ServerResponse, problem: unknown): void {
    if (!(problem instanceof Refused)) throw problem;
    const { status, code, message, advice } = problem;
    response.statusCode = status;
    sendJson(response, { code, message, advice });
  }

  private async sendFile(response: ServerResponse, path: string): Promise<void> {
    const file = normalize(path === "/" ? "/index.html" : path);
    try {
      const bytes = await readFile(join(this.options.dist, file));
      response.setHeader("Content-Type", types[extname(file)] ?? "application/octet-stream");
      response.end(bytes);
    } catch {
      throw new Refused(404, "absent", `There is no ${path}.`, "Go to the start page.");
    }
  }

  private sendAsset(request: IncomingMessage, response: ServerResponse, id: string): void {
    const bytes = this.assets.get(id);
    if (!bytes) throw new Refused(404, "absent", "There is no such asset.", "Reload the page.");
    response.setHeader("Accept-Ranges", "bytes");
    response.setHeader("Cache-Control", "private, max-age=31536000, immutable");
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    if (!range) {
      response.end(bytes);
      return;
    }
    const from = Number(range[1]);
    const to = Math.min(Number(range[2]), bytes.length - 1);
    response.statusCode = 206;
    response.setHeader("Content-Range", `bytes ${from}-${to}/${bytes.length}`);
    response.end(bytes.subarray(from, to + 1));
  }

  private async upload(request: IncomingMessage, name: string): Promise<object> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of request) {
      size += (part as Buffer).length;
      if (size > limits.upload) {
        throw new Refused(413, "size", "The mesh is too large.", "Make it coarser.");
      }
      parts.push(part as Buffer);
    }
    let surface: Surface;
    try {
      surface = readObj(Buffer.concat(parts).toString());
    } catch (problem) {
      const message = `${name}:${(problem as Error).message}`;
      throw new Refused(422, "mesh", message, "Repair the file, or export it again.");
    }
    const mesh = createHash("sha1").update(surface.X).digest("hex").slice(0, 12);
    this.meshes.set(mesh, surface);
    const asset = this.keep(writeTensors(surfaceTensors("mesh", surface), {}));
    const bound = (pick: (...values: number[]) => number) =>
      [0, 1, 2].map((a) => surface.X.filter((_, i) => i % 3 === a).reduce((x, y) => pick(x, y)));
    const from = bound(Math.min);
    const to = bound(Math.max);
    const triangles = surface.triangles.length / 3;
    return {
      mesh,
      asset,
      points: surface.X.length / 3,
      triangles,
      nodes: 0,
      elements: 0,
      from,
      to,
      parts: [{ triangles, from, to, piece: 0, elements: 1000 }],
      units: [
        { name: "mm", metres: 0.001, doubt: "" },
        { name: "m", metres: 1, doubt: "" },
      ],
      unit: Math.max(...to) > 5 ? "mm" : "m",
      notes: [],
    };
  }

  private keep(bytes: Uint8Array): string {
    const id = createHash("sha1").update(bytes).digest("hex").slice(0, 16);
    this.assets.set(id, bytes);
    return `/asset/${id}`;
  }

  // ---- WebSocket

  private welcome(socket: WebSocket): void {
    const client: Client = { id: this.nextClient++, socket, sequence: 0, skipped: 0, status: 0 };
    this.clients.set(client.id, client);
    if (this.steering === null) this.steering = client.id;
    this.send(client, {
      type: "hello",
      protocol: protocolVersion,
      generator: "double of pliant 0.1.0",
      client: client.id,
      upload: limits.upload,
      formats: ["obj"],
      engines: ["reduced", "full"],
      engine_texts: ["a few shapes, 1000 steps a second", "every node, exact and slow"],
      materials,
      costs: [{ engine: "full", seconds: 6e-7, power: 1.5 }],
      file: this.open ? null : (this.options.file?.name ?? null),
    });
    this.send(client, this.sceneMessage());
    if (!this.open && this.options.failure) this.sendFailure(client, this.options.failure);
    if (this.open) this.send(client, this.settingsMessage(this.open));
    if (this.bake) this.send(client, { type: "bake", ...this.bake.progress });
    this.sendSteering();
    socket.on("message", (data, binary) => {
      if (!binary) this.hear(client, data.toString());
    });
    socket.on("close", () => {
      this.clients.delete(client.id);
      if (this.steering !== client.id) return;
      this.open?.world.hands.clear();
      this.steering = this.clients.keys().next().value ?? null;
      this.sendSteering();
    });
  }

  private send(client: Client, message: ServerMessage): void {
    client.socket.send(JSON.stringify(message));
  }

  private broadcast(message: ServerMessage): void {
    for (const client of this.clients.values()) this.send(client, message);
  }

  private sceneMessage(): ServerMessage {
    if (!this.open) return { type: "closed" };
    return { type: "scene", epoch: this.epoch, ...this.open.message };
  }

  private settingsMessage(open: OpenScene): ServerMessage {
    return { type: "settings", ...open.world.settings };
  }

  private sendSteering(): void {
    for (const client of this.clients.values()) {
      const you = client.id === this.steering;
      this.send(client, { type: "steering", you, client: this.steering, viewers: this.clients.size });
    }
  }

  private sendFailure(client: Client, message: string): void {
    this.error(client, "bake", message, "Mend what it says.");
  }

  private error(client: Client, code: string, message: string, advice: string): void {
    this.send(client, { type: "error", code, message, advice, about: null });
  }

  private hear(client: Client, text: string): void {
    let command: Command;
    try {
      command = parseCommand(text);
    } catch (problem) {
      if (!(problem instanceof MessageError)) throw problem;
      this.error(client, "command", problem.message, "Reload the page.");
      return;
    }
    if (command.type === "hello") return;
    if (command.type === "steer") {
      this.steering = command.take ? client.id : null;
      this.open?.world.hands.clear();
      this.sendSteering();
      return;
    }
    if (client.id !== this.steering) {
      this.error(client, "steering", "Somebody else is steering.", "Take over first.");
      return;
    }
    this.obey(client, command);
  }

  private obey(client: Client, command: Command): void {
    switch (command.type) {
      case "open": {
        const scene = makeScene(command.scene, this.options.along ?? 64);
        if (scene) this.openScene(scene);
        else this.error(client, "absent", `There is no scene ${command.scene}.`, "Choose another.");
        return;
      }
      case "bake":
        this.bakeMesh(client, command);
        return;
      case "sketch":
        this.startBake("Basis from sketch", () => {
          const id = this.open?.message.id;
          if (id) this.openScene(makeScene(id, this.options.along ?? 64));
        });
        return;
      case "measure":
        this.startBake("How good it is", () => {
          const id = this.open?.message.id;
          if (id) this.openScene(makeScene(id, this.options.along ?? 64, true));
        });
        return;
      case "cancel":
        if (this.bake?.progress.job !== command.job) return;
        this.broadcast({ type: "bake", ...this.bake.progress, state: "cancelled" });
        this.endBake();
        return;
    }
    if (this.open) this.change(this.open, command);
  }

  private change(open: OpenScene, command: Command): void {
    const { world } = open;
    const { settings } = world;
    switch (command.type) {
      case "pull":
        if (command.point < (world.bodies[command.body]?.P ?? 0)) world.hands.set(command.slot, command);
        return;
      case "release":
        world.hands.delete(command.slot);
        return;
      case "reset":
        world.reset();
        open.held?.reset();
        open.control?.reset();
        return;
      case "move":
        if (command.body === open.held?.body) open.held.move(command.position, command.rotation);
        return;
      case "control":
        open.control?.set(command.motion);
        return;
      case "workspace":
        if (!open.held || !settings.device) return;
        Object.assign(open.held, pickKeys(command, ["scale", "indexing"]));
        Object.assign(settings.device, pickKeys(command, ["scale", "indexing"]));
        break;
      case "advance":
        for (let i = 0; i < command.steps; ++i) world.advance();
        return;
      case "material": {
        const region = settings.bodies[command.body]?.regions[command.region];
        if (region) Object.assign(region, pickKeys(command, ["young", "poisson", "density"]));
        break;
      }
      case "damping":
        Object.assign(settings.bodies[command.body] ?? {}, pickKeys(command, ["alpha", "beta"]));
        break;
      case "active":
        Object.assign(settings.bodies[command.body] ?? {}, { active: command.count });
        break;
      case "linear":
        Object.assign(settings.bodies[command.body] ?? {}, { linear: command.on });
        break;
      case "wind":
        settings.wind = command.vector;
        break;
      case "gravity":
        settings.gravity = command.vector;
        break;
      case "pause":
        settings.paused = command.on;
        break;
      case "speed":
        settings.speed = command.factor;
        break;
      default:
        return;
    }
    this.broadcast(this.settingsMessage(open));
  }

  private openScene(scene: OpenScene | null): void {
    if (!scene) return;
    ++this.epoch;
    scene.message.asset = this.keep(scene.asset);
    scene.world.settings.epoch = this.epoch;
    this.open = scene;
    this.histogram.fill(0);
    this.started = performance.now();
    this.simulated = 0;
    this.broadcast(this.sceneMessage());
    this.broadcast(this.settingsMessage(scene));
  }

  // ---- Bake: nothing but the time passes

  private bakeMesh(client: Client, options: BakeOptions): void {
    const surface = this.meshes.get(options.mesh);
    if (!surface) {
      this.error(client, "absent", "The mesh is no longer there.", "Drop the file again.");
      return;
    }
    this.startBake(options.name, () => {
      const { name, metres_per_unit, material, engine } = options;
      this.openScene(makeFromMesh(name, surface, metres_per_unit, material, engine === "full"));
    });
  }

  private startBake(title: string, then: () => void): void {
    this.endBake();
    const total = this.options.bakeSeconds ?? 3;
    const share = total / bakeSteps.length;
    const start = performance.now();
    const job = ++this.job;
    const report = (): BakeProgress => {
      const time = (performance.now() - start) / 1000;
      const steps = bakeSteps.map((name, k) => {
        const fraction = k === 0 ? 1 : Math.min(1, Math.max(0, time / share - k));
        const state =
          k === 0 ? "cached" : fraction >= 1 ? "done" : time / share > k ? "running" : "waiting";
        return { name, state, fraction, seconds: fraction * share, seconds_left: (1 - fraction) * share } as const;
      });
      const fraction = Math.min(1, time / total);
      const seconds_left = fraction > 0.1 ? total - time : null;
      return { job, title, state: "running", fraction, seconds: time, seconds_left, steps };
    };
    const timer = setInterval(() => {
      if (!this.bake) return;
      this.bake.progress = report();
      const done = this.bake.progress.fraction >= 1;
      this.broadcast({ type: "bake", ...this.bake.progress, state: done ? "done" : "running" });
      if (!done) return;
      this.endBake();
      then();
    }, 100);
    this.bake = { timer, progress: report() };
  }

  private endBake(): void {
    if (this.bake) clearInterval(this.bake.timer);
    this.bake = null;
  }

  // ---- Time

  private started = performance.now();
  private simulated = 0; // steps since then

  private simulate(): void {
    if (!this.open) return;
    const { world } = this.open;
    const { paused, speed } = world.settings;
    const elapsed = performance.now() - this.started;
    this.started += elapsed;
    if (paused) return;
    this.simulated += (elapsed * speed * (this.options.rate ?? 1000)) / 1000;
    const steps = Math.min(200, Math.floor(this.simulated));
    this.simulated -= Math.floor(this.simulated);
    for (let i = 0; i < steps; ++i) {
      const before = performance.now();
      world.advance();
      const us = 1000 * (performance.now() - before);
      this.cycles.push(us);
      const bin = Math.floor(Math.log(us / histogramBins.first) / Math.log(histogramBins.ratio));
      ++this.histogram[Math.min(histogramBins.count - 1, Math.max(0, bin))];
    }
  }

  private sendFrames(): void {
    const { open } = this;
    if (!open) return;
    ++this.frames;
    const counters = this.counters();
    const { world } = open;
    const histogram: HistogramFrame | null =
      this.frames % 30 === 0
        ? { first: histogramBins.first, ratio: histogramBins.ratio, counts: this.histogram }
        : null;
    const bodies = world.bodies.map((body, k) => {
      const { position, rotation } = open.message.bodies[k];
      const pose = open.held?.body === k ? open.held.pose() : Float32Array.from([...position, ...rotation]);
      const { kinetic, elastic } = body?.energies(world.settings.bodies[k]) ?? { kinetic: 0, elastic: 0 };
      const dense = body?.dense ? quantise(body.displacements()) : null;
      const c = body && !dense ? Float32Array.from(body.q).subarray(0, world.settings.bodies[k].active) : new Float32Array(0);
      return { body: k, pose, kinetic, elastic, c, dense };
    });
    for (const client of this.clients.values()) {
      if (client.socket.bufferedAmount > 1 << 20) {
        ++client.skipped;
        continue;
      }
      const frame: Frame = {
        sequence: client.sequence++,
        epoch: this.epoch,
        step: world.step,
        time: world.time,
        bodies,
        pulls: world.pulls(),
        contacts: [],
        meeting: null,
        pressures: open.pressure ? [open.pressure(world.settings.gravity)] : [],
        controls: open.control ? [open.control.frame()] : [],
        handle: open.held?.handle() ?? null,
        device: open.held?.deviceFrame(world.step) ?? null,
        counters: { ...counters, skipped: client.skipped },
        histogram,
      };
      client.socket.send(encodeFrame(frame));
    }
  }

  private counters(): CountersFrame {
    const { cycles } = this;
    this.cycles = [];
    this.recent = [...this.recent, ...cycles].slice(-1000);
    const sorted = [...this.recent].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    return {
      p50: at(0.5),
      p99: at(0.99),
      max: at(1),
      mean: cycles.length > 0 ? cycles.reduce((sum, us) => sum + us, 0) / cycles.length : 0,
      peak: Math.max(0, ...cycles),
      overruns: 0,
      status: 0,
      skipped: 0,
      fault: null,
    };
  }
}

function sendJson(response: ServerResponse, value: object): void {
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify(value));
}

function pickKeys<T extends object, K extends keyof T>(from: T, keys: K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}

function pictureSvg(id: string): string {
  const bars = id === "pair" ? [40, 62] : [50];
  const paths = bars.map((y) => `<path d="M20 ${y}C70 ${y} 110 ${y + 6} 140 ${y + 24}" stroke="#c9764f" stroke-width="11" fill="none" stroke-linecap="round"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 100"><rect width="160" height="100" fill="#eef0f3"/><rect x="12" y="26" width="10" height="52" rx="2" fill="#8c96a3"/>${paths.join("")}</svg>`;
}
