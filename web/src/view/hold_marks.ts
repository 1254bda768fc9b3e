// SPDX-License-Identifier: MIT
// The hand that holds a body: a ghost of the body where the hand would have it, the spring between
// both, and arrows of the force and the torque on the hand, with their numbers; that of the torque is
// its axis, with a ring about it.
import * as THREE from "three";
import { quantity } from "../math/units.ts";
import { type HandleFrame, HandFlags } from "../protocol/frames.ts";
import { Arrow, arrowMaterial } from "./pull_arrows.ts";

const turns = 9; // of the spring
const pointsOfTurn = 10;
const nearest = 6; // pixels between hand and body from which the ghost is shown
const longest = 110; // pixels of the arrow of the largest force so far
const longestTorque = 80; // the same of the torque's
const ringRadius = 14; // pixels

export class HoldMarks {
  readonly group = new THREE.Group();
  private readonly ghost: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  private readonly spring: THREE.Line<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private readonly material: THREE.MeshBasicMaterial;
  private readonly arrow: Arrow;
  private readonly torque: Arrow;
  private readonly ring: THREE.Mesh<THREE.TorusGeometry, THREE.MeshBasicMaterial>;
  private largest = 0; // force so far [N]
  private largestTorque = 0; // N m

  // `geometry`: of the held body, which owns it.
  constructor(geometry: THREE.BufferGeometry, colour: string) {
    this.ghost = new THREE.Mesh(
      geometry,
      new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.16, depthWrite: false }),
    );
    const points = new THREE.BufferGeometry();
    points.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * (turns * pointsOfTurn + 1)), 3));
    this.spring = new THREE.Line(points, new THREE.LineBasicMaterial({ color: colour, depthTest: false }));
    this.material = arrowMaterial(colour);
    this.arrow = new Arrow(this.material, colour);
    this.torque = new Arrow(this.material, colour);
    this.ring = new THREE.Mesh(new THREE.TorusGeometry(1, 0.12, 10, 48), this.material);
    this.ring.renderOrder = 9;
    for (const part of [this.ghost, this.spring]) {
      part.frustumCulled = false;
      part.renderOrder = 7;
    }
    this.group.add(this.ghost, this.spring, this.arrow.group, this.torque.group, this.ring);
  }

  // `unitAt`: metres of a pixel at a place.
  set(hold: HandleFrame | null, unitAt: (place: THREE.Vector3) => number, labelHeight: number): void {
    this.group.visible = hold !== null && (hold.flags & HandFlags.spring) !== 0;
    if (!hold || !this.group.visible) return;
    const hand = new THREE.Vector3().fromArray(hold.at);
    const held = new THREE.Vector3().fromArray(hold.held);
    const unit = unitAt(hand);
    const away = hand.distanceTo(held);
    const size = Math.hypot(...hold.force);
    this.largest = Math.max(size, 0.999 * this.largest);
    const turned = 1 - Math.abs(dot4(hold.pose, hold.ghost)) > 1e-4;
    const apart = away > nearest * unit || turned;
    this.ghost.visible = apart;
    this.spring.visible = away > nearest * unit;
    if (apart) {
      this.ghost.position.fromArray(hold.pose);
      this.ghost.quaternion.set(hold.pose[4], hold.pose[5], hold.pose[6], hold.pose[3]);
    }
    if (this.spring.visible) this.coil(held, hand, 7 * unit);
    this.arrow.group.visible = size > 1e-3 * this.largest && size > 0 && away > unit;
    this.turn(hold, hand, turned, unit, labelHeight);
    if (!this.arrow.group.visible) return;
    const along = new THREE.Vector3().fromArray(hold.force).multiplyScalar((longest * unit) / this.largest);
    this.arrow.set(hand, hand.clone().add(along), quantity(size, "N"), unit, labelHeight);
  }

  private turn(hold: HandleFrame, hand: THREE.Vector3, turned: boolean, unit: number, labelHeight: number): void {
    const size = Math.hypot(...hold.torque);
    this.largestTorque = Math.max(size, 0.999 * this.largestTorque);
    const visible = size > 1e-3 * this.largestTorque && size > 0 && turned;
    this.torque.group.visible = this.ring.visible = visible;
    if (!visible) return;
    const along = new THREE.Vector3().fromArray(hold.torque).multiplyScalar((longestTorque * unit) / this.largestTorque);
    this.torque.set(hand, hand.clone().add(along), quantity(size, "N m"), unit, labelHeight);
    this.ring.position.copy(hand).addScaledVector(along, 0.5);
    this.ring.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), along.normalize());
    this.ring.scale.setScalar(ringRadius * unit);
  }

  private coil(from: THREE.Vector3, to: THREE.Vector3, radius: number): void {
    const place = this.spring.geometry.getAttribute("position") as THREE.BufferAttribute;
    const along = to.clone().sub(from);
    const side = new THREE.Vector3(0, 0, 1).cross(along);
    if (side.lengthSq() < 1e-12 * along.lengthSq()) side.set(1, 0, 0).cross(along);
    side.normalize();
    const other = along.clone().cross(side).normalize();
    for (let k = 0; k < place.count; ++k) {
      const t = k / (place.count - 1);
      const angle = 2 * Math.PI * turns * t;
      const wide = radius * Math.sin(Math.PI * t) ** 0.5;
      const at = from.clone().addScaledVector(along, t);
      at.addScaledVector(side, wide * Math.cos(angle)).addScaledVector(other, wide * Math.sin(angle));
      place.setXYZ(k, at.x, at.y, at.z);
    }
    place.needsUpdate = true;
  }

  dispose(): void {
    this.ghost.material.dispose();
    this.spring.geometry.dispose();
    this.spring.material.dispose();
    this.arrow.dispose();
    this.torque.dispose();
    this.ring.geometry.dispose();
    this.material.dispose();
  }
}

// Of the rotations of two poses.
function dot4(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];
}
