// SPDX-License-Identifier: MIT
// The tensors of one body of an asset (docs/asset.md). The surface is read at once, the rest when
// somebody looks inside.
import type { Grid, Proxies } from "../math/distance_field.ts";
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

// The points by which a body feels others.
export interface ContactShell {
  X: Float32Array; // P x 3
  r: number;
  U: Float32Array; // r rows of 3 P
  levels: Int32Array; // the first point of each, and P
}
export interface FieldPart {
  grid: Grid;
  proxies: Proxies | null; // by which it is bent, if the body deforms
}
// Its distance, which others feel.
export interface ContactField {
  grid: Grid; // of the whole body
  parts: FieldPart[]; // the nearest counts
  // Others feel it nearer to the truth than the parts say: by states that are known, or by closest
  // points that are brought forward.
  refined: boolean;
  // Cells at the surface of which nobody knows whether they are inside: their share, and where.
  doubt: { share: number; places: Float32Array };
}

// What answers are looked up in: n terms X_k(x) Y_k(s) D_k(e) T_k(t), X_k = U Z_k.
export interface Terms {
  Z: Float32Array; // n rows of r
  Y: Float32Array; // S rows of n
  D: Float32Array; // a row of n for each direction
  T: Float32Array; // a row of n for each magnitude
  places: Float32Array; // S x 3, of the loads at rest
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

  get hasShell(): boolean {
    return this.file.has(`${this.name}/shell/X`);
  }
  readonly shell = once(async (): Promise<ContactShell> => {
    const tensor = (key: string) => `${this.name}/shell/${key}`;
    const X = await this.file.floats(tensor("X"));
    const U = this.file.has(tensor("U"))
      ? await this.file.floats(tensor("U"))
      : new Float32Array(0);
    const levels = this.file.has(tensor("levels"))
      ? await this.file.integers(tensor("levels"))
      : Int32Array.of(0, X.length / 3);
    const r = U.length / X.length;
    const sound = levels.every((first, k) => first <= X.length / 3 && first >= (levels[k - 1] ?? 0));
    if (!Number.isInteger(r) || !sound) {
      throw new AssetError(`body ${this.name}: the tensors of its shell do not agree`);
    }
    return { X, r, U, levels };
  });

  get hasField(): boolean {
    return this.file.has(`${this.name}/field/cells`);
  }
  readonly field = once(async (): Promise<ContactField> => {
    const tensor = (key: string) => `${this.name}/${key}`;
    const whole = await this.fieldPart(`${this.name}/`);
    const parts: FieldPart[] = [];
    for (let k = 0; this.file.has(tensor(`domains/${k}/field/cells`)); ++k) {
      parts.push(await this.fieldPart(tensor(`domains/${k}/`)));
    }
    const known = async (key: string) => (this.file.has(key) ? this.file.floats(key) : new Float32Array(0));
    const [share, places] = await Promise.all([known(tensor("field/doubt")), known(tensor("field/doubtful"))]);
    return {
      grid: whole.grid,
      parts: parts.length > 0 ? parts : [whole],
      refined: this.file.has(tensor("states/G")) || this.pushesForward(),
      doubt: { share: share[0] ?? 0, places },
    };
  });

  private pushesForward(): boolean {
    interface Head {
      bodies?: { name?: string; contact?: { push_forward?: boolean } }[];
    }
    const head = JSON.parse(this.file.metadata.head ?? "{}") as Head;
    return head.bodies?.find(({ name }) => name === this.name)?.contact?.push_forward === true;
  }

  private async fieldPart(prefix: string): Promise<FieldPart> {
    const tensor = (key: string) => prefix + key;
    const [box, bounds, bricks, table, cells] = await Promise.all([
      this.file.floats(tensor("field/box")),
      this.file.floats(tensor("field/bounds")),
      this.file.integers(tensor("field/bricks")),
      this.file.integers(tensor("field/table")),
      this.file.floats(tensor("field/cells")),
    ]);
    const last = cells.length / 8;
    const size = 4 ** 3;
    const sound = table.every((entry) => (entry < 0 ? ~entry < last : entry + size <= last));
    if (box.length !== 4 || bricks.length !== 3 || bounds.length !== 2 || !sound) {
      throw new AssetError(`body ${this.name}: the tensors of its distance field do not agree`);
    }
    const grid: Grid = {
      origin: [box[0], box[1], box[2]],
      cell: box[3],
      bricks: [bricks[0], bricks[1], bricks[2]],
      border: bounds[1],
      table,
      cells,
    };
    if (!this.file.has(tensor("proxies/X"))) return { grid, proxies: null };
    const [X, U, gradients] = await Promise.all([
      this.file.floats(tensor("proxies/X")),
      this.file.floats(tensor("proxies/U")),
      this.file.floats(tensor("proxies/gradients")),
    ]);
    if (gradients.length !== 3 * U.length || !Number.isInteger(U.length / X.length)) {
      throw new AssetError(`body ${this.name}: the tensors of its proxies do not agree`);
    }
    return { grid, proxies: { X, U, gradients } };
  }

  readonly terms = once(async (): Promise<Terms> => {
    const read = (key: string) => this.file.floats(`${this.name}/vademecum/${key}`);
    const [Z, Y, D, T, places] = await Promise.all([read("Z"), read("Y"), read("D"), read("T"), read("places")]);
    const n = Z.length / this.surface.r;
    const whole = [n, D.length / n, T.length / n].every(Number.isInteger);
    if (!whole || Y.length !== n * (places.length / 3)) {
      throw new AssetError(`body ${this.name}: the tensors of its terms do not agree`);
    }
    return { Z, Y, D, T, places };
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
