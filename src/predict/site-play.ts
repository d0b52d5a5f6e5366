/**
 * A snapshot as a site machine, and the machine played forward until one job starts.
 *
 * The machine of `queue` decides every start; here is only who tells it what ends and arrives. Where the
 * picture does not add up (more in use than there is, a job wider than the site) what does not fit is cut or
 * left out, because a prediction must not fail on it.
 */
import { createHeap, popHeap, pushHeap, smallestKey } from "../base/index.ts";
import { adopt, advance, arrive, createMachine, end, type Machine, reserve, wakeAt } from "../queue/index.ts";
import { needOf, restOf, type SiteSnapshot, type SnapshotJob } from "./snapshot.ts";

/** A job of a snapshot with its place in the machine. */
export interface PlacedJob {
  readonly handle: number;
  readonly job: SnapshotJob;
}

/** A snapshot's machine. */
export interface SnapshotMachine {
  readonly machine: Machine;
  readonly placed: readonly PlacedJob[];
}

/** What to play. */
export interface Play {
  readonly machine: Machine;
  /** When each running job really ends: by handle. */
  readonly running: readonly { readonly handle: number; readonly endMs: number }[];
  /** What a job that starts runs for, by handle. */
  readonly runtimeMs: (handle: number) => number;
  /** The job whose start is asked for. */
  readonly job: { readonly need: readonly number[]; readonly estimateMs: number };
  /** Who comes after it: gives the next one, in order of time, or undefined when nobody comes any more. */
  readonly nextArrival: () => PlayedArrival | undefined;
  /** Hears under which handle one came. */
  readonly noteArrived?: (handle: number, arrival: PlayedArrival) => void;
  readonly nowMs: number;
}

/** A job that comes later. */
export interface PlayedArrival {
  readonly atMs: number;
  readonly need: readonly number[];
  readonly estimateMs: number;
  readonly user: string;
  readonly queue: string;
}

/** A machine that has what the snapshot shows. */
export function machineOf(snapshot: SiteSnapshot): SnapshotMachine {
  const { capacity, discipline, nowMs, jobs, reservations } = snapshot;
  const machine = createMachine([capacity], { discipline }, nowMs);
  const left = [...capacity];
  const place = (job: SnapshotJob): PlacedJob[] => {
    const isRunning = job.startedAtMs !== undefined;
    const handle = isRunning ? putRunning(machine, job, nowMs, left) : putWaiting(machine, job, capacity);
    return handle === undefined ? [] : [{ handle, job }];
  };
  // What runs has its place before anybody is promised one.
  const running = jobs.filter(({ startedAtMs }) => startedAtMs !== undefined).flatMap(place);
  const waiting = jobs.filter(({ startedAtMs }) => startedAtMs === undefined).flatMap(place);
  const placed = [...running, ...waiting];
  // One that conflicts with what runs is the site's own mistake; it is left out.
  reservations.forEach((fixed, i) => {
    reserve(machine, i, fixed, nowMs);
  });
  return { machine, placed };
}

/** The instant at which the job starts; Infinity where it never would. */
export function playUntilStart(play: Play): number {
  const { machine, nowMs } = play;
  const ends = createHeap();
  for (const { handle, endMs } of play.running) pushHeap(ends, endMs, handle);
  const arrived = arrive(machine, within(machine, play.job), nowMs);
  if (!arrived.ok) return Number.POSITIVE_INFINITY;
  let coming = play.nextArrival();
  for (let atMs = nowMs; atMs < Number.POSITIVE_INFINITY; ) {
    while (coming?.atMs === atMs) {
      const taken = arrive(machine, within(machine, coming), atMs);
      if (taken.ok) play.noteArrived?.(taken.value, coming);
      coming = play.nextArrival();
    }
    const { handles, count } = advance(machine, atMs);
    for (let i = 0; i < count; i++) {
      if (handles[i] === arrived.value) return atMs;
      pushHeap(ends, atMs + play.runtimeMs(handles[i]), handles[i]);
    }
    atMs = Math.min(smallestKey(ends), wakeAt(machine), coming?.atMs ?? Number.POSITIVE_INFINITY);
    while (ends.size > 0 && smallestKey(ends) === atMs) end(machine, popHeap(ends), atMs);
  }
  return Number.POSITIVE_INFINITY;
}

/** A job in the columns of the machine. */
export function within(machine: Machine, { need, estimateMs }: Pick<PlayedArrival, "need" | "estimateMs">) {
  return { need: needOf(machine.pools[0].capacity, need), estimateMs };
}

function putWaiting(machine: Machine, job: SnapshotJob, capacity: readonly number[]): number | undefined {
  if (job.need.some((amount, column) => amount > capacity[column])) return undefined;
  const { need, estimateMs, arrivedAtMs } = job;
  return adopt(machine, { state: "waiting", need, estimateMs, arrivedAtMs });
}

function putRunning(machine: Machine, job: SnapshotJob, nowMs: number, left: number[]): number | undefined {
  const need = job.need.map((amount, column) => Math.min(amount, left[column]));
  if (need[0] < 1) return undefined;
  need.forEach((amount, column) => {
    left[column] -= amount;
  });
  const startMs = Math.min(job.startedAtMs ?? nowMs, nowMs);
  const estimateMs = nowMs - startMs + restOf(job, nowMs);
  const { arrivedAtMs } = job;
  return adopt(machine, { state: "running", startMs, pool: 0, need, estimateMs, arrivedAtMs });
}
