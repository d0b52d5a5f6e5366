/**
 * Starts decided by an external program: the discipline `external` (rule QU-21).
 *
 * The machine decides nothing here but checks each start: it is carried out where the job waits and its
 * rectangle fits now beside running jobs and reservations, else refused with the shortage.
 */
import { assert } from "../base/index.ts";
import { reserve, type Shortage } from "../profile/index.ts";
import { queueArrivals } from "./advance.ts";
import { jobState } from "./job-table.ts";
import { type Machine, phase, poolsOf, takeUpNeed } from "./machine.ts";
import { enterPhase, stateName, type WrongState } from "./operations.ts";
import { poolThatFitsNow } from "./placement.ts";
import { startNow } from "./queueing.ts";
import { dequeue } from "./waiting.ts";

/** Why a job was not started: it does not wait, or does not fit into any of its pools now. */
export type StartRefusal =
  | WrongState
  | {
      readonly kind: "doesNotFit";
      readonly need: readonly number[];
      /** Missing amounts in the first pool of the job, and the instant from which they are missing. */
      readonly shortage: Shortage;
    };

/**
 * Starts a waiting job now, in the first of its pools into which it fits. Comes after everything else at an
 * instant; `advance` then gives the starts of the instant.
 *
 * @returns undefined when it runs; else why not, and nothing has changed
 */
export function start(machine: Machine, handle: number, nowMs: number): StartRefusal | undefined {
  assert(machine.rules.discipline === "external", "only under `external` are starts told");
  if (machine.nowMs !== nowMs || machine.phase !== phase.starts) openStarts(machine, nowMs);
  const { state, need } = machine.jobs;
  if (state[handle] !== jobState.waiting) {
    return { kind: "wrongState", state: stateName(state[handle]), allowedIn: ["waiting"] };
  }
  const pool = poolThatFitsNow(machine, handle);
  if (pool < 0) {
    const shortage = shortageNow(machine, handle);
    return { kind: "doesNotFit", need: need.map((column) => column[handle]), shortage };
  }
  dequeue(machine, handle);
  startNow(machine, handle, pool);
  return undefined;
}

/** Begins the starts of an instant after all its other changes: arrived jobs enter the queue. */
export function openStarts(machine: Machine, nowMs: number): void {
  enterPhase(machine, phase.starts, nowMs);
  queueArrivals(machine);
  machine.started.count = 0;
}

/** Shortage in the first pool of a job that fits into none of its pools; the profile does not change. */
function shortageNow(machine: Machine, handle: number): Shortage {
  const pool = machine.pools[poolsOf(machine, handle)[0]];
  const shortage = reserve(pool, takeUpNeed(machine, handle), machine.jobs.estimateMs[handle], machine.nowMs);
  assert(shortage !== undefined, "what fits nowhere does not fit the first pool");
  return shortage;
}
