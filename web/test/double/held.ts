// SPDX-License-Identifier: MIT
// A rigid body in a hand, above a floor that stops it, and a control element that goes where it is
// told: what of the server's frames a page draws of them, without any physics but springs.
import type { ControlFrame, DeviceFrame, HandleFrame, Pose } from "../../src/protocol/frames.ts";
import { DeviceFlags, HandFlags } from "../../src/protocol/frames.ts";

const stiffness = 1000; // N/m
const turning = 2; // N m

export class HeldBody {
  private hand: Pose;

  constructor(
    readonly body: number,
    private readonly start: Pose,
    private readonly floor: number, // height that its middle does not go below [m]
    readonly device: boolean, // a device moves the hand, and not the page
  ) {
    this.hand = start;
  }

  scale = 1;
  indexing = false;

  move(position: readonly number[], rotation: readonly number[]): void {
    this.hand = Float32Array.of(...position, ...rotation);
  }

  reset(): void {
    this.hand = this.start;
  }

  pose(): Pose {
    const pose = this.hand.slice();
    pose[1] = Math.max(pose[1], this.floor);
    return pose;
  }

  handle(): HandleFrame {
    const ghost = this.pose();
    const force = [0, 1, 2].map((k) => stiffness * (ghost[k] - this.hand[k]));
    return {
      pose: this.hand,
      ghost,
      force: Float32Array.from(force),
      torque: this.hand.slice(4, 7).map((x) => -turning * x),
      flags: HandFlags.spring,
      at: this.hand.slice(0, 3),
      held: ghost.slice(0, 3),
    };
  }

  deviceFrame(step: number): DeviceFrame | null {
    if (!this.device) return null;
    return {
      flags: DeviceFlags.there | (this.indexing ? DeviceFlags.indexing : 0),
      state: 2,
      fault: 1,
      faults: step > 0 ? 1 : 0,
      force: Float32Array.of(0, 1.5, 0),
      torque: new Float32Array(3),
      buttons: 0b101,
      gripper: 0.5,
      scale: this.scale,
      gripperForce: 0,
    };
  }
}

export class ControlElement {
  private motion = new Float32Array(12);

  constructor(
    private readonly body: number,
    private readonly centre: readonly number[],
  ) {}

  set(motion: readonly number[]): void {
    this.motion = Float32Array.from(motion);
  }

  reset(): void {
    this.motion.fill(0);
  }

  frame(): ControlFrame {
    const shift = [...this.motion.slice(0, 3)];
    const M = this.motion.slice(3);
    return {
      body: this.body,
      element: 0,
      driven: true,
      motion: this.motion,
      centre: Float32Array.from(this.centre, (x, k) => x + shift[k]),
      force: Float32Array.from(shift, (x) => stiffness * x),
      torque: Float32Array.of(M[7] - M[5], M[2] - M[6], M[3] - M[1]).map((x) => turning * x),
    };
  }
}
