// SPDX-License-Identifier: MIT
// Control elements on the stage: a ball at the centre of each that can be driven, a gizmo on the one
// that was chosen, and an arrow of the force that holds it, with force and torque in words. A click
// on the chosen ball goes on from moving to turning, scaling and shearing.
import * as THREE from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import { type Drag, draggedMotion } from "../math/dragged_motion.ts";
import { quantity } from "../math/units.ts";
import type { ControlFrame } from "../protocol/frames.ts";
import type { Signal } from "../state/signal.ts";
import { Arrow, arrowMaterial } from "./pull_arrows.ts";
import { type Shear, ShearGizmo } from "./shear_gizmo.ts";
import type { Stage } from "./stage.ts";

export const dragModes = ["translate", "rotate", "scale", "shear"] as const;
export type DragMode = (typeof dragModes)[number];

export const nextMode = (mode: DragMode): DragMode => dragModes[(dragModes.indexOf(mode) + 1) % dragModes.length];

const near = { mouse: 14, touch: 24 }; // pixels from a ball or a handle that still mean it
const longest = 90; // pixels of the arrow of the largest force so far

export interface Dragging {
  mode: Signal<DragMode>;
  send(body: number, element: number, motion: number[]): void;
}

interface Chosen {
  body: number;
  element: number;
}

export class Draggers {
  readonly group = new THREE.Group();
  private readonly gizmo: TransformControls;
  private readonly shear = new ShearGizmo();
  private readonly proxy = new THREE.Object3D();
  private readonly balls: THREE.Mesh[] = [];
  private readonly ball = new THREE.SphereGeometry(1, 24, 16);
  private readonly plain: THREE.MeshBasicMaterial;
  private readonly lit: THREE.MeshBasicMaterial;
  private readonly arrow: Arrow;
  private controls: readonly ControlFrame[] = [];
  private chosen: Chosen | null = null;
  private begun: number[] | null = null; // motion of the chosen element where the drag began
  private beganAt = new THREE.Vector3();
  private sheared: Shear | null = null; // so far in this drag
  private shearing: number | null = null; // the pointer that does
  private pressedBall = false; // through the gizmo
  private dragged = false; // since the press
  private moved = false; // and not yet told
  private largest = 0;
  private readonly stopFollowing: () => void;

  // `rotations`: of the bodies where they start, w x y z.
  constructor(
    private readonly stage: Stage,
    private readonly rotations: readonly (readonly number[])[],
    private readonly dragging: Dragging,
    colour: string,
  ) {
    this.plain = arrowMaterial("#ffffff");
    this.lit = arrowMaterial(colour);
    this.arrow = new Arrow(this.lit, colour);
    this.gizmo = new TransformControls(stage.camera, stage.canvas);
    this.gizmo.setSize(0.7);
    this.gizmo.addEventListener("change", () => stage.invalidate());
    this.gizmo.addEventListener("dragging-changed", () => this.gizmoDragging());
    this.gizmo.addEventListener("objectChange", () => (this.moved = this.dragged = true));
    this.arrow.group.visible = false;
    this.group.add(this.proxy, this.arrow.group, this.gizmo.getHelper(), this.shear.group);
    this.gizmo.getHelper().visible = false;
    this.stopFollowing = dragging.mode.follow(() => this.showGizmo());
  }

  // Whether a press there is for a ball or a handle of ours, for the gizmo, which sees to itself, or
  // for what is behind.
  begin(key: number, clientX: number, clientY: number, touch: boolean): "taken" | "gizmo" | null {
    const reach = touch ? near.touch : near.mouse;
    const { mode } = this.dragging;
    this.follow(); // it may have moved since the last picture
    const control = this.find();
    const found = this.at(clientX, clientY, reach);
    if (control && mode.value !== "shear" && this.overGizmo(clientX, clientY)) {
      this.pressedBall = found === control;
      return "gizmo";
    }
    if (control && mode.value === "shear") {
      const centre = new THREE.Vector3().fromArray(control.centre);
      this.shear.set(centre, this.stage.unitAt(centre));
      const handle = this.shear.find(clientX, clientY, reach, (place) => this.stage.project(place));
      if (handle !== null) {
        this.start(control);
        this.shear.begin(handle, this.stage.ray(clientX, clientY));
        this.shearing = key;
        return "taken";
      }
    }
    if (!found) return null;
    if (this.is(found)) mode.value = nextMode(mode.value);
    else this.choose(found);
    return "taken";
  }

  move(key: number, clientX: number, clientY: number): void {
    if (key !== this.shearing) return;
    const shear = this.shear.move(this.stage.ray(clientX, clientY));
    if (!shear) return;
    this.sheared = shear;
    this.moved = true;
    this.stage.invalidate();
  }

  end(key: number): void {
    if (key !== this.shearing) return;
    this.tell();
    this.shear.end();
    this.shearing = this.sheared = this.begun = null;
    this.stage.invalidate();
  }

  reaches(clientX: number, clientY: number): boolean {
    return this.at(clientX, clientY, near.mouse) !== null;
  }

  // The chosen element as it is now.
  find(): ControlFrame | undefined {
    return this.controls.find((control) => this.is(control));
  }

  private overGizmo(clientX: number, clientY: number): boolean {
    const box = this.stage.canvas.getBoundingClientRect();
    const pointer = {
      x: (2 * (clientX - box.left)) / box.width - 1,
      y: 1 - (2 * (clientY - box.top)) / box.height,
      button: 0,
    };
    this.gizmo.getHelper().updateMatrixWorld(true);
    this.gizmo.pointerHover(pointer as unknown as PointerEvent);
    return this.gizmo.axis !== null;
  }

  private at(clientX: number, clientY: number, reach: number): ControlFrame | null {
    let best: ControlFrame | null = null;
    let least = reach;
    for (const control of this.controls) {
      if (!control.driven) continue;
      const { x, y } = this.stage.project(new THREE.Vector3().fromArray(control.centre));
      const away = Math.hypot(x - clientX, y - clientY);
      if (away >= least) continue;
      least = away;
      best = control;
    }
    return best;
  }

  private is({ body, element }: Chosen): boolean {
    return this.chosen?.body === body && this.chosen.element === element;
  }

  private choose({ body, element }: Chosen): void {
    this.chosen = { body, element };
    this.showGizmo();
  }

  private showGizmo(): void {
    const mode = this.dragging.mode.value;
    const shears = mode === "shear";
    this.shear.group.visible = this.chosen !== null && shears;
    this.gizmo.getHelper().visible = this.chosen !== null && !shears;
    this.gizmo.enabled = !shears;
    if (this.chosen && mode !== "shear") {
      this.gizmo.setMode(mode);
      this.follow();
      this.gizmo.attach(this.proxy);
    } else {
      this.gizmo.detach();
    }
    this.stage.invalidate();
  }

  // The gizmo is where the element is, and shows no turn and no scale of its own.
  private follow(): void {
    const control = this.find();
    if (!control || this.gizmo.dragging) return;
    this.proxy.position.fromArray(control.centre);
    this.proxy.quaternion.identity();
    this.proxy.scale.set(1, 1, 1);
    this.proxy.updateMatrixWorld();
  }

  private start(control: ControlFrame): void {
    this.begun = [...control.motion];
    this.beganAt.copy(this.proxy.position);
    this.moved = this.dragged = false;
  }

  private gizmoDragging(): void {
    const { dragging } = this.gizmo;
    this.stage.controls.enabled = !dragging;
    const control = this.find();
    if (dragging) {
      if (control) this.start(control);
      return;
    }
    this.tell();
    this.begun = null;
    // A press that moved nothing was a click on the ball.
    const { mode } = this.dragging;
    if (!this.dragged && this.pressedBall) mode.value = nextMode(mode.value);
  }

  private tell(): void {
    const { chosen, begun } = this;
    if (!chosen || !begun || !this.moved) return;
    this.moved = false;
    const rotation = this.rotations[chosen.body] ?? [1, 0, 0, 0];
    this.dragging.send(chosen.body, chosen.element, draggedMotion(begun, rotation, this.drag()));
  }

  private drag(): Drag {
    const { sheared } = this;
    const linear = new THREE.Matrix4();
    if (sheared) {
      linear.elements[4 * sheared.across + sheared.along] = sheared.amount; // by columns
      return { shift: new THREE.Vector3(), linear };
    }
    const { position, quaternion, scale } = this.proxy;
    linear.compose(new THREE.Vector3(), quaternion, scale);
    return { shift: position.clone().sub(this.beganAt), linear };
  }

  // As a frame has them.
  hear(controls: readonly ControlFrame[]): void {
    this.controls = controls;
  }

  // Before every picture. `unitAt`: metres of a pixel at a place.
  update(unitAt: (place: THREE.Vector3) => number, labelHeight: number): void {
    const { controls } = this;
    this.tell();
    this.follow();
    while (this.balls.length < controls.length) {
      const ball = new THREE.Mesh(this.ball, this.plain);
      ball.renderOrder = 8;
      this.balls.push(ball);
      this.group.add(ball);
    }
    this.balls.forEach((ball, i) => {
      const control = controls[i];
      ball.visible = control?.driven ?? false;
      if (!control || !ball.visible) return;
      ball.position.fromArray(control.centre);
      ball.scale.setScalar(6 * unitAt(ball.position));
      ball.material = this.is(control) ? this.lit : this.plain;
    });
    const control = this.find();
    const force = control ? Math.hypot(...control.force) : 0;
    this.largest = Math.max(force, 0.999 * this.largest);
    this.arrow.group.visible = control !== undefined && force > 1e-3 * this.largest;
    if (!control) return;
    const from = new THREE.Vector3().fromArray(control.centre);
    const unit = unitAt(from);
    this.shear.set(from, unit);
    if (!this.arrow.group.visible) return;
    const along = new THREE.Vector3().fromArray(control.force).multiplyScalar((longest * unit) / this.largest);
    const words = `${quantity(force, "N")}, ${quantity(Math.hypot(...control.torque), "N m")}`;
    this.arrow.set(from, from.clone().add(along), words, unit, labelHeight);
  }

  dispose(): void {
    this.stopFollowing();
    if (this.gizmo.dragging) this.stage.controls.enabled = true;
    this.gizmo.detach();
    this.gizmo.dispose();
    this.shear.dispose();
    this.ball.dispose();
    this.plain.dispose();
    this.lit.dispose();
    this.arrow.dispose();
  }
}
