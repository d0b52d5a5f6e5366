/**
 * A simulated site as its enforcer sees it.
 */
import { assert } from "../../base/index.ts";
import { type EnforcedJob, type EnforcedSite, usesKept } from "../../policy/index.ts";
import type { Play, PlayedJob } from "./play.ts";

/** The site at an instant, before what is let go has started. */
export function siteSeen({ input, present, keeper, downCpu, acted }: Play, nowMs: number): EnforcedSite {
  const { capacity, rules } = input;
  return {
    capacity,
    available: { ...capacity, cpu: capacity.cpu - downCpu },
    jobs: Array.from(present, (played) => {
      played.seen ??= jobSeen(played, nowMs);
      return played.seen;
    }),
    shares: keeper.shares,
    uses: usesKept(keeper),
    rules,
    actionsLeft: Math.max(0, rules.actionsPerHour - acted.length),
  };
}

function jobSeen({ job, order, state, ...played }: PlayedJob, nowMs: number): EnforcedJob {
  assert(state !== null, "who is there has a state");
  const { begunAtMs, restEstimateMs, stops, stoppedFor } = played;
  return {
    id: job.id,
    consumer: job.consumer,
    need: job.need,
    state,
    order,
    begunAtMs,
    plannedEndMs: state === "running" ? (begunAtMs ?? nowMs) + restEstimateMs : null,
    estimateMs: state === "running" ? job.estimateMs : restEstimateMs,
    stops,
    stoppedFor,
    nudged: null,
  };
}
