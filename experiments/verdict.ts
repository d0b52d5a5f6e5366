/**
 * What an experiment says of a claim of its source.
 */

/** Whether the claim is found here too: in all that it says, in part, or not; or nothing here says it. */
export type Outcome = "reproduced" | "partly" | "not reproduced" | "not measured";

/** A claim of a source, and what came of it here. */
export interface Verdict {
  /** The source's figure or section. */
  readonly figure: string;
  /** In words. */
  readonly claim: string;
  readonly outcome: Outcome;
  /** Our numbers, and the bound that decides: ours where the source gives none. */
  readonly numbers: string;
  /** Why it is not, where we know. */
  readonly why?: string;
}

/** Of a claim that holds or not. */
export function outcomeOf(holds: boolean): Outcome {
  return holds ? "reproduced" : "not reproduced";
}

/** Of a claim with several parts; those of which nothing was measured (undefined) say nothing. */
export function outcomeOfAll(parts: readonly (boolean | undefined)[]): Outcome {
  const measured = parts.filter((holds) => holds !== undefined);
  if (measured.length === 0) return "not measured";
  if (measured.every((holds) => holds)) return "reproduced";
  return measured.some((holds) => holds) ? "partly" : "not reproduced";
}

/** Whether one is less than the other; undefined where either is the mean of nothing. */
export function isLess(one: number, other: number): boolean | undefined {
  return Number.isNaN(one) || Number.isNaN(other) ? undefined : one < other;
}

/** How many of them hold, in a sentence. */
export function summary(verdicts: readonly Verdict[]): string {
  const count = (wanted: Outcome): number => verdicts.filter(({ outcome }) => outcome === wanted).length;
  const partly = count("partly");
  const more = partly === 0 ? "" : `, ${partly} in part`;
  const unknown = count("not measured");
  const less = unknown === 0 ? "" : `; of ${unknown} nothing was measured`;
  return `${count("reproduced")} of ${verdicts.length} claims are reproduced${more}${less}.`;
}

/** Whether a value is within so many percent of the source's. */
export function isNear(value: number, said: number, percent: number): boolean {
  return Math.abs(value - said) <= (said * percent) / 100;
}
