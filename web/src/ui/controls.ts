// SPDX-License-Identifier: MIT
// Sliders, switches and choices: native inputs, so that the keyboard and screen readers know them.
import { EchoedValue } from "../state/echoed_value.ts";
import { type IconName, h, icon, uniqueId } from "./dom.ts";

export interface Slider {
  element: HTMLElement;
  readonly value: number; // exact, while the slider itself has steps
  // Shows a value that the server says; late echoes of what the user moved are ignored.
  set(value: number): void;
  // As if the user had moved it there.
  move(value: number): void;
  enable(on: boolean): void;
}

export function slider(options: {
  label: string;
  from: number;
  to: number;
  value: number;
  log?: boolean; // equal ratios a step
  zero?: boolean; // of a log slider: its left end means 0
  whole?: boolean;
  format: (value: number) => string;
  hint?: string;
  onInput: (value: number) => void;
}): Slider {
  const { label, from, to, log, zero, whole, format, hint, onInput } = options;
  const steps = whole ? to - from : 400;
  const toPlace = (value: number) => {
    if (zero && value <= 0) return 0;
    const t = log ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
    return Math.round(Math.min(1, Math.max(0, t)) * steps);
  };
  const toValue = (place: number) => {
    if (zero && place === 0) return 0;
    const t = place / steps;
    const value = log ? from * (to / from) ** t : from + t * (to - from);
    return whole ? Math.round(value) : value;
  };
  const id = uniqueId("slider");
  const output = h("output", { htmlFor: id });
  const input = h("input", { type: "range", id, min: 0, max: steps, step: 1 });
  const element = h(
    "div",
    { class: "slider", title: hint },
    h("label", { htmlFor: id }, label),
    output,
    input,
  );
  const show = (value: number) => {
    input.value = String(toPlace(value));
    output.textContent = format(value);
    input.setAttribute("aria-valuetext", format(value));
    input.style.setProperty("--place", `${(100 * Number(input.value)) / Math.max(1, steps)}%`);
  };
  const same = (a: number, b: number) =>
    Math.abs(a - b) <= 1e-4 * (log ? Math.max(Math.abs(a), Math.abs(b)) : to - from);
  const held = new EchoedValue(options.value, same, show);
  const move = (value: number) => {
    held.put(value);
    show(value);
    onInput(value);
  };
  input.addEventListener("input", () => move(toValue(Number(input.value))));
  show(options.value);
  return {
    element,
    get value() {
      return held.value;
    },
    set: (value) => held.hear(value),
    move,
    enable: (on) => void (input.disabled = !on),
  };
}

export interface Choice<T extends string> {
  element: HTMLElement;
  set(value: T): void;
}

// One of a few, all visible.
export function choice<T extends string>(
  label: string,
  options: { value: T; label: string; title?: string }[],
  value: T,
  onChange: (value: T) => void,
): Choice<T> {
  const name = uniqueId("choice");
  const inputs = new Map<T, HTMLInputElement>();
  const entries = options.map((option) => {
    const id = uniqueId("option");
    const input = h("input", { type: "radio", name, id, value: option.value });
    input.addEventListener("change", () => onChange(option.value));
    inputs.set(option.value, input);
    return h(
      "span",
      { class: "option" },
      input,
      h("label", { htmlFor: id, title: option.title }, option.label),
    );
  });
  const set = (next: T) => {
    const input = inputs.get(next);
    if (input) input.checked = true;
  };
  set(value);
  return {
    element: h("div", { class: "choice", role: "radiogroup", "aria-label": label }, ...entries),
    set,
  };
}

export interface Switch {
  element: HTMLElement;
  set(on: boolean): void;
  enable(on: boolean): void;
}

export function toggle(
  label: string,
  on: boolean,
  onChange: (on: boolean) => void,
  hint?: string,
): Switch {
  const input = h("input", { type: "checkbox", role: "switch" });
  input.checked = on;
  input.addEventListener("change", () => onChange(input.checked));
  return {
    element: h("label", { class: "switch", title: hint }, h("span", {}, label), input),
    set: (next) => void (input.checked = next),
    enable: (next) => void (input.disabled = !next),
  };
}

export function button(
  options: {
    label: string;
    icon?: IconName;
    title?: string;
    shortcut?: string;
    kind?: "primary" | "quiet" | "danger";
    textHidden?: boolean;
  },
  onClick: () => void,
): HTMLButtonElement {
  const { label, shortcut, kind, textHidden } = options;
  const title = options.title ?? label;
  return h(
    "button",
    {
      type: "button",
      class: `button ${kind ?? ""} ${textHidden ? "icon-only" : ""}`,
      title: shortcut ? `${title} (${shortcut})` : title,
      "aria-keyshortcuts": shortcut,
      "aria-label": textHidden ? label : undefined,
      onclick: onClick,
    },
    options.icon ? icon(options.icon) : null,
    textHidden ? null : h("span", {}, label),
  );
}

// A titled part of a panel.
export function section(title: string, ...children: (Node | string)[]): HTMLElement {
  const id = uniqueId("section");
  return h("section", { "aria-labelledby": id }, h("h2", { id }, title), ...children);
}
