// SPDX-License-Identifier: MIT
// The other direction of frames.ts: what a server writes.
import {
  type Frame,
  Kind,
  Tag,
  frameMagic,
  frameVersion,
} from "./frames.ts";

class Writer {
  private bytes = new Uint8Array(1024);
  private view = new DataView(this.bytes.buffer);
  length = 0;

  // Call it before naming `view`, which it may replace.
  private grow(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.length));
      larger.set(this.bytes.subarray(0, at));
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    return at;
  }
  u16(value: number): void {
    const at = this.grow(2);
    this.view.setUint16(at, value, true);
  }
  u32(value: number, at = this.grow(4)): void {
    this.view.setUint32(at, value, true);
  }
  u64(value: number): void {
    const at = this.grow(8);
    this.view.setBigUint64(at, BigInt(value), true);
  }
  f64(value: number): void {
    const at = this.grow(8);
    this.view.setFloat64(at, value, true);
  }
  f32(...values: number[]): void {
    for (const value of values) {
      const at = this.grow(4);
      this.view.setFloat32(at, value, true);
    }
  }
  f32s(values: Float32Array): void {
    this.f32(...values);
  }
  copy(values: ArrayBufferView): void {
    const at = this.grow(values.byteLength);
    this.bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
  }
  section(tag: number, write: () => void): void {
    this.u16(tag);
    this.u16(0);
    const lengthAt = this.grow(4);
    const start = this.length;
    write();
    this.u32(this.length - start, lengthAt);
    this.grow((4 - (this.length % 4)) % 4);
  }
  finish(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}

export function encodeFrame(frame: Frame): Uint8Array {
  const w = new Writer();
  w.u32(frameMagic);
  w.u16(frameVersion);
  w.u16(Kind.state);
  w.u32(frame.sequence);
  w.u32(frame.epoch);
  w.u64(frame.step);
  w.f64(frame.time);
  for (const { body, pose, kinetic, elastic, c, dense } of frame.bodies) {
    w.section(dense ? Tag.dense : Tag.body, () => {
      w.u16(body);
      w.u16(c.length);
      if (dense) w.u32(dense.values.length / 3);
      w.f32s(pose);
      w.f32(kinetic, elastic);
      if (dense) w.f32(dense.quantum);
      w.copy(dense ? dense.values : c);
    });
  }
  if (frame.pulls.length > 0) {
    w.section(Tag.pulls, () => {
      for (const pull of frame.pulls) {
        w.u16(pull.slot);
        w.u16(pull.body);
        w.u32(pull.point);
        w.f32(...pull.at, ...pull.target, ...pull.force);
      }
    });
    w.section(Tag.springs, () => {
      for (const { slot, spring } of frame.pulls) {
        if (!spring) continue;
        w.u16(slot);
        w.u16(0);
        w.f32(spring.stiffness, spring.wanted);
      }
    });
  }
  if (frame.contacts.length > 0) {
    w.section(Tag.contacts, () => {
      for (const contact of frame.contacts) {
        w.u16(contact.bodyA);
        w.u16(contact.bodyB);
        w.f32(...contact.position, ...contact.normal, contact.force);
      }
    });
  }
  const { meeting, handle, device, counters, histogram } = frame;
  if (meeting) {
    w.section(Tag.meeting, () => {
      const { pairs, visited, asleep, contacts, levelsLeftOut, budget } = meeting;
      for (const x of [pairs, visited, asleep, contacts, levelsLeftOut, budget]) w.u32(x);
      w.f32(meeting.deepest);
    });
  }
  if (handle) {
    w.section(Tag.handle, () => {
      w.f32(...handle.pose, ...handle.ghost, ...handle.force, ...handle.torque);
      w.u32(handle.flags);
      w.f32(...handle.at, ...handle.held);
    });
  }
  if (device) {
    w.section(Tag.device, () => {
      for (const x of [device.flags, device.state, device.fault, device.faults]) w.u32(x);
      w.f32(...device.force, ...device.torque);
      w.u32(device.buttons);
      w.f32(device.gripper, device.scale, device.gripperForce);
    });
  }
  if (frame.controls.length > 0) {
    w.section(Tag.controls, () => {
      for (const control of frame.controls) {
        w.u16(control.body);
        w.u16(control.element);
        w.u32(control.driven ? 1 : 0);
        w.f32(...control.motion, ...control.centre, ...control.force, ...control.torque);
      }
    });
  }
  for (const { body, columns, rows, outside, taxels } of frame.pressures) {
    w.section(Tag.pressure, () => {
      for (const x of [body, columns, rows, 0]) w.u16(x);
      w.f32(outside);
      w.copy(taxels);
    });
  }
  if (counters) {
    w.section(Tag.counters, () => {
      w.f32(counters.p50, counters.p99, counters.max, counters.mean, counters.peak);
      w.u32(counters.overruns);
      w.u32(counters.status);
      w.u32(counters.skipped);
      w.u32(counters.fault?.body ?? 0xffff_ffff);
      w.u32(counters.fault?.status ?? 0);
    });
  }
  if (histogram) {
    w.section(Tag.histogram, () => {
      w.u32(histogram.counts.length);
      w.f32(histogram.first, histogram.ratio);
      w.copy(histogram.counts);
    });
  }
  return w.finish();
}

// Displacements (x y z of each point [m]) as 16-bit integers.
export function quantise(displacements: Float32Array): { quantum: number; values: Int16Array } {
  let largest = 0;
  for (const u of displacements) largest = Math.max(largest, Math.abs(u));
  const quantum = largest / 32_767;
  const values = new Int16Array(displacements.length);
  if (quantum > 0) displacements.forEach((u, i) => (values[i] = Math.round(u / quantum)));
  return { quantum, values };
}
