/**
 * Plays a workload through a site in virtual time: the drive of `queue`, with the actors that are asked for.
 *
 * What only some of the plays need is loaded by these alone.
 */
import { isProgram } from "../../model/index.ts";
import { batchOf, createWorkloadDrive, type PlainDiscipline } from "../../queue/index.ts";
import type { EnforcedWorkload } from "../enforcing/enforced-input.ts";
import {
  type DoneJob,
  type Ends,
  nothingPlayed,
  type PlayedCounts,
  type PlayRules,
  type WorkloadPlay,
} from "./play-state.ts";
import { ownerOf, type Workload, type WorkloadFrame, type WorkloadJob } from "./workload.ts";

/**
 * Begins a play.
 *
 * @throws Fault where a program that decides cannot be begun; while it goes on, where reservations conflict,
 * more is down than there is, and for all that can be wrong with a program
 */
export async function beginPlay(
  workload: WorkloadFrame,
  rules: PlayRules,
  ends: Ends,
): Promise<WorkloadPlay> {
  if (rules.policies !== undefined) {
    const { beginEnforcedPlay } = await import("../enforcing/enforced-workload.ts");
    return beginEnforcedPlay(workload, { ...rules, policies: rules.policies }, ends);
  }
  const counts = nothingPlayed(workload.cancelledEarly);
  const { finished } = ends;
  const told = {
    ended: ends.ended,
    finished:
      finished &&
      ((done: DoneJob) => {
        if (done.promisedMs !== undefined && done.startMs > done.promisedMs) counts.startedLate++;
        finished(done);
      }),
  };
  const { priority, underWay = 0 } = rules;
  const ordered = priority && { rules: priority, ownerOf, isFirst: ({ id }: WorkloadJob) => id < underWay };
  const { capacity } = workload.site;
  if (!isActedOn(workload, rules)) {
    const discipline = ownDiscipline(rules);
    const driven = createWorkloadDrive<WorkloadJob>({ capacity, discipline, priority: ordered, ...told });
    return { ...driven, counts, stop: async () => {} };
  }
  const { beginActors } = await import("./actors.ts");
  const { discipline, beside, program } = await beginActors(workload, rules, { ends, counts });
  const driven = createWorkloadDrive<WorkloadJob>({
    ...{ capacity, discipline, priority: ordered, beside, ...told },
  });
  return {
    counts,
    offer: (jobs) => driven.offer(jobs),
    async finish() {
      program.deciding?.noteLastJob();
      await driven.finish();
      await program.deciding?.leave();
    },
    stop: async () => program.begun?.program.stop(),
  };
}

/** True if there are actors or observers in addition to arrivals and ends. */
function isActedOn({ site, events, reservations }: WorkloadFrame, rules: PlayRules): boolean {
  const { discipline, looks, reserving } = rules;
  if (site.hasNodes || events.length > 0 || reservations.length > 0) return true;
  return isProgram(discipline) || looks !== undefined || reserving !== undefined;
}

/** The discipline of rules that name no program. */
function ownDiscipline({ discipline }: Pick<PlayRules, "discipline">): PlainDiscipline {
  if (isProgram(discipline)) throw new Error("what must hold: the discipline is one of ours");
  return discipline;
}

/** Result of a workload that is in memory. */
export interface Played extends PlayedCounts {
  /** In the order in which their ends were known; of submission under an enforcer. */
  readonly done: readonly DoneJob[];
  readonly enforced?: EnforcedWorkload | undefined;
}

/** Number of jobs between two checks whether to stop. */
const JOBS_AT_ONCE = 2048;

/**
 * Plays a whole workload to its last end.
 *
 * @throws Fault as `beginPlay`; what `checkStop` throws
 */
export async function playWorkload(
  workload: Workload,
  rules: PlayRules,
  between: () => Promise<void> = async () => {},
): Promise<Played> {
  const done: DoneJob[] = [];
  const ends: Ends = {
    finished: (one) => void done.push(one),
    takenBack: (job) =>
      void done.splice(
        done.findIndex((one) => one.job === job),
        1,
      ),
  };
  const play = await beginPlay(workload, rules, ends);
  try {
    for (let from = 0; from < workload.jobs.length; from += JOBS_AT_ONCE) {
      rules.checkStop?.();
      await play.offer(batchOf(workload.jobs.slice(from, from + JOBS_AT_ONCE)));
      await between();
    }
    await play.finish();
    await between();
  } finally {
    await play.stop();
  }
  return { ...play.counts, done, enforced: play.enforced?.() };
}
