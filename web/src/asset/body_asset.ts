// SPDX-License-Identifier: MIT
// The tensors of one body of an asset (docs/asset.md). The surface is read at once, the rest when
// somebody looks inside.
import { AssetError, type TensorFile } from "./tensor_file.ts";

export interface Surface {
  X: Float32Array; // P x 3
  N: Float32Array; // P x 3
  triangles: Int32Array; // T x 3
  r: number;
  U: Float32Array; // r rows of 3 P
  dN: Float32Array; // r rows of 3 P
  region: Int32Array; // P
}

export interface Volume {
  V: Float32Array; // n x 3
  edges: Uint32Array; // pairs of nodes, each edge of an element once
  fixed: Int32Array; // nodes
  r: number;
  U: Float32Array; // r rows of 3 n; empty where only the surface's motion is known
}

// A promise that is made once, when it is first asked for.
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}

export class BodyAsset {
  private constructor(
    readonly name: string,
    readonly surface: Surface,
    private readonly file: TensorFile,
  ) {}

  static async load(file: TensorFile, name: string): Promise<BodyAsset> {
    const tensor = (key: string) => `${name}/${key}`;
    const optional = async <T>(key: string, read: (name: string) => Promise<T>, otherwise: T) =>
      file.has(tensor(key)) ? read(tensor(key)) : otherwise;
    const floats = (key: string) => file.floats(key);
    const [X, N, triangles, U, dN, region] = await Promise.all([
      file.floats(tensor("shape/X")),
      file.floats(tensor("shape/N")),
      file.integers(tensor("surface/triangles")),
      optional("shape/U", floats, new Float32Array(0)),
      optional("shape/dN", floats, new Float32Array(0)),
      optional("shape/region", (key) => file.integers(key), null),
    ]);
    const P = X.length / 3;
    const r = U.length / X.length;
    if (!Number.isInteger(P) || N.length !== X.length || !Number.isInteger(r)) {
      throw new AssetError(`body ${name}: the tensors of its surface do not agree`);
    }
    if (dN.length !== U.length || (region && region.length !== P)) {
      throw new AssetError(`body ${name}: the tensors of its shape do not agree`);
    }
    for (const corner of triangles) {
      if (corner < 0 || corner >= P) throw new AssetError(`body ${name}: a corner has no point`);
    }
    const surface = { X, N, triangles, r, U, dN, region: region ?? new Int32Array(P) };
    return new BodyAsset(name, surface, file);
  }

  // Displacement gradients are there for strain and stress: r rows of 9 P.
  get hasGradient(): boolean {
    return this.surface.r > 0 && this.file.has(`${this.name}/shape/gradient`);
  }
  readonly gradient = once(async () => {
    const gradient = await this.file.floats(`${this.name}/shape/gradient`);
    if (gradient.length !== 3 * this.surface.U.length) {
      throw new AssetError(`body ${this.name}: shape/gradient has a wrong size`);
    }
    return gradient;
  });

  get hasVolume(): boolean {
    return this.file.has(`${this.name}/volume/V`) && this.file.has(`${this.name}/volume/E`);
  }
  readonly volume = once(async (): Promise<Volume> => {
    const tensor = (key: string) => `${this.name}/${key}`;
    const [V, E, fixed, U] = await Promise.all([
      this.file.floats(tensor("volume/V")),
      this.file.integers(tensor("volume/E")),
      this.file.has(tensor("volume/fixed"))
        ? this.file.integers(tensor("volume/fixed"))
        : new Int32Array(0),
      this.file.has(tensor("basis/U"))
        ? this.file.floats(tensor("basis/U"))
        : new Float32Array(0),
    ]);
    const perElement = this.file.info(tensor("volume/E")).shape[1];
    const r = U.length / V.length;
    if (!Number.isInteger(r)) throw new AssetError(`body ${this.name}: basis/U has a wrong size`);
    return { V, edges: elementEdges(E, perElement, V.length / 3), fixed, r, U };
  });
}

// Corners that are joined, for elements of 4 or 10 nodes (tetrahedra) and 8 (bricks, whose nodes
// 0-3 go round the bottom and 4-7 round the top).
function elementEdges(E: Int32Array, perElement: number, nodes: number): Uint32Array {
  const tetrahedron = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3];
  const brick = [0, 1, 1, 2, 2, 3, 3, 0, 4, 5, 5, 6, 6, 7, 7, 4, 0, 4, 1, 5, 2, 6, 3, 7];
  const pairs = perElement === 8 ? brick : tetrahedron;
  const seen = new Set<number>();
  for (let e = 0; e < E.length; e += perElement) {
    for (let k = 0; k < pairs.length; k += 2) {
      const a = E[e + pairs[k]];
      const b = E[e + pairs[k + 1]];
      seen.add(Math.min(a, b) * nodes + Math.max(a, b));
    }
  }
  const edges = new Uint32Array(2 * seen.size);
  let k = 0;
  for (const edge of seen) {
    edges[k++] = Math.floor(edge / nodes);
    edges[k++] = edge % nodes;
  }
  return edges;
}
