// SPDX-License-Identifier: MIT
// The key to the colours, on the stage and in saved pictures.
import { colourMap, css } from "../math/colour_maps.ts";
import { quantity, scaleFor, tickText } from "../math/units.ts";
import { type Legend, fieldTexts } from "../view/look.ts";
import { h, replace } from "./dom.ts";

interface Tick {
  place: number; // 0..1
  text: string;
}

function fieldTicks(legend: Extract<Legend, { kind: "field" }>): { unit: string; ticks: Tick[] } {
  const { unit, signed } = fieldTexts[legend.field];
  const scale = scaleFor(legend.max, unit);
  const count = Math.round(legend.max / legend.step);
  const ticks: Tick[] = [];
  for (let i = signed ? -count : 0; i <= count; ++i) {
    const text = tickText((i * legend.step) / scale.factor, legend.step / scale.factor);
    ticks.push({ place: signed ? (i + count) / (2 * count) : i / count, text });
  }
  return { unit: scale.unit, ticks: thinned(signed ? ticks.filter((_, i) => i % 2 === count % 2) : ticks) };
}

// Long numbers need more room: the ends, and the middle where there is one.
function thinned(ticks: Tick[]): Tick[] {
  if (ticks.every(({ text }) => text.length <= 5)) return ticks;
  const last = ticks.length - 1;
  return ticks.filter((_, i) => i === 0 || i === last || 2 * i === last);
}

function headed(title: string, unit: string): string {
  return unit === "" ? title : `${title} [${unit}]`;
}

const width = 240;

function gradient(signed: boolean): HTMLCanvasElement {
  const canvas = h("canvas", { width, height: 10, "aria-hidden": "true" });
  const draw = canvas.getContext("2d");
  const colour = colourMap(signed);
  for (let x = 0; x < width && draw; ++x) {
    draw.fillStyle = css(colour(x / (width - 1)));
    draw.fillRect(x, 0, 1, 10);
  }
  return canvas;
}

export class LegendView {
  readonly element = h("div", { class: "legend", hidden: true });
  private current: Legend | null = null;
  private shown = "";

  set(legend: Legend | null): void {
    this.current = legend;
    this.element.hidden = legend === null;
    if (!legend) {
      this.shown = "";
      return;
    }
    if (legend.kind === "regions") {
      this.shown = "regions";
      replace(
        this.element,
        h("strong", {}, "Regions"),
        ...legend.entries.map(({ name, colour }) => {
          const chip = h("i");
          chip.style.background = colour;
          return h("span", { class: "category" }, chip, name);
        }),
      );
      return;
    }
    this.showField(legend);
  }

  private showField(legend: Extract<Legend, { kind: "field" }>): void {
    const key = `${legend.field} ${legend.max}`;
    if (key !== this.shown) {
      this.shown = key;
      const { title, signed } = fieldTexts[legend.field];
      const { unit, ticks } = fieldTicks(legend);
      const labels = ticks.map(({ place, text }) => {
        const label = h("span", {}, text);
        label.style.left = `${100 * place}%`;
        return label;
      });
      replace(
        this.element,
        h("strong", {}, headed(title, unit)),
        gradient(signed),
        h("div", { class: "ticks" }, ...labels),
        h("span", { class: "peak" }),
      );
    }
    const peak = this.element.querySelector(".peak");
    if (peak) peak.textContent = `now up to ${quantity(legend.peak, fieldTexts[legend.field].unit)}`;
  }

  // In a saved picture, at the bottom left.
  draw(draw: CanvasRenderingContext2D, height: number, ink: string): void {
    const legend = this.current;
    if (!legend) return;
    draw.fillStyle = ink;
    draw.textBaseline = "alphabetic";
    draw.textAlign = "left";
    if (legend.kind === "regions") {
      legend.entries.forEach(({ name, colour }, i) => {
        const y = height - 24 - 20 * (legend.entries.length - 1 - i);
        draw.fillStyle = colour;
        draw.fillRect(24, y - 10, 12, 12);
        draw.fillStyle = ink;
        draw.font = "13px Inter, system-ui, sans-serif";
        draw.fillText(name, 44, y);
      });
      return;
    }
    const { title, signed } = fieldTexts[legend.field];
    const { unit, ticks } = fieldTicks(legend);
    const y = height - 44;
    draw.font = "600 13px Inter, system-ui, sans-serif";
    draw.fillText(headed(title, unit), 24, y - 10);
    draw.drawImage(gradient(signed), 24, y, width, 10);
    draw.font = "12px Inter, system-ui, sans-serif";
    draw.textAlign = "center";
    for (const { place, text } of ticks) draw.fillText(text, 24 + place * width, y + 26);
  }
}
