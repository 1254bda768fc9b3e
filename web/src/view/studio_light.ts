// SPDX-License-Identifier: MIT
// The light of a small studio: a large soft box above, a brighter wall to one side, a light floor,
// and one lamp that throws the shadow. The soft part is a function on the sphere of directions, given
// to the shaders as its nine spherical harmonics: cheap, and without pictures of surroundings.
import * as THREE from "three";

// Light that comes from a direction, y up.
function radiance(x: number, y: number, z: number): [number, number, number] {
  const box = Math.max(0, y) ** 2;
  const wall = Math.max(0, -0.8 * x + 0.2 * y + 0.5 * z) ** 2;
  const floor = Math.max(0, -y);
  return [
    0.34 + 0.75 * box + 0.42 * wall + 0.24 * floor,
    0.36 + 0.75 * box + 0.46 * wall + 0.23 * floor,
    0.4 + 0.74 * box + 0.52 * wall + 0.22 * floor,
  ];
}

function harmonics(): THREE.SphericalHarmonics3 {
  const sh = new THREE.SphericalHarmonics3();
  const samples = 1024;
  const basis = new Array<number>(9).fill(0);
  for (let i = 0; i < samples; ++i) {
    // Evenly spread directions: the golden spiral.
    const y = 1 - (2 * i + 1) / samples;
    const radius = Math.sqrt(1 - y * y);
    const angle = i * Math.PI * (3 - Math.sqrt(5));
    const direction = new THREE.Vector3(radius * Math.cos(angle), y, radius * Math.sin(angle));
    THREE.SphericalHarmonics3.getBasisAt(direction, basis);
    const light = new THREE.Vector3(...radiance(direction.x, direction.y, direction.z));
    basis.forEach((value, k) => {
      sh.coefficients[k].addScaledVector(light, (value * 4 * Math.PI) / samples);
    });
  }
  return sh;
}

export class StudioLight {
  readonly group = new THREE.Group();
  private readonly soft = new THREE.LightProbe(harmonics(), 1);
  private readonly lamp = new THREE.DirectionalLight(0xfff3e4, 1.7);
  private readonly rim = new THREE.DirectionalLight(0xe4eeff, 0.45);

  constructor() {
    this.lamp.castShadow = true;
    this.lamp.shadow.radius = 4;
    this.group.add(this.soft, this.lamp, this.lamp.target, this.rim, this.rim.target);
  }

  setShadowSize(pixels: number): void {
    this.lamp.shadow.mapSize.set(pixels, pixels);
    this.lamp.shadow.bias = -1.5 / pixels;
  }

  setDark(dark: boolean): void {
    this.soft.intensity = dark ? 0.72 : 1;
  }

  // Around bodies in a ball; `turn` takes y to the direction that is up.
  fit(centre: THREE.Vector3, radius: number, turn: THREE.Quaternion): void {
    const place = (light: THREE.DirectionalLight, x: number, y: number, z: number) => {
      const direction = new THREE.Vector3(x, y, z).normalize().applyQuaternion(turn);
      light.target.position.copy(centre);
      light.position.copy(centre).addScaledVector(direction, 4 * radius);
    };
    place(this.lamp, 0.5, 1.5, 0.75);
    place(this.rim, -0.7, 0.5, -1);
    const { camera } = this.lamp.shadow;
    camera.left = camera.bottom = -1.7 * radius;
    camera.right = camera.top = 1.7 * radius;
    camera.near = radius;
    camera.far = 8 * radius;
    camera.updateProjectionMatrix();
    this.lamp.shadow.normalBias = (8 * radius) / this.lamp.shadow.mapSize.x; // some texels
  }
}
