// SPDX-License-Identifier: MIT
// What the contacts of a step took, in words.
import { digits, integer, quantity } from "../math/units.ts";
import type { MeetingFrame } from "../protocol/frames.ts";

function count(n: number, one: string, many: string): string {
  return `${integer(n)} ${n === 1 ? one : many}`;
}

export function contactWords(meeting: MeetingFrame | null): string {
  if (!meeting) return "No bodies are near each other.";
  const { contacts, deepest, visited, asleep, levelsLeftOut, budget } = meeting;
  const touch =
    contacts === 0
      ? "No point touches"
      : `${count(contacts, "point touches", "points touch")}, ${quantity(deepest, "m", 2)} deep at most`;
  const looked = `${count(visited, "node", "nodes")} of the point trees looked at`;
  const most = budget > 0 ? ` of ${integer(budget)} that the step has time for` : "";
  const slept = `${integer(asleep)} asleep, as they cannot touch yet`;
  const levels =
    levelsLeftOut === 0
      ? "all levels"
      : `${count(levelsLeftOut, "finest level", "finest levels")} left out for lack of time`;
  return `${touch}. ${looked}${most}, ${slept}; ${levels}.`;
}

// Of bodies whose field is drawn as it is at rest, bent with them, and felt otherwise; empty: of none.
export function refinedWords(names: readonly string[]): string {
  if (names.length === 0) return "";
  return `Drawn of ${names.join(", ")} is the field at rest, bent with the body; what others feel is nearer to the true distance.`;
}

// Of which bodies it is not known everywhere what is inside; empty if it is of all.
export function doubtWords(doubts: readonly { name: string; share: number }[]): string {
  const parts = doubts.filter(({ share }) => share > 0).map(({ name, share }) => `${digits(100 * share, 2)}\u202f% of ${name}`);
  return parts.length === 0 ? "" : `Inside or outside is a guess for ${parts.join(", ")}, orange: the mesh has holes there.`;
}
