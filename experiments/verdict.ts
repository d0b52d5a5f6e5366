/**
 * What an experiment says of a claim of its source.
 *
 * A check that a wrong system passes too says nothing. So beside what is measured stands a control: the same
 * check on the same work with the mechanism switched off. A claim is reproduced only where its control fails;
 * what is true by construction, of any run whatever, is said so and not counted.
 */

/**
 * Whether the claim is found here too: in all that it says, in part, or not; whether its control passes as
 * well; whether it could not be otherwise; or nothing here says it.
 */
export type Outcome =
  | "reproduced"
  | "partly"
  | "not reproduced"
  | "control passes too"
  | "by construction"
  | "not measured";

/** The same check on a system without what the claim is about. */
export interface Control {
  /** What was run instead: `nobody enforces`. */
  readonly system: string;
  readonly outcome: Outcome;
  readonly numbers: string;
}

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
  /** Every one was run; absent where a claim has none. */
  readonly controls?: readonly Control[];
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

/** What a check says of one system. */
export type Finding = Pick<Verdict, "outcome" | "numbers">;

/** A verdict that counts only where every one of the controls fails the check that the system passes. */
export function controlled(
  claim: Omit<Verdict, "outcome" | "numbers" | "controls">,
  found: Finding,
  controls: readonly Control[],
): Verdict {
  const passes = found.outcome === "reproduced" && controls.some(({ outcome }) => outcome === "reproduced");
  return { ...claim, ...found, ...(passes ? { outcome: "control passes too" } : {}), controls };
}

/** A verdict on what cannot be otherwise: not counted where it holds; a fault of ours where it does not. */
export function certain(verdict: Verdict): Verdict {
  return verdict.outcome === "reproduced" ? { ...verdict, outcome: "by construction" } : verdict;
}

/** Whether one is less than the other; undefined where either is the mean of nothing. */
export function isLess(one: number, other: number): boolean | undefined {
  return Number.isNaN(one) || Number.isNaN(other) ? undefined : one < other;
}

/** How many of them hold, in a sentence. */
export function summary(verdicts: readonly Verdict[]): string {
  const count = (wanted: Outcome): number => verdicts.filter(({ outcome }) => outcome === wanted).length;
  const told = (wanted: Outcome, text: (many: number) => string): string => {
    const many = count(wanted);
    return many === 0 ? "" : text(many);
  };
  const counted = verdicts.length - count("by construction");
  return (
    `${count("reproduced")} of ${counted} claims are reproduced` +
    told("partly", (many) => `, ${many} in part`) +
    told("control passes too", (many) => `; ${many} hold without the mechanism too, and do not count`) +
    told("not measured", (many) => `; of ${many} nothing was measured`) +
    told("by construction", (many) => `; ${many} more hold by construction, and are not counted`) +
    "."
  );
}

/** Whether a value is within so many percent of the source's. */
export function isNear(value: number, said: number, percent: number): boolean {
  return Math.abs(value - said) <= (said * percent) / 100;
}
