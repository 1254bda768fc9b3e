// SPDX-License-Identifier: MIT
// What the contacts of a step took, in words.
import { integer, quantity } from "../math/units.ts";
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
