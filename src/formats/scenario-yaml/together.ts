/**
 * Incompatible words of a scenario's site (rule FO-43).
 *
 * A problem is reported at the word to remove. In a scenario with variants that may be the site's word, for
 * a run whose other words exclude it: the remedy says how that run switches it off.
 */
import { isProgram, type ScenarioSite } from "../../model/index.ts";
import type { NamedValue, Words } from "../yaml/index.ts";

/** Settings of a site that exclude other words: all but the mandatory ones. */
export interface SiteFacts extends Pick<ScenarioSite, "pools" | "discipline" | "workload"> {
  readonly policies: ScenarioSite["policies"] | undefined;
}

/** Reports each word of a site that is incompatible with the others. */
export function tellMisfits({ value, notes }: NamedValue, facts: SiteFacts): void {
  if (value.kind !== "mapping") return;
  for (const { key, keyAt, value: said } of value.entries) {
    if (said.kind === "scalar" && said.text === "none") continue;
    const words = misfit(key, facts);
    if (words !== undefined) notes.problem(keyAt, words);
  }
}

function misfit(word: string, facts: SiteFacts): Words | undefined {
  const { policies } = facts;
  if (word === "reserving" && policies !== undefined && policies.pep !== "none") {
    return doesNotFit(
      word,
      "what is reserved is of no consumer's share, and no enforcer lets it in",
      WITHOUT.reserving,
    );
  }
  if (facts.workload.kind === "lines") {
    const ofLines = misfitOfLines(word);
    if (ofLines !== undefined) return ofLines;
  } else if (word === "onOutage") {
    return doesNotFit(word, "nothing goes down here: outages are lines of a workload in JSON lines", "");
  }
  if (!isProgram(facts.discipline)) return undefined;
  switch (word) {
    case "priority":
      return doesNotFit(word, `${facts.discipline} orders its queue itself`, WITHOUT.priority);
    case "slots":
      return doesNotFit(
        word,
        `it cannot be predicted which jobs ${facts.discipline} will start`,
        WITHOUT.slots,
      );
    case "reserving":
      return doesNotFit(
        word,
        `it cannot be predicted which jobs ${facts.discipline} will start`,
        WITHOUT.reserving,
      );
    default:
      return undefined;
  }
}

/** Removal of a setting of a site in one run of a scenario. */
const WITHOUT = {
  priority: ", or write priority: none for the run that has none",
  slots: ", or write slots: none for the run in which nobody looks",
  reserving: ", or write reserving: none for the run in which all jobs queue",
} as const;

function misfitOfLines(word: string): Words | undefined {
  switch (word) {
    case "procs":
    case "pools":
      return doesNotFit(word, "a workload in JSON lines describes its pools itself", "");
    default:
      return undefined;
  }
}

function doesNotFit(word: string, why: string, otherwise: string): Words {
  return {
    code: "wordsDoNotFit",
    what: `${word} cannot be combined with the other settings of this site`,
    why,
    remedy: `take it out${otherwise}`,
  };
}
