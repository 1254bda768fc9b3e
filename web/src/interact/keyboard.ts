// SPDX-License-Identifier: MIT
// Shortcuts: single keys everywhere but in fields, and the camera and hand on the stage.
import * as THREE from "three";
import { reach } from "./pull.ts";
import type { Viewer } from "../viewer.ts";

export type Shortcuts = Record<string, () => void>;

// Elements that use letters and the space bar themselves.
function usesKeys(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("input:not([type=range], [type=radio], [type=checkbox]), select, dialog[open]") !== null
  );
}

export function installShortcuts(shortcuts: Shortcuts): void {
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || usesKeys(event.target)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    // These take the space bar as a press.
    if (key === " " && event.target instanceof Element && event.target.closest("button, summary, input")) return;
    const action = Object.hasOwn(shortcuts, key) ? shortcuts[key] : undefined;
    if (!action || event.repeat) return;
    event.preventDefault();
    action();
  });
}

const arrows: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

// While Shift is down, a body that is held as a whole is turned.
export function installTurning(viewer: Viewer): void {
  const set = (event: KeyboardEvent) => (viewer.pull.turning = event.shiftKey);
  window.addEventListener("keydown", set);
  window.addEventListener("keyup", set);
  window.addEventListener("blur", () => (viewer.pull.turning = false));
}

export function installStageKeys(viewer: Viewer): void {
  const { stage, pull } = viewer;
  stage.canvas.setAttribute("role", "application");
  stage.canvas.setAttribute(
    "aria-label",
    "The scene. Arrows turn the view, G takes or releases the point in the middle.",
  );
  stage.canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    const holding = pull.holds("keyboard");
    const arrow = arrows[event.key];
    const far = event.shiftKey ? 5 : 1;
    if (arrow && holding) pull.nudge("keyboard", 6 * far * arrow[0], 6 * far * arrow[1]);
    else if (arrow) turn(viewer, 0.08 * far * arrow[0], 0.08 * far * arrow[1]);
    else if (event.key === "PageUp" && holding) pull.push(6 * far);
    else if (event.key === "PageDown" && holding) pull.push(-6 * far);
    else if (event.key === "+" || event.key === "=") zoom(viewer, 0.9);
    else if (event.key === "-") zoom(viewer, 1 / 0.9);
    else if (event.key === "g") grab(viewer, holding);
    else if (event.key === "Escape" && holding) pull.end("keyboard");
    else return;
    event.preventDefault();
  });
  stage.canvas.addEventListener("blur", () => pull.end("keyboard"));
}

function grab(viewer: Viewer, holding: boolean): void {
  const { pull, stage } = viewer;
  if (holding) {
    pull.end("keyboard");
    return;
  }
  const box = stage.canvas.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const taken = pull.begin("keyboard", x, y, reach.keyboard);
  if (taken) return;
  viewer.session.onNotice({
    kind: "info",
    message: "There is no body in the middle of the view.",
    advice: "Turn the view with the arrows until there is, then press G.",
  });
}

function turn({ stage }: Viewer, right: number, up: number): void {
  const { camera, controls } = stage;
  const offset = camera.position.clone().sub(controls.target);
  const toY = new THREE.Quaternion().setFromUnitVectors(camera.up, new THREE.Vector3(0, 1, 0));
  const spherical = new THREE.Spherical().setFromVector3(offset.applyQuaternion(toY));
  spherical.theta += right;
  spherical.phi -= up;
  spherical.makeSafe();
  offset.setFromSpherical(spherical).applyQuaternion(toY.invert());
  camera.position.copy(controls.target).add(offset);
  stage.invalidate();
}

function zoom({ stage }: Viewer, factor: number): void {
  const { camera, controls } = stage;
  const offset = camera.position.clone().sub(controls.target).multiplyScalar(factor);
  const distance = Math.min(Math.max(offset.length(), controls.minDistance), controls.maxDistance);
  camera.position.copy(controls.target).add(offset.setLength(distance));
  stage.invalidate();
}
