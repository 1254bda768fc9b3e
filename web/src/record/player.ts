// SPDX-License-Identifier: MIT
// Records what the server sends, and plays it back in its place.
import type { Frame } from "../protocol/frames.ts";
import { Signal } from "../state/signal.ts";
import { Recording } from "./recording.ts";

export type PlayerState =
  | { kind: "live" }
  | { kind: "recording"; since: number }
  | { kind: "replay"; playing: boolean; time: number; duration: number };

export class Player {
  readonly state = new Signal<PlayerState>({ kind: "live" });
  speed = 1;
  private recording: Recording | null = null;
  private lastTick = 0;

  // What is shown; `live` frames come in by feed().
  constructor(private readonly show: (frame: Frame, live: boolean) => void) {}

  get frames(): Frame[] {
    return this.recording?.all() ?? [];
  }

  get hasRecording(): boolean {
    return (this.recording?.count ?? 0) > 1;
  }

  feed(frame: Frame, bytes: ArrayBuffer): void {
    const { value } = this.state;
    if (value.kind === "replay") return;
    if (value.kind === "recording" && !this.recording?.add(bytes, performance.now())) this.live();
    this.show(frame, true);
  }

  record(): void {
    this.recording = new Recording();
    this.state.value = { kind: "recording", since: performance.now() };
  }

  live(): void {
    this.state.value = { kind: "live" };
  }

  // The recording belongs to a scene that is gone.
  forget(): void {
    this.recording = null;
    this.live();
  }

  replay(): void {
    if (!this.hasRecording) return;
    this.seek(0, true);
    this.lastTick = performance.now();
  }

  seek(time: number, playing: boolean): void {
    const recording = this.recording;
    if (!recording) return;
    const { duration } = recording;
    const inside = Math.min(Math.max(time, 0), duration);
    const ends = playing && time >= duration;
    this.state.value = { kind: "replay", playing: playing && !ends, time: inside, duration };
    this.lastTick = performance.now();
    const frame = recording.at(inside);
    if (frame) this.show(frame, false);
  }

  // Before every picture. True while it plays.
  tick(now: number): boolean {
    const { value } = this.state;
    if (value.kind !== "replay" || !value.playing) return false;
    this.seek(value.time + (this.speed * Math.max(0, now - this.lastTick)) / 1000, true);
    return true;
  }
}
