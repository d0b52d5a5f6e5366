/**
 * Budgets of declared delay costs.
 *
 * The source takes a job's processors as the cost of an hour of its delay, since a declaration must have a
 * price. Here it has one: processors are free of charge, and what a waiting job declares beyond them is taken
 * from the budgets of the levels of its consumer path. Each level with a budget must cover it beside the
 * other waiting jobs, and there must be one.
 */
import { levelsOf } from "./ledger.ts";

/** A level of a consumer path whose budget is exceeded, in SU for an hour of delay. */
export interface DelayBudgetShortage {
  readonly consumer: string;
  /**
   * The sum that its waiting jobs have declared beyond their processors, and its budget; null: it has none.
   */
  readonly usedSuPerHour: number;
  readonly budgetSuPerHour: number | null;
}

/** The part of a declaration that counts against budgets: whatever is beyond the job's processors. */
export function declaredBeyond(declaredSuPerHour: number, procs: number): number {
  return Math.max(0, declaredSuPerHour - procs);
}

/**
 * The first level of a path whose budget is exceeded; undefined where no budget is, and one exists.
 *
 * @param usedBy sum that the waiting jobs of a level and all below it have declared beyond their processors
 */
export function delayBudgetShortage(
  budgets: Readonly<Record<string, number>>,
  { consumer, beyondSuPerHour }: { readonly consumer: string; readonly beyondSuPerHour: number },
  usedBy: (level: string) => number,
): DelayBudgetShortage | undefined {
  if (beyondSuPerHour <= 0) return undefined;
  const given = levelsOf(consumer).filter((level) => Object.hasOwn(budgets, level));
  if (given.length === 0) {
    return { consumer, usedSuPerHour: usedBy(consumer), budgetSuPerHour: null };
  }
  for (const level of given) {
    const usedSuPerHour = usedBy(level);
    const budgetSuPerHour = budgets[level];
    if (usedSuPerHour + beyondSuPerHour > budgetSuPerHour) {
      return { consumer: level, usedSuPerHour, budgetSuPerHour };
    }
  }
  return undefined;
}
