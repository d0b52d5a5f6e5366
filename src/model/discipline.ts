/**
 * Queue disciplines of a site, and the rules for run times in a simulation.
 *
 * Names are those in common use. `repack` is the variant of conservative backfilling that plans anew whenever
 * capacity becomes free early, for comparison with tools that do so.
 */

/** A queue's scheduling algorithm. */
export type Discipline = "fcfs" | "easy" | "conservative" | "repack";

/** All disciplines, in the order in which they are listed to people. */
export const DISCIPLINES: readonly Discipline[] = ["fcfs", "easy", "conservative", "repack"];

/** A program that decides who starts, as people name it: `exec:` and its command line. */
export type ProgramDiscipline = `exec:${string}`;

/** True for a discipline that is an external program. */
export function isProgram(discipline: Discipline | ProgramDiscipline): discipline is ProgramDiscipline {
  return discipline.startsWith("exec:");
}

/** Disciplines of a site machine: one of ours, or starts from outside. */
export type MachineDiscipline = Discipline | "external";

/** Assumed run time in planning: the true one, or the request. */
export type EstimateRule = "exact" | "requested";

/** All estimate rules. */
export const ESTIMATE_RULES: readonly EstimateRule[] = ["exact", "requested"];

/** A job that runs longer than requested: the estimate is raised to its runtime, or it is cut. */
export type OverrunRule = "extend" | "kill";

/** All overrun rules. */
export const OVERRUN_RULES: readonly OverrunRule[] = ["extend", "kill"];

/** True for disciplines under which every waiting job has a promised start. */
export function isPlanning(discipline: MachineDiscipline): boolean {
  return discipline === "conservative" || discipline === "repack";
}
