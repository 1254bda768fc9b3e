// SPDX-License-Identifier: MIT
// A basis on the GPU, for x = X + U c in the vertex shader: [Barbic07] 2.12.1. U is kept in half
// precision, one layer of an array texture a column, each column divided by its largest entry so
// that the sizes of U and of c do not matter; c is multiplied by it in turn.
import * as THREE from "three";
import { toHalf } from "../math/half.ts";

const width = 2048;
export const maxColumns = 256; // layers that every WebGL 2 has

export class ShapeTexture {
  readonly texture: THREE.DataArrayTexture;
  private readonly sizes: Float32Array;

  // U: r rows of 3 `points`.
  constructor(U: Float32Array, points: number, r: number) {
    const columns = Math.min(r, maxColumns);
    const height = Math.max(1, Math.ceil(points / width));
    const layer = 4 * width * height;
    const data = new Uint16Array(layer * columns);
    this.sizes = new Float32Array(columns);
    for (let i = 0; i < columns; ++i) {
      const column = U.subarray(3 * points * i, 3 * points * (i + 1));
      let size = 0;
      for (const entry of column) size = Math.max(size, Math.abs(entry));
      this.sizes[i] = size;
      if (size === 0) continue;
      for (let p = 0; p < points; ++p) {
        const at = layer * i + 4 * p;
        data[at] = toHalf(column[3 * p] / size);
        data[at + 1] = toHalf(column[3 * p + 1] / size);
        data[at + 2] = toHalf(column[3 * p + 2] / size);
      }
    }
    this.texture = new THREE.DataArrayTexture(data, width, height, columns);
    this.texture.format = THREE.RGBAFormat;
    this.texture.type = THREE.HalfFloatType;
    this.texture.minFilter = THREE.NearestFilter;
    this.texture.magFilter = THREE.NearestFilter;
    this.texture.needsUpdate = true;
  }

  get columns(): number {
    return this.sizes.length;
  }

  // Weights for the shader; c may be shorter than r.
  write(c: Float32Array, weights: THREE.Vector4[]): number {
    const count = Math.min(c.length, this.columns);
    for (let i = 0; i < count; ++i) weights[i >> 2].setComponent(i & 3, c[i] * this.sizes[i]);
    return count;
  }

  dispose(): void {
    this.texture.dispose();
  }
}

export function makeWeights(columns: number): THREE.Vector4[] {
  return Array.from({ length: Math.max(1, Math.ceil(columns / 4)) }, () => new THREE.Vector4());
}

// The sum over the columns, in a shader with the uniforms `<name>` (the texture), `<name>Weights` and
// `shapeCount`: a function <name>At(int point).
export function sumGlsl(name: string, columns: number): string {
  return `
uniform highp sampler2DArray ${name};
uniform vec4 ${name}Weights[${Math.max(1, Math.ceil(columns / 4))}];
vec3 ${name}At(int point) {
  vec3 sum = vec3(0.0);
  for (int i = 0; i < shapeCount; ++i) {
    float weight = ${name}Weights[i >> 2][i & 3];
    sum += weight * texelFetch(${name}, ivec3(point % ${width}, point / ${width}, i), 0).xyz;
  }
  return sum;
}
`;
}
