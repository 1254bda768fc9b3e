// SPDX-License-Identifier: MIT
// Strokes for a basis from sketches: the forces that a hand made, point by point. [Barbic07] 2.8.2
import type { PullFrame } from "../protocol/frames.ts";
import { limits } from "../protocol/messages.ts";
import type { Vec3 } from "../protocol/schema.ts";

export interface Stroke {
  point: number;
  forces: Vec3[];
}

const newSample = 0.03; // of the largest force so far, between two samples of a stroke

export class Sketch {
  readonly strokes: Stroke[] = [];
  samples = 0;
  private largest = 0;
  private readonly open = new Map<number, Stroke>(); // by slot

  constructor(readonly body: number) {}

  // The hands of a frame. True: something was added.
  add(pulls: readonly PullFrame[]): boolean {
    const mine = pulls.filter((pull) => pull.body === this.body);
    for (const slot of [...this.open.keys()]) {
      if (!mine.some((pull) => pull.slot === slot)) this.open.delete(slot);
    }
    let added = false;
    for (const pull of mine) added = this.addSample(pull) || added;
    return added;
  }

  private addSample({ slot, point, force }: PullFrame): boolean {
    const size = Math.hypot(...force);
    if (!(size > 0) || this.samples >= limits.sketch_samples) return false;
    this.largest = Math.max(this.largest, size);
    let stroke = this.open.get(slot);
    const last = stroke?.forces.at(-1) ?? [0, 0, 0];
    const change = Math.hypot(force[0] - last[0], force[1] - last[1], force[2] - last[2]);
    if (change < newSample * this.largest) return false;
    if (!stroke || stroke.point !== point) {
      stroke = { point, forces: [] };
      this.open.set(slot, stroke);
      this.strokes.push(stroke);
    }
    stroke.forces.push([force[0], force[1], force[2]]);
    ++this.samples;
    return true;
  }

  // Takes back the last stroke.
  undo(): void {
    const stroke = this.strokes.pop();
    this.samples -= stroke?.forces.length ?? 0;
  }
}
