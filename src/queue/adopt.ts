/**
 * Taking over jobs that a site has already: after a restart, or on first sight of a foreign queue.
 *
 * Equivalent to replaying their whole history; differs in that only their present state is needed: state,
 * start, and the rest of the estimate. Jobs are adopted in order of arrival, before anything else
 * happens to the machine; under a planning discipline each waiting job is promised its earliest start.
 */
import { assert } from "../base/index.ts";
import { fits } from "../profile/index.ts";
import { jobState } from "./job-table.ts";
import type { Machine } from "./machine.ts";
import { type Arrival, admit, enterQueue } from "./operations.ts";
import { occupyRest } from "./placement.ts";

/** A job that the site already has when it is adopted. */
export type FoundJob = Arrival & {
  readonly arrivedAtMs: number;
} & (
    | { readonly state: "waiting" | "held" | "suspended" }
    /** Running since `startMs` in `pool`; its estimated end lies in the future. */
    | { readonly state: "running"; readonly startMs: number; readonly pool: number }
  );

/** True where a running job fits beside everything already on the machine. */
export function fitsBeside({ pools, nowMs }: Machine, found: FoundJob & { state: "running" }): boolean {
  return fits(pools[found.pool], found.need, found.startMs + found.estimateMs - nowMs, nowMs);
}

/** Adopts a job and returns its handle. Running jobs must fit beside each other. */
export function adopt(machine: Machine, found: FoundJob): number {
  const admitted = admit(machine, found, found.arrivedAtMs);
  assert(admitted.ok, "a job that a site has is not wider than the site");
  const handle = admitted.value;
  const { jobs } = machine;
  switch (found.state) {
    case "waiting":
      enterQueue(machine, handle);
      break;
    case "held":
    case "suspended":
      jobs.state[handle] = jobState[found.state];
      break;
    case "running":
      jobs.state[handle] = jobState.running;
      occupyRest(machine, handle, found);
  }
  return handle;
}
