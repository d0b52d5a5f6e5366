/**
 * The queue disciplines that a site can follow, and the rules for run times in a simulation.
 *
 * Names as people use them. `repack` is the variant of conservative backfilling that plans afresh whenever
 * something comes free early, offered for comparison with tools that do that.
 */

/** A queue's scheduling algorithm. */
export type Discipline = "fcfs" | "easy" | "conservative" | "repack";

/** All disciplines, in the order in which they are listed to people. */
export const DISCIPLINES: readonly Discipline[] = ["fcfs", "easy", "conservative", "repack"];

/** A program that decides who starts, as people name it: `exec:` and its command line. */
export type ProgramDiscipline = `exec:${string}`;

/** Whether a discipline is a program's and none of ours. */
export function isProgram(discipline: Discipline | ProgramDiscipline): discipline is ProgramDiscipline {
  return discipline.startsWith("exec:");
}

/** What a site machine can follow: a discipline of ours, or starts that somebody outside tells it. */
export type MachineDiscipline = Discipline | "external";

/** What planning assumes for a run time: the true one, or what the user asked for. */
export type EstimateRule = "exact" | "requested";

/** All estimate rules. */
export const ESTIMATE_RULES: readonly EstimateRule[] = ["exact", "requested"];

/** A job that runs longer than requested: the estimate is raised to its runtime, or it is cut. */
export type OverrunRule = "extend" | "kill";

/** All overrun rules. */
export const OVERRUN_RULES: readonly OverrunRule[] = ["extend", "kill"];

/** Whether every waiting job holds a promised start under this discipline. */
export function isPlanning(discipline: MachineDiscipline): boolean {
  return discipline === "conservative" || discipline === "repack";
}
