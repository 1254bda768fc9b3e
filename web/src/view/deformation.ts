// SPDX-License-Identifier: MIT
// How the points of a body move: by a basis in the vertex shader, or by displacements that arrive
// for every point. Both also know the positions on the CPU, which picking and plots need.
import * as THREE from "three";
import type { Surface } from "../asset/body_asset.ts";
import { deform, deformPoint, pointNormals } from "../math/linear_shape.ts";
import type { BodyFrame } from "../protocol/frames.ts";
import { ShapeTexture, makeWeights, sumGlsl } from "./shape_texture.ts";

export interface Deformation {
  // Counts the changes of the state.
  readonly version: number;
  // Of the points in the body's frame; valid until the next change.
  positions(): Float32Array;
  position(point: number): [number, number, number];
  set(frame: Pick<BodyFrame, "c" | "dense">): void;
  // What a material's vertex shader needs; nothing if the attributes move themselves.
  readonly shader: ShaderPart | null;
  dispose(): void;
}

export interface ShaderPart {
  uniforms: Record<string, THREE.IUniform>;
  declarations: string; // GLSL that comes before main()
  key: string; // of programs that are alike
}

// x = X + U c, n = normalise(N + dN c)
export class BasisDeformation implements Deformation {
  version = 0;
  c: Float32Array = new Float32Array(0);
  readonly shader: ShaderPart;
  private readonly U: ShapeTexture;
  private readonly dN: ShapeTexture | null;
  private readonly weightsU: THREE.Vector4[];
  private readonly weightsN: THREE.Vector4[];
  private readonly count = { value: 0 };
  private cache: Float32Array | null = null;
  private cacheVersion = -1;

  constructor(private readonly shape: Pick<Surface, "X" | "U" | "r"> & { dN?: Float32Array }) {
    const points = shape.X.length / 3;
    this.U = new ShapeTexture(shape.U, points, shape.r);
    this.dN = shape.dN ? new ShapeTexture(shape.dN, points, shape.r) : null;
    const columns = this.U.columns;
    this.weightsU = makeWeights(columns);
    this.weightsN = makeWeights(columns);
    this.shader = {
      uniforms: {
        shapeCount: this.count,
        shapeU: { value: this.U.texture },
        shapeUWeights: { value: this.weightsU },
        ...(this.dN && {
          shapeN: { value: this.dN.texture },
          shapeNWeights: { value: this.weightsN },
        }),
      },
      declarations: `
uniform int shapeCount;
${sumGlsl("shapeU", columns)}
vec3 shapePosition(vec3 rest) { return rest + shapeUAt(gl_VertexID); }
${this.dN ? sumGlsl("shapeN", columns) : ""}
vec3 shapeNormal(vec3 rest) {
  ${this.dN ? "return normalize(rest + shapeNAt(gl_VertexID));" : "return rest;"}
}
`,
      key: `basis ${columns} ${this.dN !== null}`,
    };
  }

  set({ c }: Pick<BodyFrame, "c">): void {
    this.c = c;
    this.count.value = this.U.write(c, this.weightsU);
    this.dN?.write(c, this.weightsN);
    ++this.version;
  }

  positions(): Float32Array {
    if (this.cacheVersion !== this.version || !this.cache) {
      this.cache = deform(this.shape.X, this.shape.U, this.c, this.cache ?? undefined);
      this.cacheVersion = this.version;
    }
    return this.cache;
  }

  position(point: number): [number, number, number] {
    return deformPoint(this.shape.X, this.shape.U, this.c, point);
  }

  dispose(): void {
    this.U.dispose();
    this.dN?.dispose();
  }
}

// x = X + u with u streamed; the normals follow from the triangles.
export class StreamedDeformation implements Deformation {
  version = 0;
  readonly shader = null;

  constructor(
    private readonly surface: Surface,
    private readonly positionAttribute: THREE.BufferAttribute,
    private readonly normal: THREE.BufferAttribute,
  ) {}

  set({ dense }: Pick<BodyFrame, "dense">): void {
    const { X, triangles } = this.surface;
    const x = this.positionAttribute.array as Float32Array;
    if (!dense || dense.values.length !== X.length) {
      x.set(X);
    } else {
      for (let k = 0; k < x.length; ++k) x[k] = X[k] + dense.quantum * dense.values[k];
    }
    pointNormals(x, triangles, this.normal.array as Float32Array);
    this.positionAttribute.needsUpdate = true;
    this.normal.needsUpdate = true;
    ++this.version;
  }

  positions(): Float32Array {
    return this.positionAttribute.array as Float32Array;
  }

  position(point: number): [number, number, number] {
    const x = this.positionAttribute.array;
    return [x[3 * point], x[3 * point + 1], x[3 * point + 2]];
  }

  dispose(): void {}
}
