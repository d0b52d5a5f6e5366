/**
 * A priority scheme as the priority function of a machine: the driver reports arrivals, starts and ends
 * to it.
 *
 * The function is asked job by job, a scheme orders all that wait: the first question of an instant
 * orders everybody, and the others are answered from that. What happens at the instant itself counts
 * from the next one on, its ends excepted, which come before (rule QU-8).
 * Cost: one order of all waiting jobs per instant with a pass.
 */
import { assert } from "../../base/index.ts";
import type { Machine, PriorityFunction } from "../machine.ts";
import type { OwnedJob, Owner, PriorityScheme } from "./scheme.ts";

/** A scheme at a machine. Jobs that are suspended count as running until they end. */
export interface FollowedScheme {
  readonly priority: PriorityFunction;
  /** Sets the machine; must be called before any event. */
  readonly attach: (machine: Machine) => void;
  readonly arrived: (handle: number, job: Omit<OwnedJob, "handle">) => void;
  readonly started: (owner: Owner, procs: number, atMs: number) => void;
  readonly ended: (owner: Owner, procs: number, atMs: number) => void;
}

/** Begins to follow a machine of `procs` processors. */
export function followScheme(scheme: PriorityScheme, procs: number): FollowedScheme {
  let machine: Machine | undefined;
  let usedProcs = 0;
  const jobs: OwnedJob[] = [];
  /** By handle: the last order, and the instant that it is of. */
  const orders: number[] = [];
  const orderedAtMs: number[] = [];

  function orderAll(asked: number, nowMs: number): void {
    assert(machine !== undefined, "a scheme is attached before it is asked");
    const { handles, count } = machine.waiting;
    const all = Array.from(handles.subarray(0, count));
    if (!all.includes(asked)) all.push(asked);
    const site = { nowMs, freeProcs: procs - usedProcs };
    const numbers = scheme.order(
      all.map((handle) => jobs[handle]),
      site,
    );
    for (const [i, handle] of all.entries()) {
      orders[handle] = numbers[i];
      orderedAtMs[handle] = nowMs;
    }
  }

  return {
    priority: ({ handle }, nowMs) => {
      if (orderedAtMs[handle] !== nowMs) orderAll(handle, nowMs);
      return orders[handle];
    },
    attach: (to) => {
      machine = to;
    },
    arrived: (handle, job) => {
      jobs[handle] = { handle, ...job };
      // The handle may have been another job's at this very instant.
      orderedAtMs[handle] = Number.NaN;
      scheme.known(job.owner);
    },
    started: (owner, count, atMs) => {
      usedProcs += count;
      scheme.started(owner, count, atMs);
    },
    ended: (owner, count, atMs) => {
      usedProcs -= count;
      scheme.ended(owner, count, atMs);
    },
  };
}
