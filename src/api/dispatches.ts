/**
 * What brokers tell each other of the jobs that they have sent to clusters, as it is written and read.
 */
import { MS_PER_SECOND } from "../base/index.ts";
import type { DispatchesView } from "../contract/index.ts";
import type { DispatchList } from "../model/index.ts";
import { instantGiven } from "./instant-given.ts";
import { isoInstant } from "./iso-instant.ts";
import { wholeMs } from "./submission.ts";

/** What this broker has sent. */
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

/** What another broker has sent. @throws ProblemError where an instant is none */
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
