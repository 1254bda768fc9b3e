// SPDX-License-Identifier: MIT
// The last seconds of some numbers, for the plots.
import { type Frame, HandFlags, type HistogramFrame } from "../protocol/frames.ts";

// A ring of samples: a time and one number a channel.
export class Series {
  private readonly times: Float64Array;
  private readonly values: Float64Array[];
  private next = 0;
  count = 0;

  constructor(
    channels: number,
    private readonly capacity = 1200,
  ) {
    this.times = new Float64Array(capacity);
    this.values = Array.from({ length: channels }, () => new Float64Array(capacity));
  }

  push(time: number, ...values: number[]): void {
    this.times[this.next] = time;
    values.forEach((value, channel) => (this.values[channel][this.next] = value));
    this.next = (this.next + 1) % this.capacity;
    this.count = Math.min(this.count + 1, this.capacity);
  }

  clear(): void {
    this.next = this.count = 0;
  }

  private index(i: number): number {
    return (this.next - this.count + i + 2 * this.capacity) % this.capacity;
  }
  // i from 0, the oldest, to count - 1.
  time(i: number): number {
    return this.times[this.index(i)];
  }
  value(channel: number, i: number): number {
    return this.values[channel][this.index(i)];
  }
  last(channel: number): number {
    return this.count > 0 ? this.value(channel, this.count - 1) : NaN;
  }
}

// Sizes of what people do to the bodies, together.
function handWrench({ pulls, handle, controls }: Frame): { force: number; torque: number } {
  const held = handle && handle.flags & HandFlags.spring ? [handle] : [];
  const whole = [...held, ...controls.filter(({ driven }) => driven)];
  const total = (vectors: Float32Array[]) => vectors.reduce((sum, v) => sum + Math.hypot(...v), 0);
  return {
    force: total([...pulls, ...whole].map(({ force }) => force)),
    torque: total(whole.map(({ torque }) => torque)),
  };
}

export class History {
  readonly cycle = new Series(2); // mean, peak [s]
  readonly force = new Series(1); // of all hands, of that which holds a body and of what drives control elements [N]
  readonly torque = new Series(1); // of the last two [N m]
  readonly energy = new Series(2); // kinetic, elastic [J]
  readonly probe = new Series(1); // displacement of the chosen point [m]
  histogram: HistogramFrame | null = null;
  private lastTime = -Infinity;

  // `displacement` of the chosen point; NaN without one.
  add(frame: Frame, displacement: number): void {
    if (frame.histogram) this.histogram = frame.histogram;
    if (frame.time < this.lastTime) this.clear();
    if (frame.time <= this.lastTime) return; // paused
    this.lastTime = frame.time;
    if (frame.counters) {
      this.cycle.push(frame.time, 1e-6 * frame.counters.mean, 1e-6 * frame.counters.peak);
    }
    const { force, torque } = handWrench(frame);
    this.force.push(frame.time, force);
    this.torque.push(frame.time, torque);
    const total = (key: "kinetic" | "elastic") =>
      frame.bodies.reduce((sum, body) => sum + body[key], 0);
    this.energy.push(frame.time, total("kinetic"), total("elastic"));
    if (!Number.isNaN(displacement)) this.probe.push(frame.time, displacement);
  }

  clear(): void {
    for (const series of [this.cycle, this.force, this.torque, this.energy, this.probe]) series.clear();
    this.lastTime = -Infinity;
  }
}
