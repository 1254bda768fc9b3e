// SPDX-License-Identifier: MIT
// How what one moves, a pointer or a device, moves the hand that holds a whole body: how far, and
// whether at all. Of a device the server knows it, of a pointer the page.
import type { Session } from "../state/session.ts";
import { Signal } from "../state/signal.ts";
import type { PullTool } from "./pull.ts";

export interface HandlingState {
  scale: number;
  indexing: boolean; // the hand stands still
}

export const scaleStep = 1.25;
const [least, most] = [0.01, 100];

export class Handling {
  readonly state = new Signal<HandlingState>({ scale: 1, indexing: false });

  constructor(
    private readonly session: Session,
    private readonly pull: PullTool,
  ) {
    session.settings.follow((settings) => {
      if (settings?.device) {
        const { scale, indexing } = settings.device;
        const { value } = this.state;
        if (value.scale !== scale || value.indexing !== indexing) this.state.value = { scale, indexing };
      }
    });
    session.scene.follow((scene) => {
      if (scene?.device === null) this.set({ scale: 1, indexing: false });
    });
  }

  toggle(): void {
    this.set({ ...this.state.value, indexing: !this.state.value.indexing });
  }

  rescale(factor: number): void {
    this.set({ ...this.state.value, scale: this.state.value.scale * factor });
  }

  set({ scale, indexing }: HandlingState): void {
    const next = { scale: Math.min(most, Math.max(least, scale)), indexing };
    if (this.session.scene.value?.device) {
      this.session.send({ type: "workspace", ...next });
      return; // what the server makes of it comes with the settings
    }
    this.pull.scale = next.scale;
    this.pull.indexing = next.indexing;
    this.state.value = next;
  }
}
