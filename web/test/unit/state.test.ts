// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Sketch } from "../../src/interact/sketch.ts";
import { encodeFrame } from "../../src/protocol/encode_frame.ts";
import { type Frame, HandFlags, type PullFrame } from "../../src/protocol/frames.ts";
import { Recording } from "../../src/record/recording.ts";
import { EchoedValue } from "../../src/state/echoed_value.ts";
import { Health, statusTexts, statusWords } from "../../src/state/health.ts";
import { History, Series } from "../../src/state/history.ts";
import { ModalBody, ModalWorld, dt } from "../double/modal_world.ts";
import { makeScene } from "../double/scenes.ts";

function frameAt(time: number, force = 0): Frame {
  return {
    sequence: 0,
    epoch: 1,
    step: Math.round(1000 * time),
    time,
    bodies: [],
    pulls: force > 0 ? [pullOf(0, 5, force)] : [],
    contacts: [],
    meeting: null,
    controls: [],
    pressures: [],
    handle: null,
    device: null,
    counters: null,
    histogram: null,
  };
}

function pullOf(slot: number, point: number, force: number): PullFrame {
  return {
    slot,
    body: 0,
    point,
    at: new Float32Array(3),
    target: new Float32Array(3),
    force: Float32Array.of(0, force, 0),
    spring: null,
  };
}

test("a series keeps the newest", () => {
  const series = new Series(2, 4);
  for (let i = 0; i < 6; ++i) series.push(i, 10 * i, -i);
  assert.equal(series.count, 4);
  assert.deepEqual([0, 1, 2, 3].map((i) => series.time(i)), [2, 3, 4, 5]);
  assert.equal(series.last(0), 50);
  assert.equal(series.value(1, 0), -2);
});

test("plots stand still while paused and start anew after a reset", () => {
  const history = new History();
  history.add(frameAt(0.1, 3), 0.5);
  history.add(frameAt(0.1, 3), 0.5);
  assert.equal(history.force.count, 1);
  history.add(frameAt(0.2), NaN);
  assert.equal(history.force.count, 2);
  assert.equal(history.probe.count, 1, "no point is chosen");
  history.add(frameAt(0.001), 0);
  assert.equal(history.force.count, 1);
});

test("plots hold what every kind of hand does", () => {
  const history = new History();
  const pose = Float32Array.of(0, 0, 0, 1, 0, 0, 0);
  const [force, torque, at] = [Float32Array.of(0, 3, 4), Float32Array.of(0, 0, 2), new Float32Array(3)];
  const handle = { pose, ghost: pose, force, torque, flags: HandFlags.spring, at, held: at };
  const control = { body: 0, element: 0, driven: true, motion: new Float32Array(12), centre: at, force, torque };
  history.add({ ...frameAt(0.1, 1), handle, controls: [control, { ...control, driven: false }] }, NaN);
  assert.equal(history.force.last(0), 1 + 5 + 5, "a point, a body and an element that is driven");
  assert.equal(history.torque.last(0), 2 + 2);
  history.add({ ...frameAt(0.2), handle: { ...handle, flags: 0 } }, NaN);
  assert.equal(history.force.last(0), 0, "nothing holds it");
});

test("every bit of the status has words, and is told", () => {
  statusTexts.forEach((_, bit) => {
    const report = watch(new Health(), 0, 4, 1000, 1 << bit);
    assert.equal(report.status, 1 << bit);
  });
  const header = readFileSync("../src/pliant/base/step_status.hpp", "utf8");
  const bits = [...header.matchAll(/^ {2}\w+ = (\d+),/gm)].map(([, value]) => Number(value)).filter((value) => value > 0);
  assert.deepEqual(bits, statusTexts.map((_, bit) => 1 << bit), "as StepStatus has them");
});

test("of several bodies the one in trouble is named", () => {
  const health = new Health();
  const limited = { status: 8 | 16, fault: { body: 1, status: 8 } };
  let report = health.hear({ step: 0, counters: limited }, 0, 1000);
  for (let ms = 16; ms < 3000; ms += 16) report = health.hear({ step: ms, counters: limited }, ms, 1000);
  assert.equal(statusWords(report, ["box", "dragon"]), "dragon: motion limited; time step too large");
  assert.equal(statusWords(report, ["dragon"]), "motion limited, time step too large", "who else");
  report = health.hear({ step: 3000, counters: { status: 8, fault: { body: 0, status: 8 } } }, 3000, 1000);
  assert.match(statusWords(report, ["box", "dragon"]), /^box: motion limited/, "the last one");
});

test("a recording gives the frame of any time", () => {
  const recording = new Recording();
  for (let i = 0; i < 10; ++i) {
    assert.ok(recording.add(encodeFrame(frameAt(i)).slice().buffer as ArrayBuffer, 1000 + 100 * i));
  }
  assert.ok(Math.abs(recording.duration - 0.9) < 1e-9);
  assert.equal(recording.at(0)?.time, 0);
  assert.equal(recording.at(0.25)?.time, 2);
  assert.equal(recording.at(99)?.time, 9);
  assert.equal(new Recording().at(0), null);
});

test("a sketch keeps forces that differ, stroke by stroke", () => {
  const sketch = new Sketch(0);
  assert.ok(!sketch.add([pullOf(0, 5, 0)]), "no force yet");
  assert.ok(sketch.add([pullOf(0, 5, 10)]));
  assert.ok(!sketch.add([pullOf(0, 5, 10.1)]), "the same force again");
  assert.ok(sketch.add([pullOf(0, 5, 12)]));
  sketch.add([]);
  assert.ok(sketch.add([pullOf(0, 5, 12)]), "a new stroke");
  assert.ok(!sketch.add([{ ...pullOf(1, 6, 12), body: 1 }]), "another body");
  assert.deepEqual(
    sketch.strokes.map((stroke) => stroke.forces.length),
    [2, 1],
  );
  sketch.undo();
  assert.equal(sketch.samples, 2);
});

test("the double vibrates at its analytic frequency and keeps its energy", () => {
  const scene = makeScene("beam", 8);
  assert.ok(scene);
  const { world } = scene;
  const body = world.bodies[0] as ModalBody;
  world.settings.gravity = [0, 0, 0];
  Object.assign(world.settings.bodies[0], { alpha: 0, beta: 0 });
  body.q[0] = 0.01;
  const total = () => {
    const { kinetic, elastic } = body.energies(world.settings.bodies[0]);
    return kinetic + elastic;
  };
  const before = total();
  let crossings = 0;
  let last = body.q[0];
  const steps = 4000;
  for (let i = 0; i < steps; ++i) {
    world.advance();
    if (last < 0 && body.q[0] >= 0) ++crossings;
    last = body.q[0];
  }
  assert.ok(Math.abs(crossings - body.shape.frequencies[0] * steps * dt) <= 1);
  assert.ok(Math.abs(total() / before - 1) < 1e-9);
});

test("a hand holds the double where statics say", () => {
  const scene = makeScene("beam", 8);
  assert.ok(scene);
  const world: ModalWorld = scene.world;
  const body = world.bodies[0] as ModalBody;
  world.settings.gravity = [0, 0, 0];
  world.settings.bodies[0].alpha = 20;
  let point = 0;
  for (let p = 0; p < body.P; ++p) if (body.shape.surface.X[3 * p] > body.shape.surface.X[3 * point]) point = p;
  const target = body.at(point);
  target[1] += 0.05;
  world.hands.set(0, { body: 0, point, target, stiffness: 300 });
  for (let i = 0; i < 20_000; ++i) world.advance();
  const [pull] = world.pulls();
  // w_i^2 q_i = U_i . f
  body.shape.frequencies.forEach((frequency, i) => {
    const u = body.column(i, point);
    const load = u[0] * pull.force[0] + u[1] * pull.force[1] + u[2] * pull.force[2];
    const expected = load / (2 * Math.PI * frequency) ** 2;
    assert.ok(Math.abs(body.q[i] - expected) < 1e-4 * Math.abs(body.q[0]) + 1e-9, `mode ${i}`);
  });
});

function echoed(value: number) {
  const shown: number[] = [];
  const same = (a: number, b: number) => Math.abs(a - b) < 1e-9;
  return { held: new EchoedValue(value, same, (next) => shown.push(next)), shown };
}

test("an echo of an earlier input does not move a value back, however late it is", (context) => {
  context.mock.timers.enable();
  const { held, shown } = echoed(1);
  held.put(2);
  held.put(3);
  context.mock.timers.tick(1900);
  held.hear(1);
  held.hear(2);
  assert.equal(held.value, 3);
  held.hear(3);
  assert.deepEqual(shown, [3]);
  // From here on the server is right, at once.
  held.hear(7);
  assert.equal(held.value, 7);
  context.mock.timers.tick(10_000);
  assert.deepEqual(shown, [3, 7]);
});

test("what the server made of a value is taken when the user rests", (context) => {
  context.mock.timers.enable();
  const { held, shown } = echoed(1);
  held.put(9);
  held.hear(5); // limited
  context.mock.timers.tick(1500);
  held.put(10);
  held.hear(5);
  context.mock.timers.tick(1500);
  assert.equal(held.value, 10);
  context.mock.timers.tick(600);
  assert.equal(held.value, 5);
  assert.deepEqual(shown, [5]);
});

// Frames 60 times a second for some seconds, of a world that makes `rate` steps a second.
function watch(health: Health, from: number, seconds: number, rate: number, status = 0) {
  let report = health.hear({ step: 0, counters: null }, -1, 0);
  for (let i = 1; i <= 60 * seconds; ++i) {
    const time = from + i / 60;
    const step = Math.floor(rate * (i / 60));
    report = health.hear({ step, counters: { status, fault: null } }, 1000 * time, 1000);
  }
  return report;
}

test("a world that keeps its rate is well, and one that does not says by how much", () => {
  const well = watch(new Health(), 0, 5, 1000);
  assert.equal(well.slower, 1);
  assert.ok(well.rate && Math.abs(well.rate - 1000) < 5, `${well.rate}`);
  const slow = watch(new Health(), 0, 30, 0.4);
  assert.ok(Math.abs(slow.slower / 2500 - 1) < 0.2, `${slow.slower}`);
  const half = watch(new Health(), 0, 8, 500);
  assert.ok(Math.abs(half.slower - 2) < 0.05, `${half.slower}`);
});

test("only trouble that lasts is told", () => {
  const health = new Health();
  const hear = (ms: number, status: number) => health.hear({ step: ms, counters: { status, fault: null } }, ms, 1000);
  for (let ms = 0; ms < 5000; ms += 16) assert.equal(hear(ms, ms === 1600 ? 8 : 0).status, 0, `${ms}`);
  let told = 0;
  for (let ms = 5000; ms < 9000; ms += 16) {
    const { status } = hear(ms, ms % 160 === 8 ? 8 : 0); // now and then, again and again
    if (status !== 0 && told === 0) told = ms;
    assert.ok(status === 0 || status === 8);
  }
  assert.ok(told >= 7000 && told < 7400, `${told}`);
  for (let ms = 9000; ms < 11_000; ms += 16) hear(ms, 0);
  assert.equal(hear(11_000, 0).status, 0);
});

test("a pause is no trouble, and what was before it is forgotten", () => {
  const health = new Health();
  for (let ms = 0; ms < 3000; ms += 16) health.hear({ step: ms, counters: null }, ms, 1000);
  for (let ms = 3000; ms < 9000; ms += 250) health.hear({ step: 3000, counters: null }, ms, 0);
  const after = health.hear({ step: 3016, counters: null }, 9016, 1000);
  assert.equal(after.slower, 1);
});
