// SPDX-License-Identifier: MIT
// What arrived, kept to be shown again: the frames of the server, byte for byte, with their times.
import { type Frame, decodeFrame } from "../protocol/frames.ts";

const maxBytes = 256 << 20;

export class Recording {
  private readonly frames: ArrayBuffer[] = [];
  private readonly times: number[] = []; // since the first [s], as they arrived
  private start = 0;
  bytes = 0;

  // False: it is full.
  add(bytes: ArrayBuffer, now: number): boolean {
    if (this.bytes + bytes.byteLength > maxBytes) return false;
    if (this.frames.length === 0) this.start = now;
    this.frames.push(bytes);
    this.times.push((now - this.start) / 1000);
    this.bytes += bytes.byteLength;
    return true;
  }

  get count(): number {
    return this.frames.length;
  }

  get duration(): number {
    return this.times.at(-1) ?? 0;
  }

  all(): Frame[] {
    return this.frames.map((bytes) => decodeFrame(bytes));
  }

  // The last frame that is not later than `time`.
  at(time: number): Frame | null {
    if (this.frames.length === 0) return null;
    let low = 0;
    let high = this.times.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return decodeFrame(this.frames[low]);
  }
}
