// SPDX-License-Identifier: MIT
// What the page knows of the server: which scene is open and in which state, who steers, what is
// being baked. The user interface follows its signals and calls its methods.
import { BodyAsset } from "../asset/body_asset.ts";
import { TensorFile, httpRanges } from "../asset/tensor_file.ts";
import { Api, ApiError } from "../net/api.ts";
import { Connection } from "../net/connection.ts";
import type { Frame } from "../protocol/frames.ts";
import type {
  BakeProgress,
  Command,
  Hello,
  Scene,
  ServerMessage,
  Settings,
  Steering,
} from "../protocol/messages.ts";
import { Signal } from "./signal.ts";

export interface Notice {
  kind: "error" | "info";
  message: string;
  advice: string;
}

export interface LoadedScene {
  scene: Scene;
  assets: BodyAsset[]; // of the bodies, in their order; bodies of one shape share theirs
}

export class Session {
  readonly api = new Api();
  readonly hello = new Signal<Hello | null>(null);
  readonly scene = new Signal<Scene | null>(null);
  readonly loaded = new Signal<LoadedScene | null>(null);
  readonly loading = new Signal<{ bytes: number } | null>(null);
  readonly settings = new Signal<Settings | null>(null);
  readonly steering = new Signal<Steering | null>(null);
  readonly bake = new Signal<BakeProgress | null>(null);
  // Title of the scene that was asked for and has not come yet.
  readonly opening = new Signal<string | null>(null);
  // Why the last scene or bake failed; null: it did not.
  readonly failure = new Signal<Notice | null>(null);
  readonly connection: Connection;
  onNotice: (notice: Notice) => void = () => {};
  // Frames of the scene that is loaded.
  onFrame: (frame: Frame, bytes: ArrayBuffer) => void = () => {};
  // The server has no scene open.
  onClosed: () => void = () => {};

  constructor() {
    this.connection = new Connection(this.api.socketUrl, {
      message: (message) => this.hear(message),
      frame: (frame, bytes) => {
        if (frame.epoch === this.loaded.value?.scene.epoch) this.onFrame(frame, bytes);
      },
      unreadable: (problem) => this.unreadable(problem),
    });
    this.connection.state.follow((state) => {
      if (state.kind === "lost" && state.attempt === 1 && !this.hello.value) void this.explain();
    });
  }

  get steers(): boolean {
    return this.steering.value?.you ?? false;
  }

  // False if it could not be sent; the user was told why.
  send(command: Command): boolean {
    if (command.type !== "steer" && command.type !== "hello" && !this.steers) {
      this.onNotice({
        kind: "info",
        message: "Somebody else is steering.",
        advice: "Press “Take over” at the top to steer yourself.",
      });
      return false;
    }
    return this.connection.send(command);
  }

  fail(problem: unknown): void {
    if (problem instanceof ApiError) {
      this.onNotice({ kind: "error", ...problem.refusal });
    } else {
      const message = problem instanceof Error ? problem.message : String(problem);
      this.onNotice({ kind: "error", message, advice: "Reload the page and try again." });
    }
  }

  open(id: string, title: string): boolean {
    if (!this.send({ type: "open", scene: id })) return false;
    this.opening.value = title;
    this.failure.value = null;
    return true;
  }

  // A basis from strokes; what comes of it is told if it is less than was asked for.
  sketch(sketch: Omit<Extract<Command, { type: "sketch" }>, "type">): boolean {
    if (!this.send({ type: "sketch", ...sketch })) return false;
    this.sketched = { body: sketch.body, r: sketch.r };
    return true;
  }
  private sketched: { body: number; r: number } | null = null;

  private tellShapes(scene: Scene): void {
    const { sketched } = this;
    this.sketched = null;
    const r = sketched && scene.bodies[sketched.body]?.r;
    if (!sketched || r === undefined || r === null || r >= sketched.r) return;
    this.onNotice({
      kind: "info",
      message: `${r} ${r === 1 ? "shape" : "shapes"} came out of the ${sketched.r} that were asked for.`,
      advice: "The strokes hold no more that differ: pull in more ways, and farther.",
    });
  }

  private hear(message: ServerMessage): void {
    switch (message.type) {
      case "hello":
        this.hello.value = message;
        break;
      case "scene":
        this.opening.value = null;
        this.failure.value = null;
        this.tellShapes(message);
        void this.load(message);
        break;
      case "closed":
        this.opening.value = null;
        this.scene.value = null;
        this.loaded.value = null;
        this.onClosed();
        break;
      case "settings":
        if (message.epoch === this.scene.value?.epoch) this.settings.value = message;
        break;
      case "steering":
        this.steering.value = message;
        break;
      case "bake":
        this.bake.value = message;
        if (message.state === "cancelled" || message.state === "failed") this.forgetWish();
        break;
      case "error":
        this.onNotice({ kind: "error", ...message });
        if (message.code === "bake") this.failure.value = { kind: "error", ...message };
        if (message.code === "bake" || message.about === "open") this.forgetWish();
        break;
    }
  }

  private forgetWish(): void {
    this.opening.value = null;
    this.sketched = null;
  }

  // After a lost connection the scene is the same: its asset is not read again.
  private async load(scene: Scene): Promise<void> {
    const before = this.loaded.value;
    const same = before?.scene.asset === scene.asset;
    this.scene.value = scene;
    this.settings.value = null;
    try {
      const assets = same ? before.assets : await this.loadAssets(scene);
      if (this.scene.value === scene) this.loaded.value = { scene, assets };
    } catch (problem) {
      if (this.scene.value === scene) this.fail(problem);
    } finally {
      this.loading.value = null;
    }
  }

  private async loadAssets(scene: Scene): Promise<BodyAsset[]> {
    let bytes = 0;
    this.loading.value = { bytes };
    const read = httpRanges(this.api.url(scene.asset), (count) => {
      bytes += count;
      if (this.loading.value) this.loading.value = { bytes };
    });
    const file = await TensorFile.open(read);
    const shapes = new Map<string, Promise<BodyAsset>>();
    return Promise.all(
      scene.bodies.map(({ shape }) => {
        let asset = shapes.get(shape);
        if (!asset) shapes.set(shape, (asset = BodyAsset.load(file, shape)));
        return asset;
      }),
    );
  }

  private unreadable(problem: string): void {
    this.onNotice({
      kind: "error",
      message: `The server sent something that this page cannot read: ${problem}.`,
      advice: "Page and server may be of different versions: reload the page.",
    });
  }

  // A refused handshake says nothing to a page; the API does.
  private async explain(): Promise<void> {
    try {
      await this.api.gallery();
    } catch (problem) {
      this.fail(problem);
    }
  }
}
