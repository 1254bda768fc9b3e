// SPDX-License-Identifier: MIT
// Shapes to look at one by one.
import type { Mode } from "../protocol/messages.ts";

// Frequencies of the basis vectors themselves, by Rayleigh's quotient. The modes of the reduced
// system are an orthonormal set (the basis is mass-orthonormal), so that K = sum_j w_j^2 y_j y_j^T
// and f_i^2 = sum_j (y_j)_i^2 f_j^2. Null where the modes are not all there.
export function basisFrequencies(modes: readonly Mode[], r: number): number[] | null {
  if (r === 0 || modes.length !== r || modes.some(({ c }) => c.length !== r)) return null;
  const squares = new Array<number>(r).fill(0);
  for (const { frequency, c } of modes) {
    const norm = c.reduce((sum, y) => sum + y * y, 0);
    c.forEach((y, i) => (squares[i] += ((y * y) / norm) * frequency * frequency));
  }
  return squares.map(Math.sqrt);
}

// A shape is shown at its own frequency if the eye can follow, else slowed down.
export function shownFrequency(frequency: number | null): number {
  return frequency === null ? 0.6 : Math.min(Math.max(frequency, 0.15), 0.8);
}
