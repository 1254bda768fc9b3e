// SPDX-License-Identifier: MIT
// Small plots on canvases. Lines differ by their dashes and carry their name, not only a colour.
import { digits, niceAbove, quantity, scaleFor, tickText, ticks } from "../math/units.ts";
import type { HistogramFrame } from "../protocol/frames.ts";
import type { Series } from "../state/history.ts";
import { h } from "./dom.ts";

export interface Channel {
  label: string;
  ink: "--plot-1" | "--plot-2";
  dash: number[];
}

const margin = { left: 44, right: 10, top: 8, bottom: 20 };

// A titled canvas that is as sharp as the screen; `paint` gets it in pixels of the page.
class Chart {
  readonly element: HTMLElement;
  protected readonly canvas = h("canvas", { role: "img" });
  protected readonly readout = h("span", { class: "readout" });

  constructor(title: string, height: number) {
    this.canvas.style.height = `${height}px`;
    this.element = h(
      "figure",
      { class: "chart" },
      h("figcaption", {}, h("strong", {}, title), this.readout),
      this.canvas,
    );
  }

  protected begin(): { draw: CanvasRenderingContext2D; width: number; height: number } | null {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const draw = this.canvas.getContext("2d");
    if (!draw || width === 0) return null;
    const scale = devicePixelRatio;
    if (this.canvas.width !== Math.round(width * scale)) {
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
    }
    draw.setTransform(scale, 0, 0, scale, 0, 0);
    draw.clearRect(0, 0, width, height);
    draw.font = "11px Inter, system-ui, sans-serif";
    draw.lineJoin = "round";
    return { draw, width, height };
  }

  protected ink(name: string): string {
    return getComputedStyle(this.canvas).getPropertyValue(name);
  }

  protected say(text: string): void {
    if (this.readout.textContent === text) return;
    this.readout.textContent = text;
    this.canvas.setAttribute("aria-label", text);
  }
}

export class LineChart extends Chart {
  private hover: number | null = null; // x on the canvas

  constructor(
    title: string,
    private readonly unit: string, // of the values
    private readonly channels: Channel[],
    private readonly seconds = 8,
  ) {
    super(title, 116);
    this.canvas.addEventListener("pointermove", (event) => (this.hover = event.offsetX));
    this.canvas.addEventListener("pointerleave", () => (this.hover = null));
  }

  paint(series: Series): void {
    const context = this.begin();
    if (!context) return;
    const { draw, width, height } = context;
    const box = {
      left: margin.left,
      top: margin.top,
      width: width - margin.left - margin.right,
      height: height - margin.top - margin.bottom,
    };
    const end = series.count > 0 ? series.time(series.count - 1) : 0;
    let first = series.count;
    while (first > 0 && series.time(first - 1) >= end - this.seconds) --first;
    let largest = 0;
    for (let i = first; i < series.count; ++i) {
      this.channels.forEach((_, c) => (largest = Math.max(largest, series.value(c, i) || 0)));
    }
    const top = niceAbove(largest);
    const scale = scaleFor(top, this.unit);
    const x = (time: number) => box.left + box.width * (1 + (time - end) / this.seconds);
    const y = (value: number) => box.top + box.height * (1 - value / top);

    draw.strokeStyle = this.ink("--line");
    draw.fillStyle = this.ink("--ink-2");
    draw.textAlign = "right";
    draw.textBaseline = "middle";
    draw.lineWidth = 1;
    const marks = ticks(0, top, 4);
    for (const value of marks) {
      const at = Math.round(y(value)) + 0.5;
      draw.beginPath();
      draw.moveTo(box.left, at);
      draw.lineTo(box.left + box.width, at);
      draw.stroke();
      draw.fillText(tickText(value / scale.factor, marks[1] / scale.factor), box.left - 6, at);
    }
    draw.textBaseline = "alphabetic";
    draw.textAlign = "left";
    draw.fillText(scale.unit, 4, height - 6);
    draw.textAlign = "center";
    for (let back = 0; back <= this.seconds; back += 2) {
      const text = back === 0 ? "now" : `−${back} s`;
      draw.textAlign = back === 0 ? "right" : back === this.seconds ? "left" : "center";
      draw.fillText(text, x(end - back), height - 6);
    }

    draw.save();
    draw.beginPath();
    draw.rect(box.left, box.top - 2, box.width, box.height + 4);
    draw.clip();
    this.channels.forEach(({ ink, dash }, c) => {
      draw.strokeStyle = this.ink(ink);
      draw.setLineDash(dash);
      draw.lineWidth = 1.6;
      draw.beginPath();
      for (let i = first; i < series.count; ++i) draw.lineTo(x(series.time(i)), y(series.value(c, i)));
      draw.stroke();
    });
    draw.restore();
    draw.setLineDash([]);

    let at = series.count - 1;
    if (this.hover !== null && at >= first) {
      const time = end + ((this.hover - box.left) / box.width - 1) * this.seconds;
      while (at > first && series.time(at) > time) --at;
      draw.strokeStyle = this.ink("--ink-2");
      draw.lineWidth = 1;
      draw.beginPath();
      draw.moveTo(x(series.time(at)), box.top);
      draw.lineTo(x(series.time(at)), box.top + box.height);
      draw.stroke();
    }
    const words = this.channels.map(({ label }, c) => {
      const value = at >= 0 ? series.value(c, at) : NaN;
      const text = Number.isNaN(value) ? "–" : quantity(value, this.unit);
      return label ? `${label} ${text}` : text;
    });
    this.say(words.join(" · "));
  }
}

// How often a cycle took how long: both axes logarithmic.
export class HistogramChart extends Chart {
  constructor(
    title: string,
    private readonly budget: () => number, // of a cycle [us]
  ) {
    super(title, 116);
  }

  paint(histogram: HistogramFrame | null): void {
    const context = this.begin();
    if (!context) return;
    const { draw, width, height } = context;
    if (!histogram || histogram.counts.length === 0) {
      this.say("–");
      return;
    }
    const { first, ratio, counts } = histogram;
    const used = counts.reduce((span, count, i) => (count > 0 ? [Math.min(span[0], i), i] : span), [
      counts.length,
      0,
    ]);
    const budget = this.budget();
    const from = first * ratio ** Math.max(0, used[0] - 1);
    const to = Math.max(first * ratio ** (used[1] + 2), 1.6 * budget);
    const box = { left: 10, width: width - 20, top: 14, height: height - 14 - margin.bottom };
    const x = (us: number) => box.left + (box.width * Math.log(us / from)) / Math.log(to / from);
    const most = Math.log10(1 + Math.max(...counts));

    draw.fillStyle = this.ink("--plot-1");
    counts.forEach((count, i) => {
      if (count === 0) return;
      const left = x(first * ratio ** i);
      const right = x(first * ratio ** (i + 1));
      const bar = (box.height * Math.log10(1 + count)) / most;
      draw.fillRect(left, box.top + box.height - bar, Math.max(1, right - left - 1), bar);
    });
    draw.fillStyle = this.ink("--ink-2");
    draw.strokeStyle = this.ink("--ink-2");
    draw.textAlign = "center";
    for (let power = Math.ceil(Math.log10(from)); 10 ** power <= to; ++power) {
      draw.fillText(quantity(10 ** power * 1e-6, "s", 1), x(10 ** power), height - 6);
    }
    draw.setLineDash([3, 3]);
    draw.beginPath();
    draw.moveTo(x(budget), 4);
    draw.lineTo(x(budget), box.top + box.height);
    draw.stroke();
    draw.setLineDash([]);
    draw.textAlign = "right";
    draw.fillText("one step", x(budget) - 5, 12);

    const total = counts.reduce((sum, count) => sum + count, 0);
    const late = counts.reduce((sum, count, i) => (first * ratio ** i >= budget ? sum + count : sum), 0);
    this.say(late > 0 ? `${digits((100 * late) / total, 2)} % too long` : "all in time");
  }
}

// A curve that does not move, with an axis of values that is logarithmic, in per cent, or linear. The
// place that is marked, or pointed at, or the last one, is read out.
export class CurveChart extends Chart {
  private hover: number | null = null; // x on the canvas
  private marked: number | null = null; // a place
  private places: number[] = [];
  private values: number[] = [];

  constructor(
    title: string,
    private readonly words: (place: number, value: number) => string,
    private readonly kind: "log" | "linear",
  ) {
    super(title, 116);
    this.canvas.addEventListener("pointermove", (event) => this.point(event.offsetX));
    this.canvas.addEventListener("pointerleave", () => this.point(null));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  // Places ascend. A logarithm is taken of what is above 0 only.
  set(places: readonly number[], values: readonly number[]): void {
    const shown = places.map((_, i) => i).filter((i) => this.kind === "linear" || values[i] > 0);
    this.places = shown.map((i) => places[i]);
    this.values = shown.map((i) => values[i]);
    this.draw();
  }

  mark(place: number | null): void {
    this.marked = place;
    this.draw();
  }

  private point(x: number | null): void {
    this.hover = x;
    this.draw();
  }

  private draw(): void {
    const context = this.begin();
    if (!context) return;
    const { draw, width, height } = context;
    const { places, values } = this;
    if (values.length === 0) {
      this.say("–");
      return;
    }
    const box = {
      left: margin.left,
      top: margin.top,
      width: width - margin.left - margin.right,
      height: height - margin.top - margin.bottom,
    };
    const [from, last] = [places[0], places[places.length - 1]];
    const to = last > from ? last : from + 1;
    const scale = this.kind === "log" ? logScale(values) : linearScale(values);
    const x = (place: number) => box.left + (box.width * (place - from)) / (to - from);
    const y = (value: number) => box.top + box.height * (1 - scale.place(value));

    draw.strokeStyle = this.ink("--line");
    draw.fillStyle = this.ink("--ink-2");
    draw.lineWidth = 1;
    draw.textAlign = "right";
    draw.textBaseline = "middle";
    for (const { value, text } of scale.marks) {
      const at = Math.round(y(value)) + 0.5;
      draw.beginPath();
      draw.moveTo(box.left, at);
      draw.lineTo(box.left + box.width, at);
      draw.stroke();
      draw.fillText(text, box.left - 6, at);
    }
    draw.textBaseline = "alphabetic";
    const along = ticks(from, to, 4);
    const unit = this.kind === "linear" ? scaleFor(to, "N") : { factor: 1, unit: "" };
    for (const place of along) {
      draw.textAlign = x(place) > box.left + box.width - 12 ? "right" : "center";
      const text = tickText(place / unit.factor, (along[1] - along[0]) / unit.factor || 1);
      draw.fillText(place === along[along.length - 1] && unit.unit ? `${text} ${unit.unit}` : text, x(place), height - 6);
    }

    draw.strokeStyle = draw.fillStyle = this.ink("--plot-1");
    draw.lineWidth = 1.6;
    draw.beginPath();
    places.forEach((place, i) => draw.lineTo(x(place), y(values[i])));
    draw.stroke();
    const at = this.hover !== null ? from + ((this.hover - box.left) / box.width) * (to - from) : (this.marked ?? last);
    let shown = 0;
    places.forEach((place, i) => {
      if (Math.abs(place - at) < Math.abs(places[shown] - at)) shown = i;
    });
    draw.beginPath();
    draw.arc(x(places[shown]), y(values[shown]), 3.2, 0, 2 * Math.PI);
    draw.fill();
    this.say(this.words(places[shown], values[shown]));
  }
}

interface ValueScale {
  place: (value: number) => number; // 0 at the bottom, 1 at the top
  marks: { value: number; text: string }[];
}

function logScale(values: readonly number[]): ValueScale {
  const low = Math.floor(Math.log10(Math.min(...values)) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9));
  const marks: ValueScale["marks"] = [];
  for (let power = high; power >= low; power -= Math.ceil((high - low) / 4)) {
    const percent = 10 ** (power + 2);
    marks.push({ value: 10 ** power, text: `${percent.toFixed(Math.max(0, -power - 2))} %` });
  }
  return { place: (value) => (Math.log10(value) - low) / (high - low), marks };
}

function linearScale(values: readonly number[]): ValueScale {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const span = high - low || 1;
  const numbers = ticks(low, low + span, 3);
  const step = (numbers[1] ?? 1) - numbers[0];
  return {
    place: (value) => (value - low) / span,
    marks: numbers.map((value) => ({ value, text: tickText(value, step) })),
  };
}
