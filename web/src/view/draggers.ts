// SPDX-License-Identifier: MIT
// Control elements on the stage: a ball at the centre of each that can be driven, a gizmo on the one
// that was chosen, and an arrow of the force that holds it, with force and torque in words. A click
// on the chosen ball goes on from moving to turning to scaling.
//
// The gizmo acts in the world about the centre: with A = 1 + M of the element where the drag began,
// turned into the world by the rotation B of the body's start,
//
//   T' = T + B^T d      A' = B^T (Q S) B A
//
// for the gizmo's shift d, rotation Q and scale S.
import * as THREE from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import { quantity } from "../math/units.ts";
import type { ControlFrame } from "../protocol/frames.ts";
import { Arrow, arrowMaterial } from "./pull_arrows.ts";
import type { Stage } from "./stage.ts";

const modes = ["translate", "rotate", "scale"] as const;
const near = 14; // pixels from a ball that still choose it
const longest = 90; // pixels of the arrow of the largest force so far

export type SendControl = (body: number, element: number, motion: number[]) => void;

interface Chosen {
  body: number;
  element: number;
}

export class Draggers {
  readonly group = new THREE.Group();
  private readonly gizmo: TransformControls;
  private readonly proxy = new THREE.Object3D();
  private readonly balls: THREE.Mesh[] = [];
  private readonly ball = new THREE.SphereGeometry(1, 24, 16);
  private readonly plain: THREE.MeshBasicMaterial;
  private readonly lit: THREE.MeshBasicMaterial;
  private readonly arrow: Arrow;
  private controls: readonly ControlFrame[] = [];
  private chosen: Chosen | null = null;
  private mode = 0;
  private begun: number[] | null = null; // motion of the chosen element where the drag began
  private beganAt = new THREE.Vector3();
  private moved = false; // and not yet told
  private largest = 0;

  // `rotations`: of the bodies where they start, w x y z.
  constructor(
    private readonly stage: Stage,
    private readonly rotations: readonly (readonly number[])[],
    private readonly send: SendControl,
    colour: string,
  ) {
    this.plain = arrowMaterial("#ffffff");
    this.lit = arrowMaterial(colour);
    this.arrow = new Arrow(this.lit, colour);
    this.gizmo = new TransformControls(stage.camera, stage.canvas);
    this.gizmo.setSize(0.7);
    this.gizmo.addEventListener("change", () => stage.invalidate());
    this.gizmo.addEventListener("dragging-changed", () => this.dragging());
    this.gizmo.addEventListener("objectChange", () => (this.moved = true));
    this.arrow.group.visible = false;
    this.group.add(this.proxy, this.arrow.group, this.gizmo.getHelper());
    this.gizmo.getHelper().visible = false;
  }

  // Whether a press there is for a ball or for the gizmo, and not for what is behind.
  begin(clientX: number, clientY: number): "chosen" | "gizmo" | null {
    if (this.chosen && this.overGizmo(clientX, clientY)) return "gizmo";
    const found = this.at(clientX, clientY);
    if (!found) return null;
    if (this.is(found)) this.mode = (this.mode + 1) % modes.length;
    this.choose(found);
    return "chosen";
  }

  reaches(clientX: number, clientY: number): boolean {
    return this.at(clientX, clientY) !== null;
  }

  private overGizmo(clientX: number, clientY: number): boolean {
    const box = this.stage.canvas.getBoundingClientRect();
    const pointer = {
      x: (2 * (clientX - box.left)) / box.width - 1,
      y: 1 - (2 * (clientY - box.top)) / box.height,
      button: 0,
    };
    this.gizmo.pointerHover(pointer as unknown as PointerEvent);
    return this.gizmo.axis !== null;
  }

  private at(clientX: number, clientY: number): ControlFrame | null {
    let best: ControlFrame | null = null;
    let least = near;
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
    this.gizmo.setMode(modes[this.mode]);
    this.follow();
    this.gizmo.attach(this.proxy);
    this.gizmo.getHelper().visible = true;
    this.stage.invalidate();
  }

  private find(): ControlFrame | undefined {
    return this.controls.find((control) => this.is(control));
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

  private dragging(): void {
    const { dragging } = this.gizmo;
    this.stage.controls.enabled = !dragging;
    const control = this.find();
    this.tell();
    this.begun = dragging && control ? [...control.motion] : null;
    if (control) this.beganAt.fromArray(control.centre);
    this.moved = false;
  }

  private tell(): void {
    const { chosen, begun } = this;
    if (!chosen || !begun || !this.moved) return;
    this.moved = false;
    const { position, quaternion, scale } = this.proxy;
    this.send(chosen.body, chosen.element, draggedMotion(begun, this.rotations[chosen.body] ?? [1, 0, 0, 0], {
      shift: position.clone().sub(this.beganAt),
      rotation: quaternion,
      scale,
    }));
  }

  // Before every picture. `unitAt`: metres of a pixel at a place.
  set(controls: readonly ControlFrame[], unitAt: (place: THREE.Vector3) => number, labelHeight: number): void {
    this.controls = controls;
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
    if (!control || !this.arrow.group.visible) return;
    const from = new THREE.Vector3().fromArray(control.centre);
    const unit = unitAt(from);
    const along = new THREE.Vector3().fromArray(control.force).multiplyScalar((longest * unit) / this.largest);
    const words = `${quantity(force, "N")}, ${quantity(Math.hypot(...control.torque), "N m")}`;
    this.arrow.set(from, from.clone().add(along), words, unit, labelHeight);
  }

  dispose(): void {
    if (this.gizmo.dragging) this.stage.controls.enabled = true;
    this.gizmo.detach();
    this.gizmo.dispose();
    this.ball.dispose();
    this.plain.dispose();
    this.lit.dispose();
    this.arrow.dispose();
  }
}

export interface Drag {
  shift: THREE.Vector3;
  rotation: THREE.Quaternion;
  scale: THREE.Vector3;
}

// The motion after a drag of an element with this motion where it began.
export function draggedMotion(begun: readonly number[], [w, x, y, z]: readonly number[], drag: Drag): number[] {
  const begin = new THREE.Matrix4().makeRotationFromQuaternion(new THREE.Quaternion(x, y, z, w));
  const back = begin.clone().transpose();
  const [a, b, c, d, e, f, g, h, i] = begun.slice(3);
  const A = new THREE.Matrix4().set(1 + a, b, c, 0, d, 1 + e, f, 0, g, h, 1 + i, 0, 0, 0, 0, 1);
  const turned = new THREE.Matrix4().compose(new THREE.Vector3(), drag.rotation, drag.scale);
  const after = back.clone().multiply(turned).multiply(begin).multiply(A).elements; // by columns
  const shift = drag.shift.clone().applyMatrix4(back).toArray();
  const motion = begun.slice(0, 3).map((t, k) => t + shift[k]);
  for (let row = 0; row < 3; ++row) {
    for (let column = 0; column < 3; ++column) {
      motion.push(after[4 * column + row] - (row === column ? 1 : 0));
    }
  }
  return motion;
}
