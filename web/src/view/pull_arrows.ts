// SPDX-License-Identifier: MIT
// The hands on the bodies: an arrow from the held point to where the hand is, with the force.
import * as THREE from "three";
import type { PullFrame } from "../protocol/frames.ts";
import { handWords } from "./hand_words.ts";
import { Label } from "./sprites.ts";

class Arrow {
  readonly group = new THREE.Group();
  private readonly shaft: THREE.Mesh;
  private readonly head: THREE.Mesh;
  private readonly grip: THREE.Mesh;
  private readonly label: Label;

  constructor(material: THREE.Material, colour: string) {
    this.shaft = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 16), material);
    this.head = new THREE.Mesh(new THREE.ConeGeometry(1, 1, 24), material);
    this.grip = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 14), material);
    this.label = new Label(colour);
    this.group.add(this.shaft, this.head, this.grip, this.label.sprite);
    for (const part of [this.shaft, this.head, this.grip]) part.renderOrder = 9;
  }

  // `unit`: metres of a pixel at the arrow.
  set(pull: PullFrame, unit: number, labelHeight: number): void {
    const from = new THREE.Vector3(...pull.at);
    const to = new THREE.Vector3(...pull.target);
    const along = to.clone().sub(from);
    const length = along.length();
    const head = Math.min(16 * unit, 0.6 * length);
    this.shaft.visible = this.head.visible = length > unit;
    if (length > unit) {
      along.normalize();
      const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), along);
      this.shaft.quaternion.copy(turn);
      this.head.quaternion.copy(turn);
      this.shaft.scale.set(1.8 * unit, length - head, 1.8 * unit);
      this.shaft.position.copy(from).addScaledVector(along, (length - head) / 2);
      this.head.scale.set(6 * unit, head, 6 * unit);
      this.head.position.copy(to).addScaledVector(along, -head / 2);
    }
    this.grip.position.copy(from);
    this.grip.scale.setScalar(5 * unit);
    this.label.sprite.position.copy(to);
    this.label.setHeight(labelHeight);
    this.label.set(handWords(pull));
  }

  dispose(): void {
    for (const part of [this.shaft, this.head, this.grip]) part.geometry.dispose();
    this.label.dispose();
  }
}

export class PullArrows {
  readonly group = new THREE.Group();
  private readonly arrows = new Map<number, Arrow>();
  private readonly material: THREE.MeshBasicMaterial;

  constructor(private readonly colour: string) {
    this.material = new THREE.MeshBasicMaterial({
      color: colour,
      depthTest: false,
      transparent: true,
      opacity: 0.92,
      toneMapped: false,
    });
  }

  // `unitAt`: metres of a pixel at a place.
  set(
    pulls: readonly PullFrame[],
    unitAt: (place: THREE.Vector3) => number,
    labelHeight: number,
  ): void {
    const slots = new Set(pulls.map((pull) => pull.slot));
    for (const [slot, arrow] of this.arrows) {
      if (slots.has(slot)) continue;
      this.group.remove(arrow.group);
      arrow.dispose();
      this.arrows.delete(slot);
    }
    for (const pull of pulls) {
      let arrow = this.arrows.get(pull.slot);
      if (!arrow) {
        arrow = new Arrow(this.material, this.colour);
        this.arrows.set(pull.slot, arrow);
        this.group.add(arrow.group);
      }
      arrow.set(pull, unitAt(new THREE.Vector3(...pull.at)), labelHeight);
    }
  }

  dispose(): void {
    this.set([], () => 1, 1);
    this.material.dispose();
  }
}
