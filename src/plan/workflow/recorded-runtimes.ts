/**
 * Runtimes from records of ended jobs, for tasks whose file states none.
 *
 * A job is like a task if it ran the same program with the same arguments on as many processors. Where fewer
 * than three did, other arguments are accepted, except for interpreters and launchers, whose arguments name
 * the program. The median becomes the runtime; the i-th of n ordered runtimes is its quantile i / (n + 1).
 */
import { counted, lengthText, some } from "../../base/index.ts";
import type { TaskDraft, WorkflowDraft } from "./draft.ts";

/** An ended job: what ran, and for how long. */
export interface RecordedRun {
  readonly executable: string;
  readonly arguments: readonly string[];
  readonly procs: number;
  readonly ranMs: number;
}

const LEAST_RUNS = 3;
const MOST_QUANTILES = 20;

type Sought = Omit<RecordedRun, "ranMs">;

/** Programs whose arguments name the program that matters. */
const LAUNCHERS = "env nice time timeout perl ruby node java julia Rscript mpirun mpiexec srun".split(" ");
const SHELL_OR_PYTHON = /^(?:(?:ba|da|k|z)?sh|python[\d.]*)$/;

/** True for a task without a runtime whose program is known, so that records of it can exist. */
export function wantsRecords(task: TaskDraft): boolean {
  const { runtimeMs, runtimesMs } = task;
  return runtimeMs === undefined && runtimesMs === undefined && programOf(task) !== undefined;
}

/** The draft with runtimes for the tasks of which there are enough records, and a remark for each source. */
export function withRecordedRuntimes(
  draft: WorkflowDraft,
  runs: readonly RecordedRun[],
): { readonly draft: WorkflowDraft; readonly remarks: readonly string[] } {
  const byWords = groupBy(runs, keyOf);
  const byProgram = groupBy(runs, programKeyOf);
  const told = new Map<string, { readonly ids: string[]; readonly from: string }>();
  const tasks = draft.tasks.map((task): TaskDraft => {
    const program = programOf(task);
    if (program === undefined || !wantsRecords(task)) return task;
    const sought = { ...program, procs: task.procs };
    const same = byWords.get(keyOf(sought)) ?? [];
    const isSame = same.length >= LEAST_RUNS || isLauncher(program.executable);
    const like = isSame ? same : (byProgram.get(programKeyOf(sought)) ?? []);
    if (like.length < LEAST_RUNS) return task;
    const key = isSame ? keyOf(sought) : programKeyOf(sought);
    const ranMs = like.map((run) => run.ranMs).sort((one, other) => one - other);
    const source = told.get(key) ?? { ids: [], from: sourceText(sought, ranMs, isSame) };
    told.set(key, source);
    source.ids.push(task.id);
    return { ...task, ...runtimeFrom(ranMs, program.site) };
  });
  const remarks = [...told.values()].map(({ ids, from }) => `runtime of ${some(ids)}: ${from}`);
  return { draft: { ...draft, tasks }, remarks };
}

/** Median and quantiles; at the one site to which the task is bound, the median alone. */
function runtimeFrom(
  ranMs: readonly number[],
  site: string | undefined,
): Pick<TaskDraft, "runtimeMs" | "runtimesMs" | "quantilesMs"> {
  const runtimeMs = medianOf(ranMs);
  if (site !== undefined) return { runtimesMs: { [site]: runtimeMs } };
  const count = Math.min(ranMs.length, MOST_QUANTILES);
  const quantilesMs = Array.from({ length: count }, (_, at): readonly [number, number] => {
    const place = Math.round((at * (ranMs.length - 1)) / (count - 1));
    return [(place + 1) / (ranMs.length + 1), ranMs[place]];
  });
  return { runtimeMs, quantilesMs };
}

function medianOf(ordered: readonly number[]): number {
  const upper = ordered.length >> 1;
  if (ordered.length % 2 === 1) return ordered[upper];
  return Math.round((ordered[upper - 1] + ordered[upper]) / 2);
}

function sourceText({ executable, procs }: Sought, ranMs: readonly number[], isSame: boolean): string {
  const [median, least, most] = [medianOf(ranMs), ranMs[0], ranMs[ranMs.length - 1]].map((ms) =>
    lengthText(ms / 1000),
  );
  return (
    `${median}, the median of your ${ranMs.length} successful jobs of ${executable} ` +
    `${isSame ? "with the same arguments" : "with any arguments"} on ${counted(procs, "processor")} ` +
    `(${least} to ${most})`
  );
}

function programOf({ recordedAs, program }: TaskDraft): TaskDraft["recordedAs"] {
  return recordedAs ?? program;
}

function keyOf({ executable, procs, arguments: words }: Sought): string {
  return JSON.stringify([executable, procs, ...words]);
}

function programKeyOf({ executable, procs }: Sought): string {
  return JSON.stringify([executable, procs, null]);
}

function isLauncher(executable: string): boolean {
  const name = executable.slice(executable.lastIndexOf("/") + 1);
  return LAUNCHERS.includes(name) || SHELL_OR_PYTHON.test(name);
}

function groupBy(
  runs: readonly RecordedRun[],
  key: (run: RecordedRun) => string,
): ReadonlyMap<string, readonly RecordedRun[]> {
  const groups = new Map<string, RecordedRun[]>();
  for (const run of runs) {
    const group = groups.get(key(run));
    if (group === undefined) groups.set(key(run), [run]);
    else group.push(run);
  }
  return groups;
}
