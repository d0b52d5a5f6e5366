/**
 * The same work and the same slot in Stint's own site machine, with the real run times: what differs between
 * this and the price is what estimates and later jobs do; what differs between this and the cluster is Slurm.
 */
import type { Discipline } from "../../src/model/index.ts";
import { createMachine, createReplay, type FixedRectangle, type ReplayJob } from "../../src/queue/index.ts";
import { type Delay, delayOf, type Starts } from "./compare.ts";
import type { PlacedSlot } from "./plan.ts";
import { CLUSTER_PROCS, QUOTE_AT_MS, type TruthWorkload } from "./workload.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/**
 * What the slot does to the jobs that wait at the question; null where it conflicts with what runs then.
 *
 * @param slot its start is in ms since the play began
 */
export function simulatedDelay(
  workload: TruthWorkload,
  slot: PlacedSlot,
  discipline: Discipline,
): Delay | null {
  const { startMs, durationMs } = slot;
  const fixed = { pool: 0, need: [slot.procs], startMs, durationMs };
  const without = startsOf(workload, discipline, undefined);
  const withSlot = startsOf(workload, discipline, fixed);
  if (without === undefined || withSlot === undefined) return null;
  const waiting = workload.jobs.filter(
    ({ name, atMs }) => atMs < QUOTE_AT_MS && (without.get(name) ?? 0) > QUOTE_AT_MS,
  );
  return delayOf(waiting, without, withSlot);
}

/** When the jobs start; undefined where the slot is refused. */
function startsOf(
  { jobs }: TruthWorkload,
  discipline: Discipline,
  fixed: FixedRectangle | undefined,
): Starts | undefined {
  const starts = new Map<string, number>();
  let isRefused = false;
  const replay = createReplay(
    createMachine([[CLUSTER_PROCS]], { discipline }),
    {
      finished: ({ job, startMs }) => starts.set(jobs[job.id].name, startMs),
      refused: () => {
        isRefused = true;
      },
    },
    fixed === undefined ? [] : [{ kind: "reserve", atMs: QUOTE_AT_MS, reservation: 0, fixed }],
  );
  jobs.forEach((job, id) => {
    const replayed: ReplayJob = {
      ...{ id, submitMs: job.atMs, need: [job.procs] },
      estimateMs: job.limitMinutes * MINUTE_MS,
      runtimeMs: job.sleepSeconds * SECOND_MS,
    };
    replay.offer(replayed);
  });
  replay.finish();
  return isRefused ? undefined : starts;
}
