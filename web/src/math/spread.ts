// SPDX-License-Identifier: MIT
// Values that are known at some places, at points beside them: of the nearest three, weighted by
// 1/distance. A point that is farther from all of them than they are from one another has none (NaN).

// What of which place a point gets: three places and weights each; a weight of NaN for none.
export interface Spread {
  places: Int32Array;
  weights: Float32Array;
}

const near = 3;
const reach = 1.5; // of the largest distance between neighbours

function squared(a: Float32Array, i: number, b: Float32Array, j: number): number {
  const [x, y, z] = [a[3 * i] - b[3 * j], a[3 * i + 1] - b[3 * j + 1], a[3 * i + 2] - b[3 * j + 2]];
  return x * x + y * y + z * z;
}

export function spreadOver(X: Float32Array, places: Float32Array): Spread {
  const [P, S] = [X.length / 3, places.length / 3];
  let apart = 0;
  for (let s = 0; s < S; ++s) {
    let nearest = Infinity;
    for (let t = 0; t < S; ++t) if (t !== s) nearest = Math.min(nearest, squared(places, s, places, t));
    if (nearest < Infinity) apart = Math.max(apart, nearest);
  }
  const limit = reach * reach * apart;
  const out: Spread = { places: new Int32Array(near * P), weights: new Float32Array(near * P) };
  const best = new Float64Array(near);
  const which = new Int32Array(near);
  for (let p = 0; p < P; ++p) {
    best.fill(Infinity);
    for (let s = 0; s < S; ++s) {
      const d = squared(X, p, places, s);
      if (d >= best[near - 1]) continue;
      let k = near - 1;
      for (; k > 0 && best[k - 1] > d; --k) {
        best[k] = best[k - 1];
        which[k] = which[k - 1];
      }
      best[k] = d;
      which[k] = s;
    }
    if (!(best[0] <= limit)) {
      out.weights[near * p] = NaN;
      continue;
    }
    // A place is taken exactly; 1e-6 of the distance between neighbours is on it.
    const least = 1e-12 * apart;
    const exact = best[0] <= least;
    let sum = 0;
    for (let k = 0; k < near; ++k) {
      const weight = exact ? Number(k === 0) : best[k] <= limit ? 1 / Math.sqrt(best[k]) : 0;
      out.places[near * p + k] = which[k];
      out.weights[near * p + k] = weight;
      sum += weight;
    }
    for (let k = 0; k < near; ++k) out.weights[near * p + k] /= sum;
  }
  return out;
}

export function spreadValues({ places, weights }: Spread, value: (place: number) => number): Float32Array {
  const out = new Float32Array(weights.length / near);
  for (let p = 0; p < out.length; ++p) {
    let sum = 0;
    for (let k = near * p; k < near * (p + 1); ++k) if (weights[k] !== 0) sum += weights[k] * value(places[k]);
    out[p] = sum;
  }
  return out;
}
