// SPDX-License-Identifier: MIT
// The page without its panels: the session with the server, the stage with the bodies, the tools on
// it and what has been seen.
import type * as THREE from "three";
import { PointerRouter, type PointerTool } from "./interact/pointer.ts";
import { Handling } from "./interact/handling.ts";
import { PullTool, reach } from "./interact/pull.ts";
import { Sketch } from "./interact/sketch.ts";
import { Player } from "./record/player.ts";
import type { Frame } from "./protocol/frames.ts";
import { History } from "./state/history.ts";
import { type LoadedScene, Session } from "./state/session.ts";
import { Signal } from "./state/signal.ts";
import type { DragMode } from "./view/draggers.ts";
import { Look } from "./view/look.ts";
import { Stage } from "./view/stage.ts";
import { WorldView } from "./view/world_view.ts";

export interface Probe {
  body: number;
  point: number;
}

export class Viewer {
  readonly session = new Session();
  readonly stage: Stage;
  readonly world = new Signal<WorldView | null>(null);
  readonly look: Look;
  readonly player: Player;
  readonly pull: PullTool;
  readonly handling: Handling;
  readonly pointers: PointerRouter;
  readonly dragMode = new Signal<DragMode>("translate"); // of the gizmo on a control element
  readonly sketch = new Signal<Sketch | null>(null);
  readonly probe = new Signal<Probe | null>(null);
  readonly history = new History();
  // Shown in place of the scene: a mesh that is being prepared.
  readonly preview = new Signal<WorldView | null>(null);
  // After every frame that is shown.
  onFrame: (frame: Frame) => void = () => {};
  // Before every picture.
  onDraw: (now: number) => void = () => {};

  constructor(host: HTMLElement) {
    this.stage = new Stage(host);
    this.look = new Look(this.session.settings);
    this.player = new Player((frame, live) => this.show(frame, live));
    this.pull = new PullTool(this.session, () => (this.preview.value ? null : this.world.value));
    this.handling = new Handling(this.session, this.pull);
    this.pointers = new PointerRouter(this.stage);
    this.pointers.tool = this.pullTool;
    this.pull.onGrab = (body, point) => this.setProbe({ body, point });
    this.look.onFailure = (problem) => this.session.fail(problem);
    this.session.loaded.follow((loaded) => this.build(loaded));
    this.session.onFrame = (frame, bytes) => this.player.feed(frame, bytes);
    this.session.connection.state.follow((state) => {
      if (state.kind !== "open") this.pull.endAll();
    });
    this.preview.follow(() => {
      this.pull.endAll();
      const { value } = this.preview;
      this.stage.content.visible = true;
      for (const body of this.world.value?.bodies ?? []) body.group.visible = value === null;
      this.stage.overlay.visible = value === null;
      this.stage.invalidate();
    });
    this.session.settings.follow((settings) => {
      if (settings) this.world.value?.wind.set(...settings.wind);
      this.stage.invalidate();
    });
    this.stage.onBeforeRender = (now) => this.beforeRender(now);
  }

  setProbe(probe: Probe | null): void {
    this.probe.value = probe;
    this.history.probe.clear();
  }

  // The camera as the scene wants it.
  resetCamera(): void {
    const world = this.preview.value ?? this.world.value;
    if (world) this.stage.frame(world.bounds, world.camera);
  }

  // Shown in place of the scene until it comes, or null; the one before goes.
  setPreview(preview: WorldView | null): void {
    this.preview.value?.dispose();
    this.preview.value = preview;
  }

  startSketch(body: number): void {
    const { edits } = this.session.scene.value?.bodies[body] ?? {};
    if (edits?.linear && !this.session.send({ type: "linear", body, on: true })) return;
    this.look.shape.value = null;
    this.sketch.value = new Sketch(body);
  }

  endSketch(): void {
    const { value } = this.sketch;
    if (!value) return;
    this.pull.endAll();
    this.sketch.value = null;
    const { edits } = this.session.scene.value?.bodies[value.body] ?? {};
    if (edits?.linear) this.session.send({ type: "linear", body: value.body, on: false });
  }

  readonly pullTool: PointerTool = {
    begin: (key, x, y, { pointerType }) => {
      if (this.player.state.value.kind === "replay" || this.look.shape.value) return false;
      const touch = pointerType === "touch";
      const dragger = this.preview.value ? null : this.world.value?.draggers?.begin(key, x, y, touch);
      if (dragger) return dragger === "taken"; // the gizmo sees to itself
      if (touch && this.pull.assist(key, x, y)) return true;
      return this.pull.begin(key, x, y, touch ? reach.touch : reach.mouse);
    },
    move: (key, x, y) => {
      this.world.value?.draggers?.move(key, x, y);
      this.pull.move(key, x, y);
    },
    end: (key) => {
      this.world.value?.draggers?.end(key);
      this.pull.end(key);
    },
    wheel: (pixels) => {
      if (!this.pull.pulling) return false;
      this.pull.push(pixels);
      return true;
    },
    hover: (x, y) =>
      this.world.value?.draggers?.reaches(x, y) ? "pointer" : this.pull.reaches(x, y, reach.mouse) ? "grab" : null,
  };

  private build(loaded: LoadedScene | null): void {
    const before = this.world.value;
    const sameAsset = before?.bodies[0]?.asset === loaded?.assets[0];
    const again = before !== null && sameAsset && before.epoch === loaded?.scene.epoch; // after a lost connection
    const sameScene = before !== null && loaded !== null && before.title === loaded.scene.title;
    this.sketch.value = null;
    this.pull.endAll();
    if (before) before.dispose();
    this.history.clear();
    if (!sameAsset) {
      this.player.forget();
      this.setProbe(null);
    }
    const world =
      loaded &&
      new WorldView(this.stage, loaded, {
        mode: this.dragMode,
        send: (body, element, motion) => this.session.send({ type: "control", body, element, motion }),
      });
    const prepared = this.preview.value !== null && !again; // and looked at from another place
    if (!again) this.setPreview(null);
    this.look.setWorld(world);
    this.world.value = world;
    if (world) world.wind.set(...(this.session.settings.value?.wind ?? [0, 0, 0]));
    const stays = sameAsset || (sameScene && world?.bounds.equals(before.bounds));
    if (world && (!stays || prepared)) this.stage.frame(world.bounds, world.camera);
    if (again) this.preview.notify(); // the bodies are new, and hidden behind it
    this.stage.invalidate();
  }

  private show(frame: Frame, live: boolean): void {
    const world = this.world.value;
    if (!world) return;
    world.apply(frame);
    if (live) {
      this.history.add(frame, this.probeDisplacement(world));
      if (this.sketch.value?.add(frame.pulls)) this.sketch.notify();
    }
    this.onFrame(frame);
  }

  private probeDisplacement(world: WorldView): number {
    const { value } = this.probe;
    const view = value && world.bodies[value.body];
    if (!view) return NaN;
    return view.displacement(value.point);
  }

  private beforeRender(now: number): void {
    if (this.player.tick(now)) this.stage.invalidate();
    this.look.update(now);
    this.world.value?.update();
    this.onDraw(now);
  }

  // A place on the screen, for pictures and tests.
  projectPoint(body: number, point: number): { x: number; y: number } {
    const view = this.world.value?.bodies[body];
    if (!view) throw new Error(`there is no body ${body}`);
    return this.stage.project(view.worldPoint(point) as THREE.Vector3);
  }
}
