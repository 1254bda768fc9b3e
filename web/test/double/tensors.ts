// SPDX-License-Identifier: MIT
// Writes safetensors files.

export type TensorData = Float32Array | Float64Array | Int32Array;

export interface Tensor {
  shape: number[];
  data: TensorData;
}

function dtype(data: TensorData): string {
  if (data instanceof Float32Array) return "F32";
  return data instanceof Float64Array ? "F64" : "I32";
}

export function writeTensors(
  tensors: Record<string, Tensor>,
  metadata: Record<string, string>,
): Uint8Array {
  const header: Record<string, unknown> = { __metadata__: metadata };
  // Wider types first keep every tensor aligned.
  const names = Object.keys(tensors).sort(
    (a, b) => tensors[b].data.BYTES_PER_ELEMENT - tensors[a].data.BYTES_PER_ELEMENT,
  );
  let at = 0;
  for (const name of names) {
    const { shape, data } = tensors[name];
    header[name] = { dtype: dtype(data), shape, data_offsets: [at, at + data.byteLength] };
    at += data.byteLength;
  }
  let text = JSON.stringify(header);
  text += " ".repeat((8 - (Buffer.byteLength(text) % 8)) % 8);
  const head = Buffer.alloc(8);
  head.writeBigUInt64LE(BigInt(Buffer.byteLength(text)));
  const parts = names.map((name) => {
    const { data } = tensors[name];
    return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  });
  return Buffer.concat([head, Buffer.from(text), ...parts]);
}
