// SPDX-License-Identifier: MIT
// What acts on the bodies and what they are made of; all of it takes effect at once.
import { Vector3 } from "three";
import { digits, integer, quantity, short, torqueText } from "../math/units.ts";
import { type DeviceFrame, DeviceFlags, type Frame, HandFlags, portFaults, portStates } from "../protocol/frames.ts";
import type { Body, Scene, Settings } from "../protocol/messages.ts";
import { throttle } from "../state/signal.ts";
import type { Viewer } from "../viewer.ts";
import { ControlSection } from "./control_section.ts";
import { type Slider, button, section, slider } from "./controls.ts";
import { h, replace } from "./dom.ts";
import { fixedMaterialWords } from "./material_words.ts";

const earth = 9.81;
const throttled = 50; // ms between two commands of a slider

// Shows settings that came from the server.
type Update = (settings: Settings) => void;

export class TouchTab {
  readonly element = h("div", { class: "tab-content" });
  private updates: Update[] = [];
  private felt: { force: HTMLElement; torque: HTMLElement; state: HTMLElement } | null = null;
  private device: Record<"state" | "force" | "torque" | "inputs", HTMLElement> | null = null;

  private readonly controls: ControlSection;

  constructor(private readonly viewer: Viewer) {
    this.controls = new ControlSection(viewer);
    viewer.session.scene.follow((scene) => this.build(scene));
    viewer.session.settings.follow((settings) => {
      if (settings) for (const update of this.updates) update(settings);
    });
    viewer.session.steering.follow((steering) => {
      this.element.toggleAttribute("inert", steering !== null && !steering.you);
    });
  }

  private build(scene: Scene | null): void {
    this.updates = [];
    if (!scene) {
      replace(this.element, h("p", { class: "hint" }, "Open a scene to touch it."));
      return;
    }
    replace(
      this.element,
      this.handSection(scene),
      this.controls.element,
      ...this.deviceSection(scene),
      this.worldSection(scene),
      this.windSection(scene),
      ...scene.bodies.filter((body) => body.facts.elements).map((body) => this.bodySection(scene, body)),
    );
  }

  private handSection(scene: Scene): HTMLElement {
    const shapes = [...new Set(scene.bodies.filter((body) => body.hand).map((body) => body.shape))];
    return section(
      "Hand",
      h("p", { class: "hint" }, "Drag any point of a body. Drag beside it to turn the view."),
      ...this.held(scene),
      ...shapes.flatMap((shape) => this.spring(scene, shape, shapes.length > 1 ? ` on ${shape}` : "")),
    );
  }

  // What the hand feels that holds a whole body.
  private held(scene: Scene): HTMLElement[] {
    this.felt = null;
    if (scene.held === null) return [];
    const name = scene.bodies[scene.held].name;
    const how =
      scene.handle === null
        ? `A hand holds the ${name}.`
        : `You hold the ${name}: drag it, the wheel pushes it away, Shift turns it.`;
    this.felt = { force: h("dd", {}), torque: h("dd", {}), state: h("p", { class: "hint note" }) };
    const { force, torque, state } = this.felt;
    return [
      h("p", { class: "hint" }, how),
      h("dl", { class: "facts felt" }, h("dt", {}, "Force"), force, h("dt", {}, "Torque"), torque),
      state,
      ...this.handlingControls(),
      ...this.grasping(scene),
    ];
  }

  // How far what one moves takes the hand, and whether at all.
  private handlingControls(): HTMLElement[] {
    const { handling } = this.viewer;
    const scale = slider({
      label: "Scale of the hand",
      from: 0.01,
      to: 100,
      value: handling.state.value.scale,
      log: true,
      format: (value) => `${digits(value, 2)} ×`,
      hint: "How far the hand goes for what you move; keys < and >",
      onInput: throttle(() => handling.set({ ...handling.state.value, scale: scale.value }), throttled),
    });
    const still = button({ label: "Move without the hand (I)", kind: "quiet" }, () => handling.toggle());
    this.stopHandling();
    this.stopHandling = handling.state.follow(({ scale: value, indexing }) => {
      scale.set(value);
      still.setAttribute("aria-pressed", String(indexing));
    });
    return [scale.element, still];
  }
  private stopHandling: () => void = () => {};

  // Where the hand holds the body, and how far its fingers are open.
  private grasping(scene: Scene): HTMLElement[] {
    const { pull, session } = this.viewer;
    const where = button(
      { label: "Hold it where I take it", kind: "quiet", title: "Or else at the place where it is held now" },
      () => {
        pull.graspsPoint = !pull.graspsPoint;
        where.setAttribute("aria-pressed", String(pull.graspsPoint));
      },
    );
    where.setAttribute("aria-pressed", String(pull.graspsPoint));
    // A device that has a gripper says itself how far it is open.
    if (scene.fingers === 0 || scene.device?.gripper) return [where];
    const gripper = slider({
      label: "Gripper",
      from: 0,
      to: 1,
      value: 1,
      format: (value) => (value === 0 ? "closed" : value === 1 ? "open" : `${Math.round(100 * value)} % open`),
      hint: "Closes the fingers of the hand",
      onInput: throttle(() => session.send({ type: "grip", opening: gripper.value }), throttled),
    });
    return [where, gripper.element];
  }

  // What moves the hand, what it can do and how it is.
  private deviceSection(scene: Scene): HTMLElement[] {
    this.device = null;
    const { device } = scene;
    if (!device) return [];
    const message = h("p", { class: "hint note" });
    this.updates.push(({ device: now }) => {
      message.textContent = now ? `${now.health}: ${now.message || "all is well"}` : "";
    });
    const can = [
      device.renders_force ? `forces up to ${quantity(device.force, "N", 2)}` : "no forces",
      device.renders_torque ? `torques up to ${quantity(device.torque, "N m", 2)}` : "torques as numbers only",
      ...(device.gripper ? ["a gripper"] : []),
      ...(device.relative ? ["rates in place of places"] : []),
    ];
    const view = { state: h("dd", {}), force: h("dd", {}), torque: h("dd", {}), inputs: h("dd", {}) };
    this.device = view;
    const rows: (HTMLElement | string)[] = [];
    const row = (label: string, value: HTMLElement) => rows.push(h("dt", {}, label), value);
    row("State", view.state);
    if (device.renders_force) row("Force given", view.force);
    if (device.renders_torque) row("Torque given", view.torque);
    row("Buttons, gripper", view.inputs);
    return [
      section(
        "Device",
        h("p", { class: "hint" }, `${device.name}: ${can.join(", ")}.`),
        message,
        h("dl", { class: "facts device" }, ...rows),
      ),
    ];
  }

  private showDevice(device: DeviceFrame): void {
    if (!this.device) return;
    const { state, force, torque, inputs } = this.device;
    const { there, guarded, indexing } = DeviceFlags;
    const words = [
      device.flags & there ? portStates[device.state] : "not there",
      ...(device.flags & indexing ? ["the hand stands still"] : []),
      ...(device.flags & guarded ? ["held back"] : []),
      ...(device.faults > 0 ? [`went off ${device.faults} ×, last because ${portFaults[device.fault]}`] : []),
    ];
    setText(state, words.join("; "));
    this.showWrench(force, torque, device);
    const pressed = [...Array(32).keys()].filter((bit) => (device.buttons >>> bit) & 1).map((bit) => bit + 1);
    setText(inputs, `${pressed.length > 0 ? pressed.join(" ") : "none"}, ${digits(device.gripper, 2)}${device.gripperForce === 0 ? "" : `, ${quantity(device.gripperForce, "N", 2)}`}`);
  }

  private showWrench(force: HTMLElement, torque: HTMLElement, felt: { force: Float32Array; torque: Float32Array }): void {
    const size = Math.hypot(...felt.force);
    setText(force, quantity(size, "N"));
    setText(torque, torqueText(Math.hypot(...felt.torque), size, this.viewer.world.value?.size ?? 0));
  }

  frame(frame: Frame): void {
    const { handle, device } = frame;
    this.controls.frame(frame);
    if (device) this.showDevice(device);
    if (!this.felt || !handle) return;
    const { force, torque, state } = this.felt;
    this.showWrench(force, torque, handle);
    const { slowed, saturated } = HandFlags;
    const words =
      handle.flags & slowed
        ? "It is moved slowly until it settles."
        : handle.flags & saturated
          ? "The spring is at its limit: the body is pressed no harder, however far the hand goes."
          : "";
    setText(state, words);
    state.hidden = words === "";
  }

  // Of the hand on the bodies of one shape; what it shows is what pulls.
  private spring(scene: Scene, shape: string, where: string): HTMLElement[] {
    const { pull } = this.viewer;
    const bodies = scene.bodies.flatMap((body, index) => (body.shape === shape ? [index] : []));
    const { hand, engine } = scene.bodies[bodies[0]];
    if (!hand) return [];
    const limited = hand.stiffness < hand.suits;
    pull.setSpring(bodies, hand.stiffness);
    const strength = slider({
      label: `Spring of the hand${where}`,
      from: hand.stiffness / 100,
      to: limited ? hand.stiffness : 100 * hand.stiffness,
      value: hand.stiffness,
      log: true,
      format: (value) => quantity(value, "N/m"),
      hint: "How hard the hand pulls for each metre that the body lags behind",
      onInput: (value) => pull.setSpring(bodies, value),
    });
    if (!limited) return [strength.element];
    const words = `The hand is limited: a step of the ${engine} engine bears ${quantity(hand.stiffness, "N/m", 2)} of the ${quantity(hand.suits, "N/m", 2)} that would take a point along.`;
    return [strength.element, h("p", { class: "hint note" }, words)];
  }

  private worldSection(scene: Scene): HTMLElement {
    const { session } = this.viewer;
    const [upX, upY, upZ] = scene.camera.up;
    let direction: [number, number, number] = [-upX, -upY, -upZ];
    const send = throttle(() => {
      const [x, y, z] = direction;
      const size = gravity.value;
      session.send({ type: "gravity", vector: [size * x, size * y, size * z] });
    }, throttled);
    const gravity = slider({
      label: "Gravity",
      from: 0,
      to: 3 * earth,
      value: earth,
      format: (value) => `${digits(value)} m/s²`,
      onInput: send,
    });
    const presets = h(
      "div",
      { class: "presets" },
      ...(
        [
          ["None", 0],
          ["Moon", 1.62],
          ["Mars", 3.73],
          ["Earth", earth],
        ] as const
      ).map(([label, size]) => button({ label, kind: "quiet" }, () => gravity.move(size))),
    );
    this.updates.push(({ gravity: g }) => {
      const size = Math.hypot(...g);
      if (size > 0) direction = [g[0] / size, g[1] / size, g[2] / size];
      gravity.set(size);
    });
    return section("World", gravity.element, presets, this.exaggeration());
  }

  // Stiff bodies sag and swing by less than can be seen.
  private exaggeration(): HTMLElement {
    const { exaggeration } = this.viewer.look;
    const factor = slider({
      label: "Displacements drawn",
      from: 1,
      to: 1000,
      value: exaggeration.value,
      log: true,
      format: (value) => (value === 1 ? "as they are" : `${short(value)}× larger`),
      hint: "Makes small motions visible; the simulation is not changed",
      onInput: (value) => (exaggeration.value = value),
    });
    this.stop();
    this.stop = exaggeration.follow((value) => factor.set(value));
    return factor.element;
  }
  private stop: () => void = () => {};

  private windSection(scene: Scene): HTMLElement {
    const { session } = this.viewer;
    const up = new Vector3(...scene.camera.up).normalize();
    // Along the ground, from which directions are counted.
    const ahead = new Vector3(1, 0, 0).projectOnPlane(up);
    if (ahead.lengthSq() < 0.01) ahead.set(0, 0, 1).projectOnPlane(up);
    ahead.normalize();
    const aside = new Vector3().crossVectors(up, ahead);
    let climb = 0; // its part along up, of its speed
    let told = false; // that there is one
    const send = throttle(() => {
      const angle = (direction.value * Math.PI) / 180;
      const level = Math.sqrt(1 - climb ** 2);
      const wind = ahead
        .clone()
        .multiplyScalar(level * Math.cos(angle))
        .addScaledVector(aside, level * Math.sin(angle))
        .addScaledVector(up, climb);
      session.send({ type: "wind", vector: wind.multiplyScalar(speed.value).toArray() });
    }, throttled);
    const speed = slider({
      label: "Wind",
      from: 0,
      to: 40,
      value: 0,
      format: (value) => `${digits(value, 2)} m/s`,
      hint: "Presses on every surface that it meets; gusts as the scene says",
      onInput: send,
    });
    const direction = slider({
      label: "Direction",
      from: 0,
      to: 360,
      value: 0,
      whole: true,
      format: (value) => `${value}°`,
      hint: "Where the wind blows to: the arrow above the bodies shows it",
      onInput: send,
    });
    this.updates.push(({ wind }) => {
      const v = new Vector3(...wind);
      const size = v.length();
      speed.set(size);
      direction.enable(size > 0);
      if (size === 0) return;
      details.open ||= !told;
      told = true;
      climb = v.dot(up) / size;
      const angle = (Math.atan2(v.dot(aside), v.dot(ahead)) * 180) / Math.PI;
      direction.set(Math.round((angle + 360) % 360));
    });
    const details = h("details", {}, h("summary", {}, "Wind"), speed.element, direction.element);
    return h("section", {}, details);
  }

  private bodySection(scene: Scene, body: Body): HTMLElement {
    const index = scene.bodies.indexOf(body);
    const parts: HTMLElement[] = [];
    if (body.edits.damping) parts.push(...this.damping(index));
    if (body.edits.active && body.r > 1) parts.push(this.active(index, body.r));
    if (body.edits.material) {
      body.regions.forEach((region, k) => {
        if (region.young !== null) parts.push(this.material(body, index, k));
      });
    }
    if (body.edits.sketch) {
      parts.push(
        button(
          { label: "Sketch a new basis…", icon: "pencil", title: "Teach the body how it moves" },
          () => this.viewer.startSketch(index),
        ),
      );
    }
    if (!body.edits.material) parts.push(h("p", { class: "hint" }, fixedMaterialWords(body)));
    return section(scene.bodies.length > 1 ? body.name : "Body", ...parts);
  }

  private damping(body: number): HTMLElement[] {
    const send = throttle(() => {
      this.viewer.session.send({ type: "damping", body, alpha: alpha.value, beta: beta.value });
    }, throttled);
    const make = (
      label: string,
      from: number,
      to: number,
      format: (value: number) => string,
      hint: string,
    ): Slider =>
      slider({ label, from, to, value: 0, log: true, zero: true, format, hint, onInput: send });
    const alpha = make(
      "Damping, slow motions",
      0.01,
      1000,
      (value) => `${digits(value, 2)} 1/s`,
      "α, in proportion to mass: as if moving through a fluid",
    );
    const beta = make(
      "Damping, fast motions",
      1e-6,
      1,
      (value) => quantity(value, "s", 2),
      "β, in proportion to stiffness: takes away ringing",
    );
    this.updates.push(({ bodies }) => {
      const settings = bodies[body];
      if (!settings) return;
      alpha.set(settings.alpha);
      beta.set(settings.beta);
    });
    return [alpha.element, beta.element];
  }

  private active(body: number, r: number): HTMLElement {
    const send = throttle(() => {
      this.viewer.session.send({ type: "active", body, count: count.value });
    }, throttled);
    const count = slider({
      label: "Shapes that move",
      from: 1,
      to: r,
      value: r,
      whole: true,
      format: (value) => `${value} of ${r}`,
      hint: "r′: the first of the basis vectors; fewer are faster and stiffer",
      onInput: send,
    });
    this.updates.push(({ bodies }) => bodies[body] && count.set(bodies[body].active));
    return count.element;
  }

  private material(info: Body, body: number, region: number): HTMLElement {
    const baked = info.regions[region];
    const from = { young: baked.young ?? 1, poisson: baked.poisson ?? 0, density: baked.density };
    const send = throttle(() => {
      this.viewer.session.send({
        type: "material",
        body,
        region,
        young: young.value,
        poisson: poisson.value,
        density: density.value,
      });
    }, throttled);
    const young = slider({
      label: "Stiffness",
      from: from.young / 100,
      to: from.young * 100,
      value: from.young,
      log: true,
      format: (value) => quantity(value, "Pa"),
      hint: "Young's modulus E",
      onInput: send,
    });
    const poisson = slider({
      label: "Resistance to volume change",
      from: 0,
      to: 0.49,
      value: from.poisson,
      format: (value) => value.toFixed(2),
      hint: "Poisson's ratio ν",
      onInput: send,
    });
    const density = slider({
      label: "Density",
      from: from.density / 10,
      to: from.density * 10,
      value: from.density,
      log: true,
      format: (value) => `${integer(Math.round(value))} kg/m³`,
      onInput: send,
    });
    this.updates.push(({ bodies }) => {
      const now = bodies[body]?.regions[region];
      if (!now) return;
      if (now.young !== null) young.set(now.young);
      if (now.poisson !== null) poisson.set(now.poisson);
      density.set(now.density);
    });
    const back = button({ label: "As baked", kind: "quiet" }, () => {
      young.move(from.young);
      poisson.move(from.poisson);
      density.move(from.density);
    });
    const title = info.regions.length > 1 ? `${baked.name}: ${baked.material}` : baked.material;
    return h(
      "details",
      { open: region < 2 },
      h("summary", {}, title, h("small", {}, baked.law.replaceAll("_", " "))),
      young.element,
      poisson.element,
      density.element,
      back,
    );
  }
}

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
