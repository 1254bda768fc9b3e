// SPDX-License-Identifier: MIT
// Reads the triangles of an OBJ file; errors begin with the line.
import type { Surface } from "./beam.ts";

export function readObj(text: string): Surface {
  const X: number[] = [];
  const triangles: number[] = [];
  text.split("\n").forEach((line, number) => {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === "v") X.push(...rest.slice(0, 3).map(Number));
    if (word !== "f") return;
    const corners = rest.map((entry) => Number(entry.split("/")[0]) - 1);
    for (let k = 1; k + 1 < corners.length; ++k) triangles.push(corners[0], corners[k], corners[k + 1]);
    if (corners.some((corner) => !(corner >= 0 && corner < X.length / 3))) {
      throw new Error(`${number + 1}: a face names a vertex that does not exist`);
    }
  });
  if (triangles.length === 0) throw new Error(" the file has no faces");
  return { X: Float32Array.from(X), triangles: Int32Array.from(triangles) };
}
