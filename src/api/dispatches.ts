/** Reports between brokers on the jobs that they have sent to clusters. */
import { MS_PER_SECOND } from "../base/index.ts";
import type { DispatchesView } from "../contract/index.ts";
import type { DispatchList } from "../model/index.ts";
import { instantGiven } from "./instant-given.ts";
import { isoInstant } from "./iso-instant.ts";
import { wholeMs } from "./submit-jobs.ts";

/** Report of this broker. */
export function dispatchesView({ asOfMs, dispatched, leftOut }: DispatchList): DispatchesView {
  return {
    asOf: isoInstant(asOfMs),
    dispatched: dispatched.map(({ startedAtMs, limitMs, ...same }) => ({
      ...same,
      startedAt: startedAtMs === null ? null : isoInstant(startedAtMs),
      wallTimeSec: limitMs / MS_PER_SECOND,
    })),
    leftOut,
  };
}

/** Report of another broker. @throws ProblemError for an invalid instant */
export function dispatchesGiven({ asOf, dispatched, leftOut }: DispatchesView): DispatchList {
  return {
    asOfMs: instantGiven(asOf, { pointer: "/asOf" }),
    dispatched: dispatched.map(({ startedAt, wallTimeSec, ...same }, index) => ({
      ...same,
      startedAtMs:
        startedAt === null ? null : instantGiven(startedAt, { pointer: `/dispatched/${index}/startedAt` }),
      limitMs: wholeMs(wallTimeSec),
    })),
    leftOut,
  };
}
