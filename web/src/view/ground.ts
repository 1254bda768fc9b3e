// SPDX-License-Identifier: MIT
// The floor under the bodies: it takes their shadow, and a grid of a round cell size tells how large
// they are.
import * as THREE from "three";
import { niceAbove } from "../math/units.ts";

export class Ground {
  readonly group = new THREE.Group();
  cell = 1; // of the grid [m]
  private readonly shadow = new THREE.Mesh(
    new THREE.PlaneGeometry(1, 1),
    new THREE.ShadowMaterial({ opacity: 0.2 }),
  );
  private readonly grid: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;

  constructor() {
    const material = new THREE.ShaderMaterial({
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      uniforms: {
        cell: { value: 1 },
        extent: { value: 1 },
        colour: { value: new THREE.Color() },
      },
      vertexShader: `
varying vec2 place;
uniform float extent;
void main() {
  place = position.xy * extent;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`,
      fragmentShader: `
varying vec2 place;
uniform float cell;
uniform float extent;
uniform vec3 colour;
float lines(float size) {
  vec2 k = place / size;
  vec2 near = abs(fract(k - 0.5) - 0.5) / fwidth(k);
  return 1.0 - min(min(near.x, near.y), 1.0);
}
void main() {
  float fade = 1.0 - smoothstep(0.05, 0.3, length(place) / extent);
  float line = max(0.4 * lines(cell), lines(5.0 * cell));
  gl_FragColor = vec4(colour, line * fade * 0.4);
  #include <colorspace_fragment>
}`,
    });
    this.grid = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), material);
    this.shadow.receiveShadow = true;
    for (const plane of [this.shadow, this.grid]) plane.rotation.x = -Math.PI / 2;
    this.shadow.renderOrder = -1;
    this.grid.renderOrder = -2;
    this.group.add(this.shadow, this.grid);
  }

  setColours(grid: string, shadow: number): void {
    this.grid.material.uniforms.colour.value.set(grid);
    this.shadow.material.opacity = shadow;
  }

  // A little below the lowest point of the box along `up`.
  fit(bounds: THREE.Box3, up: THREE.Vector3, radius: number): void {
    const centre = bounds.getCenter(new THREE.Vector3());
    const half = bounds.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    const reach = Math.abs(half.x * up.x) + Math.abs(half.y * up.y) + Math.abs(half.z * up.z);
    this.group.position.copy(centre).addScaledVector(up, -reach - 0.12 * radius);
    this.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
    this.shadow.scale.setScalar(24 * radius);
    this.shadow.position.y = 1e-3 * radius;
    this.grid.scale.setScalar(24 * radius);
    this.cell = niceAbove(radius / 8);
    const { uniforms } = this.grid.material;
    uniforms.cell.value = this.cell;
    uniforms.extent.value = 24 * radius;
  }
}
