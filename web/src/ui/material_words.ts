// SPDX-License-Identifier: MIT
import type { Body } from "../protocol/messages.ts";

// Why there are no sliders for what a body is made of.
export function fixedMaterialWords({ facts, engine, regions }: Pick<Body, "facts" | "engine" | "regions">): string {
  const change = "change it in the scene file";
  if (facts.dense) return `The ${engine} engine takes its material in once, when the scene is opened: ${change}.`;
  const other = regions.filter(({ young }) => young === null).map(({ law }) => law.replaceAll("_", " "));
  if (other.length === 0) return `What it answers was worked out for this material when it was baked: ${change}.`;
  return `Its material (${[...new Set(other)].join(", ")}) has no single stiffness that a slider could set: ${change}.`;
}
