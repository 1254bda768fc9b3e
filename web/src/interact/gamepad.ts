// SPDX-License-Identifier: MIT
// A gamepad as a hand: how far its sticks are pushed is how fast the hand goes.
//
//   A            takes hold of the body that a hand may hold, or of what is in the middle of the view;
//                again: lets go
//   left stick   in the plane of the view        right stick   turns a body that is held whole
//   triggers     away, nearer                    B             held: the sticks do nothing
import type { Viewer } from "../viewer.ts";
import { reach } from "./pull.ts";

// What is read of a pad, of the standard mapping of browsers.
export interface PadState {
  axes: readonly number[];
  buttons: readonly { pressed: boolean; value: number }[];
}

export interface PadMotion {
  right: number; // pixels
  up: number;
  away: number;
  rollRight: number;
  rollUp: number;
}

const deadZone = 0.12;
const pixelsASecond = 350;
const longest = 0.1; // s: a page that was hidden does not jump
const [buttonA, buttonB, leftTrigger, rightTrigger] = [0, 1, 6, 7];

// Nothing in the dead zone, and no step at its end.
function deflection(value: number | undefined): number {
  const size = Math.max(0, Math.abs(value ?? 0) - deadZone) / (1 - deadZone);
  return Math.sign(value ?? 0) * Math.min(1, size);
}

// The way of the hand in `seconds`.
export function padMotion({ axes, buttons }: PadState, seconds: number): PadMotion {
  const still = buttons[buttonB]?.pressed ?? false;
  const way = still ? 0 : pixelsASecond * Math.min(seconds, longest);
  const trigger = (index: number) => buttons[index]?.value ?? 0;
  return {
    right: way * deflection(axes[0]),
    up: -way * deflection(axes[1]) || 0,
    away: way * (deflection(trigger(rightTrigger)) - deflection(trigger(leftTrigger))),
    rollRight: way * deflection(axes[2]),
    rollUp: -way * deflection(axes[3]) || 0,
  };
}

export function installGamepad(viewer: Viewer): void {
  const { pull } = viewer;
  let running = false;
  let last = 0;
  let pressed = false;
  const pads = () => navigator.getGamepads().filter((pad) => pad !== null);

  const take = () => {
    const { scene } = viewer.session;
    const box = viewer.stage.canvas.getBoundingClientRect();
    let [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const held = scene.value?.handle ?? null;
    const body = held === null ? undefined : viewer.world.value?.bodies[held];
    if (body) ({ x, y } = viewer.stage.project(body.middle()));
    pull.begin("gamepad", x, y, reach.keyboard);
  };
  const step = (now: number) => {
    const [pad] = pads();
    if (!pad) {
      running = false;
      pull.end("gamepad");
      return;
    }
    const a = pad.buttons[buttonA]?.pressed ?? false;
    if (a && !pressed) {
      if (pull.holds("gamepad")) pull.end("gamepad");
      else take();
    }
    pressed = a;
    const { right, up, away, rollRight, rollUp } = padMotion(pad, (now - last) / 1000);
    last = now;
    if (pull.holds("gamepad")) {
      if (right !== 0 || up !== 0) pull.nudge("gamepad", right, up);
      if (away !== 0) pull.push(away);
      if (rollRight !== 0 || rollUp !== 0) pull.roll("gamepad", rollRight, rollUp);
    }
    requestAnimationFrame(step);
  };
  const start = () => {
    if (running) return;
    running = true;
    last = performance.now();
    requestAnimationFrame(step);
  };
  window.addEventListener("gamepadconnected", start);
  if (pads().length > 0) start();
}
