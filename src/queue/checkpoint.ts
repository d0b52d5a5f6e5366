/**
 * Trying something on a site and taking it back, and sending a site to a worker thread.
 *
 * A checkpoint is a copy of everything in the machine's state, so rolling back cannot forget anything.
 * It is plain data: `structuredClone` and `postMessage` take it as it is.
 * Cost: O(jobs in the system) memory copies.
 */
import { assert } from "../base/index.ts";
import { copyProfile, type Profile } from "../profile/index.ts";
import { copyJobTable, type JobTable } from "./job-table.ts";
import {
  createMachine,
  type FixedRectangle,
  type FreedInterval,
  type Machine,
  phase,
  type SiteRules,
  type WaitingList,
} from "./machine.ts";
import { copyPlannedStarts, type PlannedStarts } from "./planned-starts.ts";

/** The whole state of a site at one moment. */
export interface MachineCheckpoint {
  readonly nowMs: number;
  readonly phase: number;
  readonly pools: readonly Profile[];
  readonly poolSets: readonly (readonly number[])[];
  readonly jobs: JobTable;
  readonly waiting: WaitingList;
  readonly arriving: WaitingList;
  readonly plannedStarts: PlannedStarts;
  readonly reservations: readonly (readonly [number, FixedRectangle])[];
  readonly cameFree: boolean;
  readonly freed: readonly FreedInterval[];
}

/** Remembers the site as it is. */
export function checkpoint(machine: Machine): MachineCheckpoint {
  assert(machine.phase !== phase.starts, "starts that were told are settled before a checkpoint");
  return {
    nowMs: machine.nowMs,
    phase: machine.phase,
    pools: machine.pools.map(copyProfile),
    poolSets: machine.poolSets.map((set) => [...set]),
    jobs: copyJobTable(machine.jobs),
    waiting: copyList(machine.waiting),
    arriving: copyList(machine.arriving),
    plannedStarts: copyPlannedStarts(machine.plannedStarts),
    reservations: [...machine.reservations],
    cameFree: machine.cameFree,
    freed: machine.freed.map((interval) => ({ ...interval })),
  };
}

/** Makes the site what it was at the checkpoint, which stays usable. */
export function rollback(machine: Machine, saved: MachineCheckpoint): void {
  machine.nowMs = saved.nowMs;
  machine.phase = saved.phase;
  machine.pools = saved.pools.map(copyProfile);
  machine.poolSets = saved.poolSets.map((set) => [...set]);
  machine.jobs = copyJobTable(saved.jobs);
  machine.waiting = copyList(saved.waiting);
  machine.arriving = copyList(saved.arriving);
  machine.started.count = 0;
  machine.lastPass.holds = false;
  machine.plannedStarts = copyPlannedStarts(saved.plannedStarts);
  machine.reservations = new Map(saved.reservations);
  machine.cameFree = saved.cameFree;
  machine.freed = saved.freed.map((interval) => ({ ...interval }));
}

/** A site of its own in the state of the checkpoint, for instance in a worker thread. */
export function machineFrom(saved: MachineCheckpoint, rules: SiteRules): Machine {
  const machine = createMachine(
    saved.pools.map((profile) => profile.capacity),
    rules,
    saved.nowMs,
  );
  rollback(machine, saved);
  return machine;
}

function copyList({ handles, count }: WaitingList): WaitingList {
  return { handles: handles.slice(), count };
}
