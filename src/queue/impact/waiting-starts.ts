/**
 * Starts of the waiting jobs of a queue: now, or with one more reservation in their way.
 *
 * Under a planning discipline the promises say it, displaced by the reservation (rule QU-7). Under FCFS and
 * EASY, whose later jobs hold no promise, the queue is played forward by estimates, with the reservation in
 * it. Nothing of this changes the machine. Cost: a copy of the machine; under FCFS and EASY one play of the
 * queue (on one pool of processors by `backfill-procs`, else by `lookahead`).
 */
import { assert } from "../../base/index.ts";
import { isPlanning } from "../../model/index.ts";
import { checkpoint, type MachineCheckpoint, machineFrom } from "../checkpoint.ts";
import type { FixedRectangle, Machine, SiteRules } from "../machine.ts";
import { type ReservationRefusal, reserve } from "../reservations.ts";
import { inQueueOrder } from "../waiting.ts";
import { isPlayedFast, playedQueueOf, playPresent } from "./backfill-procs.ts";
import { playForward, rulesOfNow } from "./lookahead.ts";

/** The waiting jobs in queue order, with a start each. */
export interface WaitingStarts {
  readonly handles: Int32Array;
  /** In ms, in the order of `handles`. */
  readonly startMs: Float64Array;
}

/** A machine as it stands, to try reservations on. It has settled its last instant. */
export interface TriedMachine {
  readonly machine: Machine;
  readonly saved: MachineCheckpoint;
  readonly rules: SiteRules;
  readonly present: WaitingStarts;
}

/** The id of a reservation that is only tried; those that are made have ids ≥ 0. */
const TRIED = -1;

/**
 * Prepares a machine, which is not changed, and must not change while reservations are tried on it.
 *
 * @param planned starts of the waiting jobs, by handle, where they are already known
 */
export function prepareImpact(machine: Machine, planned?: Float64Array): TriedMachine {
  assert(machine.rules.discipline !== "external", "nobody knows what somebody outside would start");
  const rules = rulesOfNow(machine);
  const saved = checkpoint(machine);
  const { handles, count } = inQueueOrder(machine);
  const queue = handles.slice(0, count);
  const known = planned ? Float64Array.from(queue, (it) => planned[it]) : knownStarts(machine, queue);
  const startMs = known ?? startsOf(machineFrom(saved, rules), queue);
  return { machine, saved, rules, present: { handles: queue, startMs } };
}

/** The starts, in the order of `present`, with this reservation; else why it cannot be. */
export function startsBeside(
  { saved, rules, present }: TriedMachine,
  fixed: FixedRectangle,
): Float64Array | ReservationRefusal {
  const copy = machineFrom(saved, rules);
  const refusal = reserve(copy, TRIED, fixed, copy.nowMs);
  return refusal ?? startsOf(copy, present.handles);
}

/** The starts where no copy of the machine is needed to know them. */
function knownStarts(machine: Machine, queue: Int32Array): Float64Array | undefined {
  const { jobs, rules } = machine;
  if (isPlanning(rules.discipline)) return Float64Array.from(queue, (handle) => jobs.startMs[handle]);
  return isPlayedFast(machine) ? playPresent(playedQueueOf(machine, queue)) : undefined;
}

/** Starts of the waiting jobs on a copy of the machine, which is used up. */
function startsOf(copy: Machine, queue: Int32Array): Float64Array {
  const { jobs } = copy;
  if (isPlanning(copy.rules.discipline)) return Float64Array.from(queue, (handle) => jobs.startMs[handle]);
  const started = new Map<number, number>();
  playForward(copy, (handle, atMs) => started.set(handle, atMs));
  return Float64Array.from(queue, (handle) => started.get(handle) ?? Number.POSITIVE_INFINITY);
}
