// SPDX-License-Identifier: MIT
// Where bodies touch: a dot at every contact, and an arrow along the force on the body whose point
// it is. All dots and arrows are three instanced meshes.
import * as THREE from "three";
import type { ContactFrame } from "../protocol/frames.ts";

const most = 256; // as the protocol says
const longest = 70; // pixels of the arrow of the largest force
const forgets = 0.99; // a picture: how long a largest force sets the length of the others

export class ContactMarks {
  readonly group = new THREE.Group();
  private readonly material: THREE.MeshBasicMaterial;
  private readonly dots: THREE.InstancedMesh;
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;
  private largest = 0; // force that the longest arrow is for [N]

  constructor(colour: string) {
    this.material = new THREE.MeshBasicMaterial({
      color: colour,
      depthTest: false,
      transparent: true,
      opacity: 0.85,
      toneMapped: false,
    });
    const instances = (geometry: THREE.BufferGeometry) => {
      const mesh = new THREE.InstancedMesh(geometry, this.material, most);
      mesh.frustumCulled = false;
      mesh.renderOrder = 8;
      mesh.count = 0;
      this.group.add(mesh);
      return mesh;
    };
    this.dots = instances(new THREE.SphereGeometry(1, 10, 8));
    this.shafts = instances(new THREE.CylinderGeometry(1, 1, 1, 8));
    this.heads = instances(new THREE.ConeGeometry(1, 1, 12));
  }

  // `unitAt`: metres of a pixel at a place.
  set(contacts: readonly ContactFrame[], unitAt: (place: THREE.Vector3) => number): void {
    const shown = contacts.slice(0, most);
    const now = Math.max(0, ...shown.map(({ force }) => force));
    this.largest = shown.length === 0 ? 0 : Math.max(now, forgets * this.largest);
    const at = new THREE.Vector3();
    const along = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const size = new THREE.Vector3();
    const matrix = new THREE.Matrix4();
    const up = new THREE.Vector3(0, 1, 0);
    const place = new THREE.Vector3();
    shown.forEach(({ position, normal, force }, k) => {
      at.fromArray(position);
      along.fromArray(normal).normalize();
      const unit = unitAt(at);
      turn.setFromUnitVectors(up, along);
      this.dots.setMatrixAt(k, matrix.compose(at, turn, size.setScalar(2.6 * unit)));
      const length = this.largest > 0 ? (longest * unit * Math.max(force, 0)) / this.largest : 0;
      const head = Math.min(9 * unit, 0.5 * length);
      place.copy(at).addScaledVector(along, (length - head) / 2);
      this.shafts.setMatrixAt(
        k,
        matrix.compose(place, turn, size.set(1.1 * unit, length - head, 1.1 * unit)),
      );
      place.copy(at).addScaledVector(along, length - head / 2);
      const wide = Math.min(3.5 * unit, head);
      this.heads.setMatrixAt(k, matrix.compose(place, turn, size.set(wide, head, wide)));
    });
    for (const mesh of [this.dots, this.shafts, this.heads]) {
      mesh.count = shown.length;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  dispose(): void {
    for (const mesh of [this.dots, this.shafts, this.heads]) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.material.dispose();
  }
}
