// SPDX-License-Identifier: MIT
// What presses on a body, as a sensor of touch would see it: a picture of taxels over the stage, with
// a scale, while something presses.
import { colourMap, css } from "../math/colour_maps.ts";
import { niceAbove, quantity, scaleFor, tickText } from "../math/units.ts";
import type { Frame, PressureFrame } from "../protocol/frames.ts";
import type { Scene } from "../protocol/messages.ts";
import { h } from "./dom.ts";

const width = 200; // pixels of the picture; high ones are narrower
const highest = 200;
const stays = 1500; // ms after the last press, and until a scale that is too large comes down

const colour = colourMap(false);

export class PressureView {
  readonly element = h("figure", { class: "pressure", hidden: true });
  private readonly title = h("strong");
  private readonly taxels = h("canvas", { role: "img" });
  private readonly scale = h("canvas", { width: 10, height: 64, "aria-hidden": "true" });
  private readonly top = h("span");
  private readonly words = h("figcaption");
  private scene: Scene | null = null;
  private max = 0; // Pa
  private fitsSince = 0;
  private pressedAt = -Infinity;

  constructor() {
    const draw = this.scale.getContext("2d");
    for (let y = 0; y < 64 && draw; ++y) {
      draw.fillStyle = css(colour(1 - y / 63));
      draw.fillRect(0, y, 10, 1);
    }
    const ticks = h("div", { class: "ends" }, this.top, h("span", {}, "0"));
    this.element.append(this.title, h("div", { class: "taxels" }, this.taxels, this.scale, ticks), this.words);
  }

  setScene(scene: Scene | null): void {
    this.scene = scene;
    this.max = 0;
    this.pressedAt = -Infinity;
    this.element.hidden = true;
  }

  frame({ pressures }: Frame, now: number): void {
    // Of several bodies the one that is pressed hardest.
    let best: PressureFrame | null = null;
    for (const pressure of pressures) if (!best || total(pressure) > total(best)) best = pressure;
    const pressed = best !== null && best.taxels.some((force) => force !== 0);
    if (pressed) this.pressedAt = now;
    this.element.hidden = now - this.pressedAt > stays;
    const body = best && this.scene?.bodies[best.body];
    if (!best || !body?.image || this.element.hidden) return;
    this.show(best, body.image, body.name, now);
  }

  private show(pressure: PressureFrame, image: Image, name: string, now: number): void {
    const { columns, rows, taxels } = pressure;
    const [wide, high] = [Math.hypot(...image.right), Math.hypot(...image.up)];
    const area = (wide * high) / (columns * rows);
    let peak = 0;
    for (const force of taxels) peak = Math.max(peak, force / area);
    const fitting = niceAbove(peak);
    if (fitting >= this.max || peak === 0) this.fitsSince = now;
    if (fitting > this.max || now - this.fitsSince > stays) this.max = fitting;
    this.paint(pressure, area);
    const pixels = Math.min(width, (highest * wide) / high);
    this.taxels.style.width = `${pixels}px`;
    this.taxels.style.height = `${(pixels * high) / wide}px`;
    const unit = scaleFor(this.max, "Pa");
    this.top.textContent = `${tickText(this.max / unit.factor, this.max / unit.factor)} ${unit.unit}`;
    this.title.textContent = `Pressure on ${name}`;
    const beside = pressure.outside > 1e-3 * total(pressure) ? `, ${quantity(pressure.outside, "N")} of it beside` : "";
    const size = `${quantity(wide, "m", 2)} × ${quantity(high, "m", 2)}`;
    this.words.textContent = `${quantity(total(pressure), "N")}${beside}; up to ${quantity(peak, "Pa")} on ${size}`;
    this.taxels.setAttribute("aria-label", this.words.textContent);
  }

  private paint({ columns, rows, taxels }: PressureFrame, area: number): void {
    const { taxels: canvas } = this;
    if (canvas.width !== columns || canvas.height !== rows) {
      canvas.width = columns;
      canvas.height = rows;
    }
    const draw = canvas.getContext("2d");
    if (!draw) return;
    const picture = draw.createImageData(columns, rows);
    for (let row = 0; row < rows; ++row) {
      for (let column = 0; column < columns; ++column) {
        const pressure = taxels[row * columns + column] / area;
        // The first row is the lowest.
        picture.data.set([...colour(pressure / this.max), 255], 4 * ((rows - 1 - row) * columns + column));
      }
    }
    draw.putImageData(picture, 0, 0);
  }
}

type Image = NonNullable<Scene["bodies"][number]["image"]>;

function total({ taxels, outside }: PressureFrame): number {
  return taxels.reduce((sum, force) => sum + force, outside);
}
