// SPDX-License-Identifier: MIT
// What a gizmo makes of the motion of a control element. It acts in the world about the centre: with
// A = 1 + M of the element where the drag began, turned into the world by the rotation B of the
// body's start,
//
//   T' = T + B^T d      A' = B^T L B A
//
// for the gizmo's shift d and its linear map L, which turns, scales or shears.
import * as THREE from "three";

export interface Drag {
  shift: THREE.Vector3;
  linear: THREE.Matrix4;
}

// The motion (T, then M by rows) after a drag of an element with this motion where it began, on a
// body that started with this rotation, w x y z.
export function draggedMotion(begun: readonly number[], [w, x, y, z]: readonly number[], drag: Drag): number[] {
  const begin = new THREE.Matrix4().makeRotationFromQuaternion(new THREE.Quaternion(x, y, z, w));
  const back = begin.clone().transpose();
  const [a, b, c, d, e, f, g, h, i] = begun.slice(3);
  const A = new THREE.Matrix4().set(1 + a, b, c, 0, d, 1 + e, f, 0, g, h, 1 + i, 0, 0, 0, 0, 1);
  const after = back.clone().multiply(drag.linear).multiply(begin).multiply(A).elements; // by columns
  const shift = drag.shift.clone().applyMatrix4(back).toArray();
  const motion = begun.slice(0, 3).map((t, k) => t + shift[k]);
  for (let row = 0; row < 3; ++row) {
    for (let column = 0; column < 3; ++column) {
      motion.push(after[4 * column + row] - (row === column ? 1 : 0));
    }
  }
  return motion;
}
