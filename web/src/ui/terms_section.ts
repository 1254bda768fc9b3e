// SPDX-License-Identifier: MIT
// The terms of a body that looks its answers up, u = sum_k X_k(x) Y_k(s) D_k(e) T_k(t): one of them on
// the stage, how its weights go with the direction and the magnitude of the load, and what fewer
// terms would cost.
import type { Terms } from "../asset/body_asset.ts";
import { digits, integer, quantity } from "../math/units.ts";
import type { Body, Separated } from "../protocol/messages.ts";
import type { Viewer } from "../viewer.ts";
import { CurveChart } from "./charts.ts";
import { button, slider } from "./controls.ts";
import { h } from "./dom.ts";

const percent = (value: number) => `${digits(100 * value, 2)}\u202f%`;

export function termsWords({ terms, positions, directions, magnitudes, single_error, triple_error, corrects }: Separated): string {
  const many = (count: number, one: string, more: string) => `${integer(count)} ${count === 1 ? one : more}`;
  const most = quantity(magnitudes[magnitudes.length - 1] ?? 0, "N", 2);
  const loads = `${many(positions, "position", "positions")}, ${many(directions.length, "direction", "directions")} and loads up to ${most}`;
  const errors = `One load is answered within ${percent(single_error)} at worst, three at once within ${percent(triple_error)}`;
  const after = corrects ? "; each step corrects the sum." : "; the sum is taken as it is.";
  return `${many(terms, "term", "terms")} for ${loads}. ${errors}${after}`;
}

function directionWords(directions: Separated["directions"], D: Float32Array, index: number, terms: number): string {
  const name = (v: readonly number[]) => {
    const axis = v.findIndex((x) => Math.abs(x) > 0.999);
    return axis < 0 ? `(${v.map((x) => digits(x, 2)).join(", ")})` : `${v[axis] > 0 ? "+" : "−"}${"xyz"[axis]}`;
  };
  return directions.map((v, e) => `${name(v)} ${digits(D[e * terms + index], 2)}`).join(", ");
}

// `stops` gets what is to be called when the section goes.
export function termsSection(viewer: Viewer, body: Body, index: number, stops: (() => void)[]): HTMLElement[] {
  const { separated } = body;
  if (!separated || separated.terms < 1) return [];
  const { look } = viewer;
  const error = new CurveChart(
    "Error against number of terms",
    (count, value) => `${integer(count)}: ${percent(value)}`,
    "log",
  );
  error.set(separated.errors.map((_, k) => k), separated.errors);
  const magnitude = new CurveChart(
    "T over the load",
    (place, value) => `${quantity(place, "N", 2)}: ${digits(value, 2)}`,
    "linear",
  );
  const direction = h("p", { class: "hint" });
  const details = h("div", { class: "term", hidden: true }, direction, magnitude.element);

  const describe = (k: number, { D, T }: Terms) => {
    direction.textContent = `D: ${directionWords(separated.directions, D, k, separated.terms)}`;
    const values = separated.magnitudes.map((_, t) => T[t * separated.terms + k]);
    magnitude.set([0, ...separated.magnitudes], [0, ...values]);
  };
  const term = slider({
    label: "Term",
    from: 1,
    to: Math.max(2, separated.terms),
    value: 1,
    whole: true,
    format: (value) => `${value} of ${separated.terms}`,
    hint: "The body bends as X; its surface is coloured by Y, the weight of a load there",
    onInput: (value) => show(value),
  });
  const show = (value: number) => {
    look.shape.value = { body: index, kind: "term", index: value - 1 };
  };
  const start = button({ label: "Look at this term" }, () => show(term.value));
  const stop = look.shape.follow((shape) => {
    const mine = shape?.kind === "term" && shape.body === index;
    start.hidden = mine;
    details.hidden = !mine;
    error.mark(mine ? shape.index + 1 : null);
    const asset = viewer.world.value?.bodies[index]?.asset;
    if (!mine || !asset) return;
    term.set(shape.index + 1);
    asset.terms().then(
      (terms) => describe(shape.index, terms),
      (problem: unknown) => viewer.session.fail(problem),
    );
  });
  stops.push(stop);
  term.element.hidden = separated.terms === 1;
  return [h("p", {}, termsWords(separated)), error.element, term.element, start, details];
}
