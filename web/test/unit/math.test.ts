// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { crease } from "../../src/math/creases.ts";
import { areaStrain, displacementNorms, elasticField, pointAreas, sizeQuantile } from "../../src/math/fields.ts";
import { fromHalf, toHalf } from "../../src/math/half.ts";
import { indicesOf, paintBall, pointsInBox, readNodeList, sideBox, unionBox } from "../../src/math/held_points.ts";
import { elasticLaw, isotropicConstants, lame } from "../../src/math/laws.ts";
import { deform, deformPoint, pointNormals } from "../../src/math/linear_shape.ts";
import { basisFrequencies } from "../../src/math/modes.ts";
import { pick } from "../../src/math/pick.ts";
import { surfaceField } from "../../src/math/surface_fields.ts";
import { stepSeconds, voxelNodes } from "../../src/math/step_cost.ts";
import { digits, hertz, niceAbove, quantity, short, stepWords, tickText, ticks, torqueText } from "../../src/math/units.ts";

const laws = ["linear", "stvk", "corotational", "neo_hookean", "stable_neo_hookean", "mooney_rivlin"];
const young = 1e5;
const poisson = 0.4;

function close(a: number, b: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b)), `${what}: ${a} against ${b}`);
}

test("half precision: every half comes back, and numbers round to the nearest", () => {
  for (let half = 0; half < 0x10000; ++half) {
    if ((half & 0x7c00) === 0x7c00) continue;
    const value = fromHalf(half);
    const back = toHalf(value);
    assert.ok(back === half || value === 0, `${half}`);
  }
  for (let i = 1; i < 2000; ++i) {
    const value = Math.sin(i) * 10 ** ((i % 9) - 5);
    const error = Math.abs(fromHalf(toHalf(value)) - value);
    assert.ok(error <= Math.max(Math.abs(value) * 2 ** -11, 2 ** -25), `${value}`);
  }
  assert.equal(fromHalf(toHalf(1e6)), Infinity);
  assert.ok(Number.isNaN(fromHalf(toHalf(NaN))));
});

test("stress is the derivative of energy", () => {
  const F = Float64Array.of(1.1, 0.2, -0.1, 0.05, 0.9, 0.15, -0.08, 0.1, 1.05);
  for (const name of laws) {
    const law = elasticLaw(name, isotropicConstants(name, young, poisson));
    assert.ok(law);
    const P = new Float64Array(9);
    law.evaluate(F, P);
    for (let k = 0; k < 9; ++k) {
      const h = 1e-5;
      const moved = (sign: number) => {
        const G = F.slice();
        G[k] += sign * h;
        return law.evaluate(G, new Float64Array(9));
      };
      const difference = (moved(1) - moved(-1)) / (2 * h);
      assert.ok(Math.abs(difference - P[k]) < 1e-5 * young, `${name} entry ${k}`);
    }
  }
});

test("an anisotropic stiffness that is isotropic gives the same", () => {
  const [lambda, mu] = lame(young, poisson);
  const C: number[] = [];
  for (let i = 0; i < 6; ++i) {
    for (let j = i; j < 6; ++j) {
      C.push((i < 3 && j < 3 ? lambda : 0) + (i === j ? (i < 3 ? 2 * mu : mu) : 0));
    }
  }
  const F = Float64Array.of(1.1, 0.2, -0.1, 0.05, 0.9, 0.15, -0.08, 0.1, 1.05);
  const P = [new Float64Array(9), new Float64Array(9)];
  const energies = [C, [lambda, mu]].map((constants, k) => elasticLaw("stvk", constants)?.evaluate(F, P[k]));
  close(energies[0] ?? NaN, energies[1] ?? 0, 1e-12, "energy");
  P[0].forEach((value, k) => close(value, P[1][k], 1e-12, "stress"));
});

test("laws agree at small strains, and rotations cost no energy but in the linear law", () => {
  const angle = 0.7;
  const R = Float64Array.of(Math.cos(angle), -Math.sin(angle), 0, Math.sin(angle), Math.cos(angle), 0, 0, 0, 1);
  const small = Float64Array.of(1 + 1e-5, 2e-5, 0, 0, 1 - 1e-5, 1e-5, 0, 0, 1 + 3e-5);
  const P = new Float64Array(9);
  const reference = elasticLaw("linear", isotropicConstants("linear", young, poisson))?.evaluate(small, P) ?? 0;
  for (const name of laws) {
    const law = elasticLaw(name, isotropicConstants(name, young, poisson));
    assert.ok(law);
    assert.ok(Math.abs(law.evaluate(small, P) / reference - 1) < 2e-3, name);
    if (name !== "linear") assert.ok(Math.abs(law.evaluate(R, P)) < 1e-9 * young, name);
  }
});

test("fields of a stretched bar are those of the textbook", () => {
  // Uniaxial stress: du1/dx1 = e, the others -nu e; sigma = E e.
  const e = 1e-4;
  const gradient = new Float32Array(9);
  gradient[0] = 1;
  gradient[4] = gradient[8] = -poisson;
  const region = Int32Array.of(0);
  const materials = [{ law: "stvk", constants: [], young, poisson }];
  const c = Float32Array.of(e);
  const field = (name: "strain" | "stress" | "energy", linear: boolean) =>
    elasticField(name, gradient, c, region, materials, linear)[0];
  for (const linear of [true, false]) {
    close(field("stress", linear) / (young * e), 1, 1e-3, "von Mises stress");
    close(field("strain", linear) / ((1 - 2 * poisson) * e), 1, 1e-3, "strain trace");
    close(field("energy", linear) / (0.5 * young * e * e), 1, 1e-3, "energy");
  }
});

test("a rotated body has no stress, and an unknown law no value", () => {
  const angle = 1;
  const gradient = Float32Array.of(Math.cos(angle) - 1, -Math.sin(angle), 0, Math.sin(angle), Math.cos(angle) - 1, 0, 0, 0, 0);
  const one = Float32Array.of(1);
  const evaluate = (law: string, linear: boolean) =>
    elasticField("stress", gradient, one, Int32Array.of(0), [{ law, constants: [1, 1], young, poisson }], linear)[0];
  assert.ok(evaluate("stvk", false) < 1e-6 * young);
  assert.ok(evaluate("stvk", true) > 0.1 * young, "the linear law is not blind to rotations");
  const unknown = [{ law: "jelly", constants: [], young: null, poisson: null }];
  assert.ok(Number.isNaN(elasticField("stress", gradient, one, Int32Array.of(0), unknown, false)[0]));
});

test("X + U c, for all points and for one", () => {
  const X = Float32Array.of(0, 0, 0, 1, 2, 3);
  const U = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 2, 3, 0, 0);
  const c = Float32Array.of(0.5, -1);
  const x = deform(X, U, c);
  assert.deepEqual([...x], [0.5, 0, -2, -2, 2.5, 3]);
  assert.deepEqual(deformPoint(X, U, c, 1), [-2, 2.5, 3]);
  assert.deepEqual([...deform(X, U, c.subarray(0, 1))], [0.5, 0, 0, 1, 2.5, 3]);
  assert.deepEqual([...displacementNorms(X, x)].map((d) => Number(d.toFixed(4))), [2.0616, 3.0414]);
});

// The unit cube, triangles counter-clockwise from outside.
const cube = {
  X: Float32Array.from({ length: 24 }, (_, i) => (Math.floor(i / 3) >> i % 3) & 1),
  triangles: Int32Array.of(
    ...[0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4],
    ...[2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5],
  ),
};

test("a ray finds the nearest side and corner", () => {
  const hit = pick(cube.X, cube.triangles, [0.2, 0.1, 5], [0, 0, -1]);
  assert.ok(hit);
  close(hit.distance, 4, 1e-6, "distance");
  assert.equal(hit.point, 4, "the corner at 0 0 1");
  assert.equal(pick(cube.X, cube.triangles, [2, 2, 5], [0, 0, -1]), null);
  assert.equal(pick(cube.X, cube.triangles, [0.2, 0.1, 5], [0, 0, 1]), null, "behind");
  const inside = pick(cube.X, cube.triangles, [0.5, 0.5, 0.5], [0, 2, 0]);
  close(inside?.distance ?? NaN, 0.25, 1e-6, "from inside, in lengths of the direction");
});

test("normals point outwards", () => {
  const N = pointNormals(cube.X, cube.triangles);
  for (let k = 0; k < N.length; k += 3) {
    const outward = [0, 1, 2].reduce((sum, a) => sum + N[k + a] * (cube.X[k + a] - 0.5), 0);
    assert.ok(outward > 0.5);
    close(Math.hypot(N[k], N[k + 1], N[k + 2]), 1, 1e-6, "length");
  }
});

test("frequencies of basis vectors by Rayleigh's quotient", () => {
  const s = Math.SQRT1_2;
  const modes = [
    { frequency: 3, c: [s, s] },
    { frequency: 4, c: [2 * s, -2 * s] }, // of any size
  ];
  const f = basisFrequencies(modes, 2);
  assert.ok(f);
  close(f[0], Math.sqrt((9 + 16) / 2), 1e-12, "first");
  assert.equal(basisFrequencies(modes, 3), null);
  assert.equal(basisFrequencies([], 0), null);
});

test("held points: boxes at the sides, painting and letting go", () => {
  const bounds = { from: [0, 0, 0] as [number, number, number], to: [1, 1, 1] as [number, number, number] };
  const held = (side: "bottom" | "right", depth: number, up: "y" | "z" = "y") =>
    indicesOf(pointsInBox(cube.X, sideBox(bounds, up, side, depth)));
  assert.deepEqual(held("bottom", 0), [0, 1, 4, 5]);
  assert.deepEqual(held("right", 0.1), [1, 3, 5, 7]);
  assert.equal(held("bottom", 1).length, 8);
  assert.deepEqual(held("bottom", 0, "z"), [0, 1, 2, 3]);
  assert.deepEqual(unionBox([bounds, { from: [2, -1, 0], to: [3, 0, 1] }]), { from: [0, -1, 0], to: [3, 1, 1] });
  const painted = new Uint8Array(8);
  assert.ok(paintBall(painted, cube.X, [0, 0, 0], 1.1, 1));
  assert.deepEqual(indicesOf(painted), [0, 1, 2, 4]);
  assert.ok(!paintBall(painted, cube.X, [0, 0, 0], 0.5, 1), "nothing new");
  assert.ok(paintBall(painted, cube.X, [1, 0, 0], 0.5, 0));
  assert.deepEqual(indicesOf(painted), [0, 2, 4]);
  assert.deepEqual(readNodeList("1, 5,\n# held\n12 3"), [0, 4, 11, 2]);
  assert.equal(readNodeList("1, x"), null);
  assert.equal(readNodeList(""), null);
});

test("numbers as people read them", () => {
  assert.equal(quantity(0.00123, "m"), "1.23\u202fmm");
  assert.equal(quantity(2e7, "Pa"), "20.0\u202fMPa");
  assert.equal(quantity(999.9, "N"), "1.00\u202fkN");
  assert.equal(quantity(0.005, "%"), "0.500\u202f%");
  assert.equal(digits(-12.34, 3), "−12.3");
  assert.equal(digits(NaN), "–");
  assert.equal(niceAbove(0.21), 0.5);
  assert.equal(niceAbove(100), 100);
  assert.deepEqual(ticks(0, 10, 4), [0, 5, 10]);
  assert.equal(tickText(1, 0.5), "1.0");
  assert.equal(tickText(-0, 2), "0");
});

test("the range of a field leaves out a few peaks, and what has no value", () => {
  const values = Float32Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? i : -i));
  values[7] = 1e9;
  values[8] = NaN;
  assert.equal(sizeQuantile([values], 0.5), 501);
  assert.ok(sizeQuantile([values], 0.995) < 1000);
  assert.equal(sizeQuantile([], 0.5), 0);
});

const thin = "\u202f";

test("what is rounding reads 0, and rates are in units that people use", () => {
  assert.equal(quantity(1.11e-18, "J"), `0${thin}J`);
  assert.equal(quantity(-3e-15, "J"), `0${thin}J`);
  assert.equal(quantity(2.5e-9, "J"), `2.50${thin}nJ`);
  assert.equal(torqueText(3e-11, 0.65, 0.3), `0${thin}N m`);
  assert.equal(torqueText(3e-11, 0, 0.3), `0.0300${thin}nN m`);
  assert.equal(torqueText(0.01, 0.65, 0.3), `10.0${thin}mN m`);
  assert.equal(hertz(0.4166), `0.42${thin}Hz`);
  assert.equal(hertz(250), `250${thin}Hz`);
  assert.equal(hertz(1000), `1${thin}kHz`);
  assert.equal(short(2400), `2${thin}400`);
  assert.equal(stepWords(2.5, 1000), `about 3${thin}s a step, 2${thin}500× too slow for 1${thin}kHz`);
  assert.equal(stepWords(2e-4, 1000), `about 200${thin}µs a step, in time for 1${thin}kHz`);
});

test("the nodes of voxels are foreseen", () => {
  // A box of 4 x 2 x 1, in cells of 4 / 40: 40 x 20 x 10 of them.
  const X = new Float32Array(24);
  for (let i = 0; i < 8; ++i) X.set([i & 1 ? 4 : 0, i & 2 ? 2 : 0, i & 4 ? 1 : 0], 3 * i);
  const quads = ["0264", "1573", "0451", "2376", "0132", "4675"];
  const triangles = Int32Array.from(
    quads.flatMap((quad) => {
      const [a, b, c, d] = [...quad].map(Number);
      return [a, b, c, a, c, d];
    }),
  );
  const nodes = voxelNodes(X, triangles, 40);
  assert.ok(nodes > 41 * 21 * 11 && nodes < 1.3 * 41 * 21 * 11, `${nodes}`);
  assert.equal(voxelNodes(new Float32Array(24), triangles, 40), 0);
  assert.equal(stepSeconds({ engine: "full", seconds: 1e-6, power: 1.5 }, 10_000), 1);
});

test("a box has six flat sides, a smooth surface keeps its normals", () => {
  const X = new Float32Array(24);
  for (let v = 0; v < 8; ++v) X.set([v & 1, (v >> 1) & 1, (v >> 2) & 1], 3 * v);
  const N = X.map((x) => (2 * x - 1) / Math.sqrt(3));
  const box = [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5];
  const creased = crease(X, N, box);
  assert.equal(creased.X.length, 3 * 24, "three vertices at each of the corners");
  for (let i = 0; i < box.length; ++i) {
    const v = creased.triangles[i];
    assert.deepEqual(creased.X.subarray(3 * v, 3 * v + 3), X.subarray(3 * box[i], 3 * box[i] + 3));
    const n = Array.from(creased.N.subarray(3 * v, 3 * v + 3), Math.abs).sort();
    n.forEach((value, k) => close(value, k === 2 ? 1 : 0, 1e-6, "normal of a side"));
  }
  const smooth = crease(X, N, box, Math.PI);
  assert.deepEqual([smooth.X, smooth.N, Array.from(smooth.triangles)], [X, N, box]);
});

test("surface strain is the growth of the area, whatever the rotation", () => {
  // A square of four triangles, stretched to twice its length, thinned to 0.9 and turned.
  const X = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5, 0.5, 0, 9, 9, 9);
  const triangles = Int32Array.of(0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4);
  const rest = pointAreas(X, triangles);
  close(rest[4], 1, 1e-6, "the middle has all of the square");
  close(rest[0], 0.5, 1e-6, "a corner half of it");
  const x = new Float32Array(X.length);
  for (let p = 0; p < 6; ++p) x.set([0.9 * X[3 * p + 1], 5, 2 * X[3 * p]], 3 * p);
  const strain = areaStrain(rest, x, triangles);
  for (let p = 0; p < 5; ++p) close(strain[p], 0.8, 1e-6, `point ${p}`);
  assert.ok(Number.isNaN(strain[5]), "a point without triangles");
});

test("fields of a free surface are those of plane stress", () => {
  // Two triangles in a tilted plane, strained by a gradient in it; nothing outside of it may count.
  const [E, nu] = [2e5, 0.3];
  const normal = [1 / 3, 2 / 3, 2 / 3];
  const [p, q] = [[2 / 3, 1 / 3, -2 / 3], [2 / 3, -2 / 3, 1 / 3]]; // unit vectors in the plane
  const corners = [[0, 0], [1, 0.2], [0.7, 1.1], [-0.3, 0.8]];
  const place = (a: number, b: number, c = 0) => [0, 1, 2].map((k) => a * p[k] + b * q[k] + c * normal[k]);
  const X = Float32Array.from(corners.flatMap(([a, b]) => place(a, b)));
  const [e11, e22, e12] = [2e-3, -1e-3, 0.7e-3];
  const spin = 5e-4;
  const moved = corners.map(([a, b]) =>
    place(a + e11 * a + (e12 - spin) * b, b + (e12 + spin) * a + e22 * b, 1e-3 * a - 2e-3 * b),
  );
  const x = Float32Array.from(moved.flat());
  const triangles = Int32Array.of(0, 1, 2, 0, 2, 3);
  const value = (name: "strain" | "stress" | "energy") => surfaceField(name, X, x, triangles, E, nu)[0];
  const e33 = (-nu / (1 - nu)) * (e11 + e22);
  close(value("strain"), e11 + e22 + e33, 2e-6, "trace");
  // By the law in space, which knows nothing of planes.
  const F = Float64Array.of(1 + e11, e12, 0, e12, 1 + e22, 0, 0, 0, 1 + e33);
  const P = new Float64Array(9);
  const law = elasticLaw("linear", isotropicConstants("linear", E, nu));
  const psi = law?.evaluate(F, P) ?? NaN;
  close(P[8] / E, 0, 1e-12, "nothing acts across");
  close(value("energy") / psi, 1, 2e-3, "energy");
  const mises = Math.sqrt(P[0] ** 2 - P[0] * P[4] + P[4] ** 2 + 3 * P[1] ** 2);
  close(value("stress") / mises, 1, 2e-3, "stress");
});
