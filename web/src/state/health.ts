// SPDX-License-Identifier: MIT
// How the simulation is doing, from the frames that arrive: the rate that it achieves, and what goes
// wrong for so long that it is worth a word. A single late cycle is not.

const lasting = 2000; // ms of trouble before it is told
const forgotten = 1000; // ms without trouble until it is over
const span = 2000; // ms over which the rate is taken, and longer until there are some steps
const fewSteps = 4;
const longest = 20_000;
const slow = 0.9; // of the rate that is wanted

// Of the bits of StepStatus.
export const statusTexts = [
  "numbers lost, put back",
  "did not converge",
  "fell back to a safer step",
  "motion limited",
  "time step too large",
  "out of memory",
  "too slow for its own rate",
  "strained beyond small deformations",
  "pulled beyond small deformations",
  "turned beyond small deformations",
  "loaded beyond what was baked",
];

export interface HealthFrame {
  step: number;
  counters: { status: number; fault: { body: number; status: number } | null } | null;
}

export interface HealthReport {
  rate: number | null; // steps a second; null: not known yet
  slower: number; // how many times slower than wanted; 1: as wanted
  status: number; // bits of StepStatus that last
  bodies: readonly number[]; // for each bit, the last body that was told to have it, or -1
}

// Of a scene with several bodies, which of them it is.
export function statusWords({ status, bodies }: Pick<HealthReport, "status" | "bodies">, names: readonly string[]): string {
  const texts = new Map<string, string[]>();
  statusTexts.forEach((text, bit) => {
    if (!(status & (1 << bit))) return;
    const name = names.length > 1 ? (names[bodies[bit]] ?? "") : "";
    texts.set(name, [...(texts.get(name) ?? []), text]);
  });
  return [...texts].map(([name, own]) => (name ? `${name}: ` : "") + own.join(", ")).join("; ");
}

// Trouble that comes and goes is one trouble, from its first sign on.
class Lasting {
  private since: number | null = null;
  private last = 0;

  hear(trouble: boolean, now: number): boolean {
    if (trouble) {
      this.since ??= now;
      this.last = now;
    } else if (now - this.last > forgotten) {
      this.since = null;
    }
    return this.since !== null && now - this.since >= lasting;
  }
}

export class Health {
  private steps: { step: number; at: number }[] = []; // where it changed
  private slowness = new Lasting();
  private bits: Lasting[] = [];
  private bodies = statusTexts.map(() => -1);

  clear(): void {
    this.steps = [];
    this.slowness = new Lasting();
    this.bits = [];
    this.bodies = statusTexts.map(() => -1);
  }

  // `wanted`: steps a second; 0 while it is paused.
  hear({ step, counters }: HealthFrame, now: number, wanted: number): HealthReport {
    const before = this.steps.at(-1);
    if (!(wanted > 0) || (before && step < before.step)) this.clear();
    if (this.steps.at(-1)?.step !== step) this.steps.push({ step, at: now });
    while (this.steps.length > 2 && this.old(this.steps[1], step, now)) this.steps.shift();
    const rate = this.rate(now);
    const late = wanted > 0 && rate !== null && rate < slow * wanted;
    const lasts = this.slowness.hear(late, now);
    let status = 0;
    for (let bit = 0; bit < statusTexts.length; ++bit) {
      this.bits[bit] ??= new Lasting();
      const seen = ((counters?.status ?? 0) & (1 << bit)) !== 0;
      if (this.bits[bit].hear(seen, now)) status |= 1 << bit;
      const { fault } = counters ?? { fault: null };
      if (fault && fault.status & (1 << bit)) this.bodies[bit] = fault.body;
    }
    return { rate, slower: lasts && rate ? Math.max(wanted / rate, 1 / slow) : 1, status, bodies: [...this.bodies] };
  }

  // From one change of the step to another, or less if the next one is overdue.
  private rate(now: number): number | null {
    const first = this.steps[0];
    const last = this.steps[this.steps.length - 1];
    if (now - first.at < span / 2) return null;
    const steps = last.step - first.step;
    const atMost = (1000 * (steps + 1)) / (now - first.at);
    return steps > 0 ? Math.min(atMost, (1000 * steps) / (last.at - first.at)) : atMost;
  }

  private old({ step: before, at }: { step: number; at: number }, step: number, now: number): boolean {
    return now - at >= longest || (now - at >= span && step - before >= fewSteps);
  }
}
