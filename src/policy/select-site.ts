/**
 * Which of the recommended sites is taken (PO-22): the selectors of [UP] slide 30.
 */

/** What a selector looks at. */
export interface SiteChoice {
  readonly site: string;
  /** In use of its capacity, in parts per million. */
  readonly usedPpm: number;
  /** When the consumer was last sent there; null: never. */
  readonly lastSentMs: number | null;
  /** Unix ms; null where nobody knows. */
  readonly predictedStartMs: number | null;
  /** In processor-ms; null where it is not known. */
  readonly costProcMs: number | null;
}

/** How a site is selected. */
export type SiteSelector =
  | "random"
  | "roundRobin"
  | "leastUsed"
  | "leastRecentlyUsed"
  | "bestStart"
  | "cheapest";

/** All of them, as they are listed to people. */
export const SITE_SELECTORS: readonly SiteSelector[] = [
  "random",
  "roundRobin",
  "leastUsed",
  "leastRecentlyUsed",
  "bestStart",
  "cheapest",
];

/** What the choices made before leave behind. */
export interface SelectionState {
  /** The site taken last; null before the first. */
  readonly lastSite: string | null;
  /** A number from 0 up to 1, drawn anew for each selection. */
  readonly drawn: number;
}

/**
 * The site to take of those that are recommended, in the order of the sites; ties go to the first.
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
