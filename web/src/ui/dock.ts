// SPDX-License-Identifier: MIT
// The bar at the bottom: time, recording, pictures.
import { seconds } from "../math/units.ts";
import { VideoCapture, download, fileName, picture } from "../record/capture.ts";
import type { Viewer } from "../viewer.ts";
import { button } from "./controls.ts";
import { type IconName, h, icon, replace } from "./dom.ts";

const speeds = [1, 0.5, 0.25, 0.1, 0.02];

export class Dock {
  readonly element: HTMLElement;
  private readonly pauseButton: HTMLButtonElement;
  private readonly speedSelect: HTMLSelectElement;
  private readonly recordButton: HTMLButtonElement;
  private readonly replayButton: HTMLButtonElement;
  private readonly videoButton: HTMLButtonElement;
  private readonly clock = h("output", { class: "clock", title: "Time of the simulation" });
  private readonly scrub = h("input", {
    type: "range",
    min: 0,
    max: 1000,
    value: 0,
    "aria-label": "Time of the replay",
  });
  private readonly scrubber: HTMLElement;
  private video: VideoCapture | null = null;

  constructor(
    private readonly viewer: Viewer,
    private readonly decorate: (
      draw: CanvasRenderingContext2D,
      width: number,
      height: number,
    ) => void,
  ) {
    const { session, player } = viewer;
    const small = { textHidden: true } as const;
    this.pauseButton = button({ label: "Pause", icon: "pause", shortcut: "Space", ...small }, () =>
      this.pause(),
    );
    this.speedSelect = h(
      "select",
      { "aria-label": "Speed", title: "Speed" },
      ...speeds.map((speed) => h("option", { value: speed }, speed === 1 ? "1×" : `${speed}×`)),
    );
    this.speedSelect.addEventListener("change", () => this.setSpeed(Number(this.speedSelect.value)));
    this.recordButton = button({ label: "Record", icon: "record", shortcut: "C", ...small }, () =>
      this.record(),
    );
    this.replayButton = button({ label: "Replay", icon: "replay", shortcut: "Y", ...small }, () =>
      this.replay(),
    );
    this.videoButton = button({ label: "Video", icon: "video", shortcut: "V", ...small }, () => {
      void this.toggleVideo();
    });
    this.videoButton.hidden = !VideoCapture.supported;
    this.scrub.addEventListener("input", () => {
      const { value } = player.state;
      if (value.kind !== "replay") return;
      player.seek((Number(this.scrub.value) / 1000) * value.duration, false);
    });
    this.scrubber = h("div", { class: "scrubber" }, this.scrub);
    this.element = h(
      "div",
      { class: "dock", role: "toolbar", "aria-label": "Time and recording" },
      button({ label: "Reset", icon: "reset", shortcut: "R", title: "Back to rest", ...small }, () =>
        this.reset(),
      ),
      this.pauseButton,
      button({ label: "Step", icon: "step", shortcut: ".", title: "One step", ...small }, () => this.step()),
      this.speedSelect,
      this.clock,
      h("span", { class: "divider" }),
      this.recordButton,
      this.replayButton,
      this.scrubber,
      h("span", { class: "divider" }),
      button({ label: "Camera to start", icon: "home", shortcut: "H", ...small }, () => viewer.resetCamera()),
      button({ label: "Picture", icon: "picture", shortcut: "S", title: "Save a picture", ...small }, () => {
        void this.savePicture();
      }),
      this.videoButton,
    );
    session.settings.follow(() => this.show());
    player.state.follow(() => this.show());
  }

  setTime(time: number): void {
    this.clock.textContent = `${time.toFixed(2)} s`;
  }

  pause(): void {
    const { session, player } = this.viewer;
    const { value } = player.state;
    if (value.kind === "replay") {
      player.seek(value.time >= value.duration ? 0 : value.time, !value.playing);
    } else {
      session.send({ type: "pause", on: !session.settings.value?.paused });
    }
  }

  step(): void {
    const { session } = this.viewer;
    if (!session.settings.value?.paused) session.send({ type: "pause", on: true });
    session.send({ type: "advance", steps: 1 });
  }

  reset(): void {
    this.viewer.player.live();
    this.viewer.look.shape.value = null;
    this.viewer.session.send({ type: "reset" });
  }

  setSpeed(factor: number): void {
    const { session, player } = this.viewer;
    if (player.state.value.kind === "replay") player.speed = factor;
    else session.send({ type: "speed", factor });
  }

  record(): void {
    const { player } = this.viewer;
    if (player.state.value.kind === "recording") player.live();
    else player.record();
  }

  replay(): void {
    const { player } = this.viewer;
    if (player.state.value.kind === "replay") player.live();
    else player.replay();
  }

  async savePicture(): Promise<void> {
    const { stage, session } = this.viewer;
    stage.drawFine();
    const blob = await picture(stage.canvas, this.decorate);
    download(blob, fileName(session.scene.value?.title ?? "", "png"));
  }

  async toggleVideo(): Promise<void> {
    const { stage, session } = this.viewer;
    if (!VideoCapture.supported) {
      const advice = "Open the page in a recent Chrome, Edge or Firefox.";
      session.onNotice({ kind: "info", message: "This browser cannot make WebM videos.", advice });
      return;
    }
    if (!this.video) {
      stage.keepSize(true);
      this.video = new VideoCapture(stage.canvas);
      this.show();
      return;
    }
    const { video } = this;
    this.video = null;
    stage.keepSize(false);
    this.show();
    download(await video.stop(), fileName(session.scene.value?.title ?? "", "webm"));
  }

  private show(): void {
    const { session, player } = this.viewer;
    const { value } = player.state;
    const replaying = value.kind === "replay";
    const running = replaying ? value.playing : !session.settings.value?.paused;
    dress(this.pauseButton, running ? "pause" : "play", running ? "Pause" : "Continue");
    const recording = value.kind === "recording";
    dress(this.recordButton, recording ? "stop" : "record", recording ? "Stop recording" : "Record");
    this.recordButton.classList.toggle("hot", recording);
    this.recordButton.disabled = replaying;
    dress(this.replayButton, replaying ? "live" : "replay", replaying ? "Back to live" : "Replay");
    this.replayButton.classList.toggle("on", replaying);
    this.replayButton.disabled = !replaying && (recording || !player.hasRecording);
    dress(this.videoButton, this.video ? "stop" : "video", this.video ? "Stop and save video" : "Video");
    this.videoButton.classList.toggle("hot", this.video !== null);
    this.scrubber.hidden = !replaying;
    if (replaying) {
      const place = value.duration > 0 ? value.time / value.duration : 0;
      this.scrub.value = String(Math.round(1000 * place));
      this.scrub.style.setProperty("--place", `${100 * place}%`);
      this.scrub.setAttribute("aria-valuetext", `${seconds(value.time)} of ${seconds(value.duration)}`);
    }
    const speed = replaying ? player.speed : (session.settings.value?.speed ?? 1);
    if (!speeds.includes(speed)) {
      const text = `${Number(speed.toPrecision(2))}×`;
      this.speedSelect.append(h("option", { value: speed }, text));
      speeds.push(speed);
    }
    this.speedSelect.value = String(speed);
  }
}

function dress(target: HTMLButtonElement, name: IconName, label: string): void {
  if (target.getAttribute("aria-label") === label) return;
  replace(target, icon(name));
  target.setAttribute("aria-label", label);
  const keys = target.getAttribute("aria-keyshortcuts");
  target.title = keys ? `${label} (${keys})` : label;
}
