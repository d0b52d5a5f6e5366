/**
 * The explanation of a job that an enforcer of Stint's holds or has stopped: the policy is what keeps it.
 *
 * The batch system shows the hold as a begin-time, and would have its owner set another. What follows from
 * that alone (a start at its end, changes that would help) is left out.
 */
import type { ClusterSnapshot, EnforcementCause } from "../../model/index.ts";
import type { Blocker } from "./blocker.ts";
import type { ClusterExplanation } from "./explain-cluster-job.ts";
import { systemWord } from "./system-word.ts";
import { findJob, viewOf } from "./view.ts";

interface Hold {
  readonly cause: EnforcementCause | null;
  readonly untilMs: number | null;
  readonly isStopped: boolean;
}

/** The snapshot as if the job were not held. */
export function withoutHold(snapshot: ClusterSnapshot, siteJob: string): ClusterSnapshot {
  const held = findJob(viewOf(snapshot), siteJob);
  const jobs = snapshot.jobs.map((job) => (job === held ? { ...job, eligibleAtMs: null } : job));
  return { ...snapshot, jobs };
}

/** Blockers found without the policy hold, with the hold before them. */
export function explainedByPolicy(
  explanation: ClusterExplanation,
  { cause, untilMs, isStopped }: Hold,
  shown: ClusterSnapshot,
): ClusterExplanation {
  const held: Blocker = { kind: "policy", cause, untilMs, isStopped, remedies: [{ kind: "wait" }] };
  const blockers = [held, ...explanation.blockers.filter(({ kind }) => kind !== "turn")];
  const job = findJob(viewOf(shown), explanation.siteJob);
  const system = job === undefined ? explanation.system : systemWord(job, blockers);
  return { ...explanation, blockers, system, prediction: null, changes: [] };
}
