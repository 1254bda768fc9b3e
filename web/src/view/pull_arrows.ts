// SPDX-License-Identifier: MIT
// The hands on the bodies: an arrow from the held point to where the hand is, with the force. And
// the wind, above the bodies.
import * as THREE from "three";
import { quantity } from "../math/units.ts";
import { Label } from "./sprites.ts";

export class Arrow {
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
  set(from: THREE.Vector3, to: THREE.Vector3, text: string, unit: number, labelHeight: number): void {
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
    this.label.set(text);
  }

  dispose(): void {
    for (const part of [this.shaft, this.head, this.grip]) part.geometry.dispose();
    this.label.dispose();
  }
}

export function arrowMaterial(colour: string): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({
    color: colour,
    depthTest: false,
    transparent: true,
    opacity: 0.92,
    toneMapped: false,
  });
}

// A hand as it is drawn.
export interface DrawnPull {
  slot: number;
  at: THREE.Vector3;
  target: THREE.Vector3;
  words: string; // what it does
}

export class PullArrows {
  readonly group = new THREE.Group();
  private readonly arrows = new Map<number, Arrow>();
  private readonly material: THREE.MeshBasicMaterial;

  constructor(private readonly colour: string) {
    this.material = arrowMaterial(colour);
  }

  // `unitAt`: metres of a pixel at a place.
  set(
    pulls: readonly DrawnPull[],
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
      arrow.set(pull.at, pull.target, pull.words, unitAt(pull.at), labelHeight);
    }
  }

  dispose(): void {
    this.set([], () => 1, 1);
    this.material.dispose();
  }
}

const windColour = "#3f7fae";

// Where the wind blows to, and how fast; nothing where there is none.
export class WindArrow {
  readonly group = new THREE.Group();
  private readonly material = arrowMaterial(windColour);
  private readonly arrow = new Arrow(this.material, windColour);

  constructor() {
    this.group.add(this.arrow.group);
  }

  // `place`: of its middle.
  set(wind: THREE.Vector3, place: THREE.Vector3, unit: number, labelHeight: number): void {
    const speed = wind.length();
    this.group.visible = speed > 0;
    if (speed === 0) return;
    const half = wind.clone().multiplyScalar((35 * unit) / speed);
    const text = `wind ${quantity(speed, "m/s", 2)}`;
    this.arrow.set(place.clone().sub(half), place.clone().add(half), text, unit, labelHeight);
  }

  dispose(): void {
    this.arrow.dispose();
    this.material.dispose();
  }
}
