// SPDX-License-Identifier: MIT
import { quantity } from "../math/units.ts";
import type { PullFrame } from "../protocol/frames.ts";

// What the hand does, at its arrow.
export function handWords({ force, spring }: Pick<PullFrame, "force" | "spring">): string {
  if (spring?.stiffness === 0) return "this point is held";
  const words = quantity(Math.hypot(...force), "N");
  // The two were rounded alike.
  if (!spring || spring.stiffness >= spring.wanted) return words;
  return `${words}, hand limited to ${quantity(spring.stiffness, "N/m", 2)}`;
}
