/**
 * Replaying the plain case: one pool of processors, a discipline of ours, arrivals and ends in the order of
 * arrival, nobody who looks on. Jobs come and go in columns, many at once.
 *
 * Equivalent to offering them one by one to `createReplay` (a property test holds the two together, under
 * every discipline). It differs for speed in these ways:
 * 1. It is a program of its own (`kernel/`), compiled to WebAssembly before it runs: a simulation that is
 *    over in a second spent most of it in code that was not compiled yet, and what is compiled as it runs
 *    stays three times slower than the same in C++ (docs/decisions/0013).
 * 2. What the verbs of a site ask of any caller (phases, needs, pools, states) is known here, and not asked.
 * 3. A job that arrives and starts at once is never put into the queue.
 * 4. Under FCFS and EASY no profile is kept, see `kernel/assembly/in-turn`; a compression is that of
 *    `compress-one-column`.
 */
import type { Discipline } from "../model/index.ts";
import type { FinishedJob, ReplayJob } from "./drive/replay-job.ts";
import { type Kernel, loadKernel } from "./kernel/load.ts";
import type { ComingJobs, EndedJobs } from "./plain-columns.ts";

/** A replay of the plain case under way. */
export interface PlainReplay {
  /**
   * Hands over the next jobs, in order of submission also beyond what was handed over before; plays every
   * instant before the last of these submissions.
   *
   * @returns what came of that; overwritten by the next call
   */
  offer(jobs: ComingJobs): PlainOutcome;
  /** Plays everything to the last end. */
  finish(): PlainOutcome;
}

/** Jobs that ended or were refused as too wide in one call. */
export interface PlainOutcome {
  readonly ended: EndedJobs;
  /** Numbers of the jobs of this call that are wider than the site. */
  readonly tooWide: Float64Array;
}

/** Disciplines that need no external program. */
export type PlainDiscipline = Exclude<Discipline, "external">;

/**
 * Begins a replay in columns on an empty site.
 *
 * @param procs its processors, ≥ 1; the first job comes at 0 or later
 */
export function createPlainReplay(procs: number, discipline: PlainDiscipline): PlainReplay {
  const kernel = loadKernel();
  kernel.begin(procs, numberOf(kernel, discipline));
  return {
    offer(jobs) {
      const { count } = jobs;
      write(kernel, jobs);
      kernel.play(count, count === 0 ? Number.NEGATIVE_INFINITY : jobs.submitMs[count - 1]);
      return outcomeOf(kernel);
    },
    finish() {
      kernel.play(0, Number.POSITIVE_INFINITY);
      return outcomeOf(kernel);
    },
  };
}

function numberOf(kernel: Kernel, discipline: PlainDiscipline): number {
  const { FCFS: fcfs, EASY: easy, CONSERVATIVE: conservative, REPACK: repack } = kernel;
  return { fcfs, easy, conservative, repack }[discipline].value;
}

/** Writes jobs into the kernel's columns; where these lie is asked anew, since they move when they grow. */
function write(kernel: Kernel, { submitMs, procs, runtimeMs, estimateMs, count }: ComingJobs): void {
  const first = kernel.makeRoom(count);
  for (const [column, values] of [submitMs, procs, runtimeMs, estimateMs].entries()) {
    const target = new Float64Array(kernel.memory.buffer, kernel.comingColumn(column), first + count);
    target.set(values.subarray(0, count), first);
  }
}

function outcomeOf(kernel: Kernel): PlainOutcome {
  const { buffer } = kernel.memory;
  const count = kernel.endedCount();
  const column = (at: number): Float64Array => new Float64Array(buffer, kernel.endedColumn(at), count);
  return {
    ended: {
      order: column(0),
      submitMs: column(1),
      procs: column(2),
      runtimeMs: column(3),
      startMs: column(4),
      endMs: column(5),
      promisedMs: column(6),
      backfilled: column(7),
      count,
    },
    tooWide: new Float64Array(buffer, kernel.tooWideColumn(), kernel.tooWideCount()),
  };
}

/** A row of what has ended, as an object. */
export function finishedOf<Job extends ReplayJob>(job: Job, ended: EndedJobs, at: number): FinishedJob<Job> {
  const promisedMs = ended.promisedMs[at];
  return {
    job,
    startMs: ended.startMs[at],
    endMs: ended.endMs[at],
    promisedMs: Number.isNaN(promisedMs) ? undefined : promisedMs,
    backfilled: ended.backfilled[at] === 1,
    pool: 0,
  };
}
