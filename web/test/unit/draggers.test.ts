// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import * as THREE from "three";
import { draggedMotion } from "../../src/math/dragged_motion.ts";
import { ShearGizmo } from "../../src/view/shear_gizmo.ts";

const rest = Array.from({ length: 12 }, () => 0);
const still = { shift: new THREE.Vector3(), linear: new THREE.Matrix4() };
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
  const first = draggedMotion(rest, [1, 0, 0, 0], { ...still, linear: new THREE.Matrix4().makeScale(2, 1, 1) });
  close(first, [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  const rotation = new THREE.Quaternion(0, 0, Math.SQRT1_2, Math.SQRT1_2);
  const linear = new THREE.Matrix4().makeRotationFromQuaternion(rotation);
  const second = draggedMotion(first, [1, 0, 0, 0], { ...still, linear });
  close(second, [0, 0, 0, -1, -1, 0, 2, -1, 0, 0, 0, 0]); // R S - 1
});

test("a shear along y across x of the world is one along x of a body that started turned", () => {
  const linear = new THREE.Matrix4();
  linear.elements[1] = 0.5; // row 1, column 0
  close(draggedMotion(rest, [1, 0, 0, 0], { ...still, linear }), [0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0]);
  // A quarter turn about z takes x of the body to y and y to -x: e_y e_x^T becomes -e_x e_y^T.
  const quarter = Math.SQRT1_2;
  const turned = draggedMotion(rest, [quarter, 0, 0, quarter], { ...still, linear });
  close(turned, [0, 0, 0, 0, -0.5, 0, 0, 0, 0, 0, 0, 0]);
});

test("the end of a sheared arm goes where the pointer goes", () => {
  const gizmo = new ShearGizmo();
  const centre = new THREE.Vector3(1, 2, 3);
  gizmo.set(centre, 0.001); // arms of 78 mm
  // An eye far away on the z axis: pixels are the x and y of the world in mm.
  const project = ({ x, y }: THREE.Vector3) => ({ x: 1000 * x, y: 1000 * y });
  const ray = (x: number, y: number) => new THREE.Ray(new THREE.Vector3(x, y, 10), new THREE.Vector3(0, 0, -1));
  const handle = gizmo.find(1000 + 78, 2000 + 15, 10, project); // at the end of the arm along x, across it
  assert.notEqual(handle, null);
  assert.equal(gizmo.find(1000 + 40, 2000 + 40, 10, project), null);
  gizmo.begin(handle ?? 0, ray(1.078, 2.015));
  const shear = gizmo.move(ray(1.178, 2.0345)); // what goes along the arm does nothing
  assert.equal(shear?.along, 1);
  assert.equal(shear?.across, 0);
  assert.ok(Math.abs((shear?.amount ?? 0) - 0.25) < 1e-9, `${shear?.amount}`);
  gizmo.end();
  assert.equal(gizmo.move(ray(2, 2)), null);
  gizmo.dispose();
});
