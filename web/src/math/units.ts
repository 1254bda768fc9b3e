// SPDX-License-Identifier: MIT
// Numbers as people read them: 1.24 kPa, 0.8 mm, 12.4 N. And round ticks for axes.

const prefixes: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];

export interface Scale {
  factor: number; // of the shown number to SI
  unit: string;
}

// The prefix that brings `size` between 1 and 1000. No prefix for "" and "%".
export function scaleFor(size: number, unit: string): Scale {
  if (unit === "%") return { factor: 0.01, unit: "%" };
  if (unit === "" || !(Math.abs(size) > 0) || !Number.isFinite(size)) return { factor: 1, unit };
  if (unit === "kg/m³") return { factor: 1, unit };
  const [factor, prefix] =
    prefixes.find(([f]) => Math.abs(size) >= 0.9995 * f) ?? prefixes[prefixes.length - 1];
  return { factor, unit: prefix + unit };
}

// `digits` significant digits, without trailing noise.
export function digits(value: number, count = 3): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const rounded = Math.abs(Number(value.toPrecision(count)));
  const decimals = Math.max(0, count - 1 - Math.floor(Math.log10(rounded) + 1e-9));
  if (decimals > 6) return value.toExponential(count - 1).replace("-", "−");
  return value.toFixed(Math.min(decimals, 6)).replace("-", "−");
}

// What is far below the smallest prefix is nothing: rounding of a body at rest.
const nothing = 1e-12;

export function quantity(value: number, unit: string, count = 3): string {
  if (unit !== "" && unit !== "%" && Math.abs(value) < nothing) value = 0;
  const scale = scaleFor(value, unit);
  const text = digits(value / scale.factor, count);
  return scale.unit ? `${text}\u202f${scale.unit}` : text;
}

// A torque that the rounding of the force over the size of the world would give is nothing, too.
export function torqueText(torque: number, force: number, size: number): string {
  return quantity(torque < 1e-6 * force * size ? 0 : torque, "N m");
}

// 0.4 Hz, 250 Hz, 1 kHz: whoever counts steps does not think in thousandths of one.
export function hertz(rate: number): string {
  return rate >= 999.5 ? `${short(rate / 1000)}\u202fkHz` : `${short(rate)}\u202fHz`;
}

// Two significant digits, whole numbers whole, and without trailing zeros.
export function short(value: number): string {
  const rounded = Number(value.toPrecision(2));
  return rounded >= 1000 ? integer(rounded) : String(rounded);
}

// How a step of so many seconds compares with the rate that is wanted.
export function stepWords(time: number, rate: number): string {
  const slower = time * rate;
  const step = `about ${quantity(time, "s", 1)} a step`;
  return slower > 1 ? `${step}, ${short(slower)}× too slow for ${hertz(rate)}` : `${step}, in time for ${hertz(rate)}`;
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  const scale = scaleFor(count, "B");
  return `${digits(count / scale.factor)} ${scale.unit}`;
}

export function seconds(time: number): string {
  if (time < 0.0995) return `${Math.max(0, Math.round(time * 1000))} ms`;
  if (time < 60) return `${time.toFixed(1)} s`;
  const whole = Math.round(time);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

export function integer(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

// The smallest of 1, 2, 5 x 10^n that is not below `size`.
export function niceAbove(size: number): number {
  if (!(size > 0) || !Number.isFinite(size)) return 1;
  const power = 10 ** Math.floor(Math.log10(size));
  for (const factor of [1, 2, 5]) if (factor * power >= size * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

// The numbers of an axis that go up by `step`, with as many decimals as it has.
export function tickText(value: number, step: number): string {
  const decimals = Math.min(6, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? "0" : text.replace("-", "−");
}

// Round numbers within [from, to], about `count` of them.
export function ticks(from: number, to: number, count: number): number[] {
  if (!(to > from)) return [from];
  const step = niceAbove((to - from) / Math.max(1, count));
  const list: number[] = [];
  for (let i = Math.ceil(from / step - 1e-9) + 0; i * step <= to + 1e-9 * step; ++i) list.push(i * step);
  return list;
}
