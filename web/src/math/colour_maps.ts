// SPDX-License-Identifier: MIT
// Colour maps that are ordered by lightness, so that they are read without colour vision too.

export type Rgb = [number, number, number]; // 0..255

// Equally spaced colours of viridis (S. van der Walt, N. Smith, public domain).
const viridis = [
  0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b,
  0xfde725,
];
// Blue below zero, orange above, light in the middle.
const diverging = [
  0x10305f, 0x2a5f9e, 0x6b9bc9, 0xb3cde0, 0xf2f1ee, 0xf3cfa6, 0xdf9a55, 0xad5f1c, 0x64320b,
];

// Fields that have a sign are mapped from -max to max, the others from 0 to max.
export function colourMap(signed: boolean): (t: number) => Rgb {
  const anchors = signed ? diverging : viridis;
  return (t) => {
    const place = Math.min(1, Math.max(0, t)) * (anchors.length - 1);
    const i = Math.min(anchors.length - 2, Math.floor(place));
    const channel = (shift: number) => {
      const a = (anchors[i] >> shift) & 255;
      const b = (anchors[i + 1] >> shift) & 255;
      return Math.round(a + (place - i) * (b - a));
    };
    return [channel(16), channel(8), channel(0)];
  };
}

// Colours to tell things apart that have no order: Okabe and Ito 2008.
export const palette = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7a6a00"];

export function css([r, g, b]: Rgb): string {
  return `rgb(${r} ${g} ${b})`;
}
