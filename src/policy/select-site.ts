/** Site selectors of [UP] slide 30: the choice among recommended sites. */
import type { SiteSelector } from "../model/index.ts";

/** A recommended site, with the values that selectors compare. */
export interface SiteChoice {
  readonly site: string;
  /** Use of its capacity, in parts per million. */
  readonly usedPpm: number;
  /** Last job of the consumer sent there; null: never. */
  readonly lastSentMs: number | null;
  /** Unix ms; null where there is no prediction. */
  readonly predictedStartMs: number | null;
  /** In processor-ms; null where it is not known. */
  readonly costProcMs: number | null;
}

/** State of the selectors between selections. */
export interface SelectionState {
  /** The site taken last; null before the first. */
  readonly lastSite: string | null;
  /** A number in [0, 1), drawn for each selection. */
  readonly drawn: number;
}

/**
 * The selected site among the recommended ones, in the order of the sites; ties go to the first.
 *
 * @returns undefined where none is recommended
 */
export function selectSite<Choice extends SiteChoice>(
  choices: readonly Choice[],
  selector: SiteSelector,
  { lastSite, drawn }: SelectionState,
): Choice | undefined {
  switch (selector) {
    case "random":
      return choices[Math.min(choices.length - 1, Math.floor(drawn * choices.length))];
    case "roundRobin":
      return choices[(choices.findIndex(({ site }) => site === lastSite) + 1) % Math.max(1, choices.length)];
    case "leastUsed":
      return least(choices, ({ usedPpm }) => usedPpm);
    case "leastRecentlyUsed":
      return least(choices, ({ lastSentMs }) => lastSentMs ?? Number.NEGATIVE_INFINITY);
    case "bestStart":
      return least(choices, ({ predictedStartMs }) => predictedStartMs ?? Number.POSITIVE_INFINITY);
    case "cheapest":
      return least(choices, ({ costProcMs }) => costProcMs ?? Number.POSITIVE_INFINITY);
  }
}

function least<Choice>(choices: readonly Choice[], measure: (choice: Choice) => number): Choice | undefined {
  let best: Choice | undefined;
  for (const choice of choices) {
    if (best === undefined || measure(choice) < measure(best)) best = choice;
  }
  return best;
}

/**
 * A number in [0, 1) derived from a text: the same for the same id, and evenly spread over ids, so that a
 * random selection can be repeated from the record of the job.
 *
 * FNV-1a over the UTF-16 units, then the finalizer of MurmurHash3: short ids differ in few bits, which FNV
 * alone leaves in the lower half.
 */
export function drawnFrom(text: string): number {
  let bits = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}
