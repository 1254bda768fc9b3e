// SPDX-License-Identifier: MIT
// A gizmo that shears: three arms from a centre, and at the end of each two handles across it. A
// handle at the end of arm j that is drawn along i shears by 1 + g e_i e_j^T, with g the way of the
// handle over the length of the arm: the arm's end goes with the pointer.
import * as THREE from "three";

const armPixels = 78;
const aside = 15; // pixels of a handle's middle from the end of its arm
const colours = [0xe0362c, 0x2f9e44, 0x2f6fde];
const lit = 0xffb300;

export interface Shear {
  along: number; // i
  across: number; // j
  amount: number; // g
}

export class ShearGizmo {
  readonly group = new THREE.Group();
  private readonly arms: THREE.Line<THREE.BufferGeometry, THREE.LineBasicMaterial>[];
  private readonly handles: { along: number; across: number; mesh: THREE.Mesh<THREE.ConeGeometry, THREE.MeshBasicMaterial> }[] = [];
  private readonly cone = new THREE.ConeGeometry(5, 15, 20);
  private unit = 1; // metres of a pixel
  private grip: { handle: number; from: number } | null = null;
  private amount = 0;

  constructor() {
    this.arms = colours.map((color) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6), 3));
      const arm = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color, depthTest: false, transparent: true }));
      arm.renderOrder = 8;
      arm.frustumCulled = false;
      this.group.add(arm);
      return arm;
    });
    for (let across = 0; across < 3; ++across) {
      for (let along = 0; along < 3; ++along) {
        if (along === across) continue;
        const material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, toneMapped: false });
        const mesh = new THREE.Mesh(this.cone, material);
        mesh.quaternion.setFromUnitVectors(axis(1), axis(along));
        mesh.renderOrder = 9;
        this.handles.push({ along, across, mesh });
        this.group.add(mesh);
      }
    }
    this.group.visible = false;
  }

  // `unit`: metres of a pixel there.
  set(centre: THREE.Vector3, unit: number): void {
    if (!this.grip) this.group.position.copy(centre);
    this.unit = unit;
    const { grip } = this;
    const held = grip && this.handles[grip.handle];
    this.arms.forEach((arm, j) => {
      const tip = this.tip(j);
      const place = arm.geometry.getAttribute("position") as THREE.BufferAttribute;
      place.setXYZ(1, tip.x, tip.y, tip.z);
      place.needsUpdate = true;
    });
    for (const handle of this.handles) {
      handle.mesh.position.copy(this.place(handle));
      handle.mesh.scale.setScalar(unit);
      handle.mesh.material.color.set(handle === held ? lit : colours[handle.along]);
      handle.mesh.material.opacity = held && handle !== held ? 0.25 : 0.95;
    }
    this.group.updateMatrixWorld();
  }

  // Of an arm, from the centre.
  private tip(j: number): THREE.Vector3 {
    const tip = axis(j).multiplyScalar(armPixels * this.unit);
    const held = this.grip && this.handles[this.grip.handle];
    if (held?.across === j) tip.addScaledVector(axis(held.along), this.amount * armPixels * this.unit);
    return tip;
  }

  private place({ along, across }: { along: number; across: number }): THREE.Vector3 {
    return this.tip(across).addScaledVector(axis(along), aside * this.unit);
  }

  // The handle that is nearest to a place of the screen, if one is within reach.
  find(x: number, y: number, reach: number, project: (place: THREE.Vector3) => { x: number; y: number }): number | null {
    let best: number | null = null;
    let least = reach;
    this.handles.forEach((handle, k) => {
      const at = project(this.place(handle).add(this.group.position));
      const away = Math.hypot(at.x - x, at.y - y);
      if (away >= least) return;
      least = away;
      best = k;
    });
    return best;
  }

  begin(handle: number, ray: THREE.Ray): void {
    this.amount = 0;
    this.grip = { handle, from: this.along(handle, ray) };
  }

  move(ray: THREE.Ray): Shear | null {
    const { grip } = this;
    if (!grip) return null;
    const { along, across } = this.handles[grip.handle];
    const way = this.along(grip.handle, ray) - grip.from;
    if (!Number.isFinite(way)) return null; // the axis points at the eye
    this.amount = way / (armPixels * this.unit);
    return { along, across, amount: this.amount };
  }

  end(): void {
    this.grip = null;
    this.amount = 0;
  }

  // Where on the line of a handle a ray comes nearest to it [m].
  private along(handle: number, ray: THREE.Ray): number {
    const { along, across } = this.handles[handle];
    const start = this.group.position.clone().addScaledVector(axis(across), armPixels * this.unit);
    const d = axis(along);
    const w = ray.origin.clone().sub(start);
    const b = d.dot(ray.direction);
    const slant = 1 - b * b;
    return slant < 1e-3 ? NaN : (w.dot(d) - b * w.dot(ray.direction)) / slant;
  }

  dispose(): void {
    this.cone.dispose();
    for (const { mesh } of this.handles) mesh.material.dispose();
    for (const arm of this.arms) {
      arm.geometry.dispose();
      arm.material.dispose();
    }
  }
}

function axis(k: number): THREE.Vector3 {
  return new THREE.Vector3().setComponent(k, 1);
}
