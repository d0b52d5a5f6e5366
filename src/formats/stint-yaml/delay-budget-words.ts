/**
 * What the waiting jobs of consumers may declare of delay costs: `reservations.delayBudgets`.
 */
import { isConsumerPath } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { type NamedValue, shown, wholeNumberOf, wrongType } from "../yaml/index.ts";

const EXAMPLE = "delayBudgets: { cms: 64, cms/higgs: 16 }";
const MOST_SU_PER_HOUR = 1_000_000_000;

/** SU for an hour of delay, by consumer path; undefined, with problems, where something is wrong. */
export function delayBudgetsOf(named: NamedValue): Readonly<Record<string, number>> | undefined {
  const { name, value, notes } = named;
  if (value.kind !== "mapping") {
    notes.problem(value.at, wrongType(name, value, EXAMPLE));
    return undefined;
  }
  const before = notes.problemCount();
  const budgets = value.entries.flatMap(({ key, keyAt, value: amount }): [string, number][] => {
    if (!isConsumerPath(key)) {
      notes.problem(keyAt, {
        code: "badConsumer",
        what: `${shown(name)}: ${echoText(key)} is no consumer path`,
        why: "a path is up to eight names with / between them, of letters, digits and _ . @ + -",
        remedy: `write for instance ${EXAMPLE}`,
      });
      return [];
    }
    const bounds = { least: 0, most: MOST_SU_PER_HOUR, example: "cms: 64" };
    const suPerHour = wholeNumberOf({ name: `${name}.${key}`, value: amount, notes }, bounds);
    return suPerHour === undefined ? [] : [[key, suPerHour]];
  });
  return notes.problemCount() > before ? undefined : Object.fromEntries(budgets);
}
