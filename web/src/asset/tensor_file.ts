// SPDX-License-Identifier: MIT
// Named tensors in a safetensors file (docs/asset.md), read piece by piece with HTTP ranges: the
// header first, then only the tensors that are asked for.

export class AssetError extends Error {}

export interface TensorInfo {
  dtype: string;
  shape: number[];
  from: number; // bytes in the file
  to: number;
}

// Bytes [from, to) of the file; fewer only at its end.
export type ReadRange = (from: number, to: number) => Promise<Uint8Array>;

const elementBytes: Record<string, number> = {
  U8: 1,
  U16: 2,
  F16: 2,
  I32: 4,
  F32: 4,
  I64: 8,
  F64: 8,
};
const firstRead = 64 << 10;
const maxHeader = 64 << 20;

export class TensorFile {
  private constructor(
    readonly tensors: ReadonlyMap<string, TensorInfo>,
    readonly metadata: Readonly<Record<string, string>>,
    private readonly read: ReadRange,
  ) {}

  static async open(read: ReadRange): Promise<TensorFile> {
    let head = await read(0, firstRead);
    if (head.length < 8) throw new AssetError("the asset is shorter than its header");
    const length = Number(new DataView(head.buffer, head.byteOffset).getBigUint64(0, true));
    if (length < 2 || length > maxHeader) {
      throw new AssetError(`the asset's header is said to have ${length} bytes`);
    }
    if (head.length < 8 + length) head = await read(0, 8 + length);
    if (head.length < 8 + length) throw new AssetError("the asset ends within its header");
    return new TensorFile(...parseHeader(head.subarray(8, 8 + length)), read);
  }

  has(name: string): boolean {
    return this.tensors.has(name);
  }

  info(name: string): TensorInfo {
    const info = this.tensors.get(name);
    if (!info) throw new AssetError(`the asset has no tensor ${name}`);
    return info;
  }

  async floats(name: string): Promise<Float32Array> {
    const bytes = await this.bytes(name, "F32", "F64");
    return this.info(name).dtype === "F32"
      ? new Float32Array(bytes)
      : Float32Array.from(new Float64Array(bytes));
  }

  async integers(name: string): Promise<Int32Array> {
    return new Int32Array(await this.bytes(name, "I32"));
  }

  private async bytes(name: string, ...dtypes: string[]): Promise<ArrayBuffer> {
    const info = this.info(name);
    if (!dtypes.includes(info.dtype)) {
      throw new AssetError(`tensor ${name} is of type ${info.dtype}, not ${dtypes.join(" or ")}`);
    }
    const bytes = await this.read(info.from, info.to);
    if (bytes.length !== info.to - info.from) throw new AssetError(`tensor ${name} is cut off`);
    return new Uint8Array(bytes).buffer; // a copy, at the start of its buffer as the types want it
  }
}

type Parsed = [Map<string, TensorInfo>, Record<string, string>];

function parseHeader(bytes: Uint8Array): Parsed {
  let header: Record<string, unknown>;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new AssetError("the asset's header is not JSON");
  }
  const tensors = new Map<string, TensorInfo>();
  let metadata: Record<string, string> = {};
  for (const [name, value] of Object.entries(header)) {
    if (name === "__metadata__") {
      metadata = value as Record<string, string>;
      continue;
    }
    const { dtype, shape, data_offsets } = value as {
      dtype: string;
      shape: number[];
      data_offsets: [number, number];
    };
    const [from, to] = Array.isArray(data_offsets) ? data_offsets : [NaN, NaN];
    const count = Array.isArray(shape) ? shape.reduce((product, n) => product * n, 1) : NaN;
    if (!(dtype in elementBytes) || from < 0 || to - from !== count * elementBytes[dtype]) {
      throw new AssetError(`tensor ${name}: its type, shape and offsets do not agree`);
    }
    const start = 8 + bytes.length;
    tensors.set(name, { dtype, shape, from: start + from, to: start + to });
  }
  return [tensors, metadata];
}

// A server that does not know ranges sends the whole file: it is kept then.
export function httpRanges(url: string, onBytes: (count: number) => void = () => {}): ReadRange {
  let whole: Uint8Array | null = null;
  return async (from, to) => {
    if (whole) return whole.subarray(from, to);
    if (to === from) return new Uint8Array(0);
    const response = await fetch(url, { headers: { Range: `bytes=${from}-${to - 1}` } });
    if (!response.ok) throw new AssetError(`${url}: ${response.status} ${response.statusText}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    onBytes(bytes.length);
    if (response.status === 206) return bytes;
    whole = bytes;
    return whole.subarray(from, to);
  };
}
