/**
 * A machine without the resources that can never be what is short there.
 *
 * Sites have memory beside processors, while most queues are short of processors alone; and on one column a
 * trial is many times faster (`impact/`). A resource can be left out where no job asks for more of it per
 * processor than the pool has per processor: then every job that fits by processors fits by that resource
 * too. Cost: a copy of the machine.
 */
import type { Need } from "../profile/index.ts";
import { checkpoint, machineFrom } from "./checkpoint.ts";
import { jobState } from "./job-table.ts";
import type { Machine } from "./machine.ts";

/** A machine, and a need in its columns. */
export interface NarrowedMachine {
  readonly machine: Machine;
  readonly need: readonly number[];
}

/**
 * Equivalent to the machine itself for whatever is tried of this need, by the same handles; differs for speed
 * in having fewer columns, where some can be left out. The given one stays as it is.
 */
export function withoutIdleColumns(machine: Machine, need: readonly number[]): NarrowedMachine {
  if (machine.pools.length !== 1) return { machine, need };
  const isKept = need.map((_, column) => column === 0 || mayBeShort(machine, need, column));
  if (isKept.every((kept) => kept)) return { machine, need };
  const only = <Column>(columns: readonly Column[]): Column[] => columns.filter((_, at) => isKept[at]);
  const saved = checkpoint(machine);
  const narrow = {
    ...saved,
    pools: saved.pools.map((pool) => ({
      ...pool,
      capacity: pool.capacity.filter((_, at) => isKept[at]),
      free: only(pool.free),
    })),
    jobs: { ...saved.jobs, need: only(saved.jobs.need) },
    reservations: saved.reservations.map(
      ([id, fixed]) => [id, { ...fixed, need: only(fixed.need) }] as const,
    ),
  };
  return { machine: machineFrom(narrow, machine.rules), need: only(need) };
}

/** True where processors are the only resource that jobs and reservations of a one-pool machine can lack. */
export function isShortOfProcsAlone(machine: Machine): boolean {
  // Everybody needs a processor at least.
  const least = machine.jobs.need.map((_, column) => (column === 0 ? 1 : 0));
  return least.every((_, column) => column === 0 || !mayBeShort(machine, least, column));
}

/** True where a need per processor exceeds the pool's amount per processor, rounded down. */
function mayBeShort({ pools, jobs, reservations }: Machine, asked: Need, column: number): boolean {
  const [{ capacity }] = pools;
  const [procs] = capacity;
  if (procs < 1) return true;
  // Exact: the dividend is a multiple, and a product is no more than the capacity where the need fits.
  const each = (capacity[column] - (capacity[column] % procs)) / procs;
  const isGreedy = (need: Need): boolean => need[column] > each * need[0];
  if (isGreedy(asked)) return true;
  for (const { need } of reservations.values()) if (isGreedy(need)) return true;
  for (let handle = 0; handle < jobs.size; handle++) {
    const state = jobs.state[handle];
    if (state !== jobState.running && state !== jobState.waiting) continue;
    if (jobs.need[column][handle] > each * jobs.need[0][handle]) return true;
  }
  return false;
}
