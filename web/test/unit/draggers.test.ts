// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import * as THREE from "three";
import { draggedMotion } from "../../src/view/draggers.ts";

const rest = Array.from({ length: 12 }, () => 0);
const still = { shift: new THREE.Vector3(), rotation: new THREE.Quaternion(), scale: new THREE.Vector3(1, 1, 1) };
const close = (a: number[], b: number[]) =>
  a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) < 1e-12, `${i}: ${x} and ${b[i]}`));

test("a drag that does nothing leaves the motion as it was", () => {
  const motion = [0.1, 0.2, 0.3, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09];
  close(draggedMotion(motion, [0.6, 0, 0.8, 0], still), motion);
});

test("a shift is told in the frame in which the body started", () => {
  const quarter = Math.SQRT1_2; // a quarter turn about z: x of the body is y of the world
  const motion = draggedMotion(rest, [quarter, 0, 0, quarter], { ...still, shift: new THREE.Vector3(0, 2, 0) });
  close(motion, [2, 0, 0, ...rest.slice(3)]);
});

test("turns and scales go on from what is there", () => {
  const first = draggedMotion(rest, [1, 0, 0, 0], { ...still, scale: new THREE.Vector3(2, 1, 1) });
  close(first, [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  const rotation = new THREE.Quaternion(0, 0, Math.SQRT1_2, Math.SQRT1_2);
  const second = draggedMotion(first, [1, 0, 0, 0], { ...still, rotation });
  close(second, [0, 0, 0, -1, -1, 0, 2, -1, 0, 0, 0, 0]); // R S - 1
});
