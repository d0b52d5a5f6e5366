/**
 * The refusal of a declared delay cost in words.
 */
import type { Refusal } from "./command.ts";
import type { RefusalText } from "./problem-text.ts";

/** The words for it. */
export function delayCostText(refusal: Extract<Refusal, { kind: "delayCostOverBudget" }>): RefusalText {
  const { site, consumer, declaredSuPerHour, procs, usedSuPerHour, budgetSuPerHour } = refusal;
  const wanted = `${declaredSuPerHour - procs} SU an hour more than its processors are declared`;
  const whose = `waiting jobs of ${consumer}`;
  const has =
    budgetSuPerHour === null
      ? `${site} has given ${consumer} nothing for that`
      : `${whose} may declare ${budgetSuPerHour} in all at ${site}, and have ${usedSuPerHour}`;
  return {
    what: `a delay cost of ${declaredSuPerHour} SU an hour cannot be declared`,
    why: `${wanted}; ${has}`,
    remedy:
      `declare no more than ${procs + Math.max(0, (budgetSuPerHour ?? 0) - usedSuPerHour)}, wait until ` +
      "others have started, or ask the site's administrator (delayBudgets)",
  };
}
