/**
 * Which sites are recommended, and which one is taken, in the table of `stint when` and in a sentence
 * (rules CL-85, CL-86).
 */
import type { ProspectView } from "../api/client/index.ts";
import type { SiteSelector } from "../model/index.ts";
import type { Listing } from "./output-forms.ts";
import { PROSPECT_LISTING, percent } from "./prospect-lines.ts";
import { printable } from "./text-table.ts";

const [SITE, ...OTHERS] = PROSPECT_LISTING.columns;

/** The table of prospects with what was chosen. */
export const CHOICE_LISTING: Listing<ProspectView> = {
  ...PROSPECT_LISTING,
  columns: [SITE, { head: "CHOICE", cell: choiceText }, ...OTHERS],
};

function choiceText({ choice }: ProspectView): string {
  if (choice?.isChosen === true) return "taken";
  return choice?.isRecommended === true ? "yes" : "no";
}

/** What is taken and why, or that nothing is recommended. */
export function choiceLines(
  prospects: readonly ProspectView[],
  select: SiteSelector | undefined,
): readonly string[] {
  const taken = prospects.find(({ choice }) => choice?.isChosen === true);
  if (taken !== undefined) return [`${printable(taken.site)} is taken${becauseText(taken, select)}`];
  const count = prospects.filter(({ choice }) => choice?.isRecommended === true).length;
  return count > 0
    ? []
    : ["no site is recommended: none that takes jobs and would honour it meets the condition"];
}

function becauseText({ choice }: ProspectView, select: SiteSelector | undefined): string {
  if (choice === undefined || select === undefined) return ", by the selector of its organisation";
  switch (select) {
    case "leastUsed":
      return `: ${percent(choice.usedShare)} of it is in use or asked for, of no other less`;
    case "cheapest":
      return choice.priceSu === null ? "" : ": it costs least there";
    case "bestStart":
      return ": it starts earliest there, as far as is known";
    case "leastRecentlyUsed":
      return ": of all it is longest ago that a job was sent there, or none ever was";
    case "roundRobin":
      return ": it is its turn";
    case "random":
      return ", by lot";
  }
}
