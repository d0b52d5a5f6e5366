/**
 * What a job may declare as its delay cost (rule MK-24).
 *
 * The source takes a job's processors for what its delay costs, since what people say of themselves has to
 * cost them something. Here it does: whoever claims more for one job can claim less for the others that wait.
 */
import { levelsOf } from "./ledger.ts";

/** A level of a consumer path whose budget does not allow it. In SU for an hour of delay. */
export interface DelayBudgetShortage {
  readonly consumer: string;
  /** What its waiting jobs have declared beyond their processors, and may; null: it was given nothing. */
  readonly usedSuPerHour: number;
  readonly budgetSuPerHour: number | null;
}

/** What counts against budgets: what is declared beyond the processors, which everybody has for nothing. */
export function declaredBeyond(declaredSuPerHour: number, procs: number): number {
  return Math.max(0, declaredSuPerHour - procs);
}

/**
 * The first level of a path that cannot cover it; undefined where all that have a budget can, and one has.
 *
 * @param usedBy what the waiting jobs of a level and all below it have declared beyond their processors
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
