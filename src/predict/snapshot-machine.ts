/**
 * The site machine of a snapshot, and its simulation until one job starts.
 *
 * The machine of `queue` decides every start, and `drive` orders each instant. Where a snapshot is
 * inconsistent (more in use than there is, a job wider than the site), the excess is cut or left out, because
 * a prediction must not fail on it.
 */
import {
  type Actor,
  adopt,
  arriveAt,
  createDrive,
  createMachine,
  type DrivenSite,
  driveUntil,
  type Machine,
  observe,
  playInstant,
  type ReplayJob,
  reserve,
  siteAhead,
} from "../queue/index.ts";
import { needOf, restOf, type SiteSnapshot, type SnapshotJob } from "./snapshot.ts";

/** A job of a snapshot and its handle in the machine. */
export interface PlacedJob {
  readonly handle: number;
  readonly job: SnapshotJob;
}

/** A machine in the state of a snapshot, with the handles of its jobs. */
export interface SnapshotMachine {
  readonly machine: Machine;
  readonly placed: readonly PlacedJob[];
}

/** A simulation until one job starts. */
export interface StartSimulation {
  readonly machine: Machine;
  /** Actual ends of the running jobs, by handle. */
  readonly running: readonly { readonly handle: number; readonly endMs: number }[];
  /** Runtime of a job that starts, by handle. */
  readonly runtimeMs: (handle: number) => number;
  /** The job whose start is predicted. */
  readonly job: { readonly need: readonly number[]; readonly estimateMs: number };
  /** The next later arrival, in order of time; undefined when there are no more. */
  readonly nextArrival: () => SimulatedArrival | undefined;
  /** Receives the handle of an arrival. */
  readonly onArrival?: (handle: number, arrival: SimulatedArrival) => void;
  readonly nowMs: number;
}

/** A job that arrives later. */
export interface SimulatedArrival {
  readonly atMs: number;
  readonly need: readonly number[];
  readonly estimateMs: number;
  readonly user: string;
  readonly queue: string;
}

/** The machine in the state of the snapshot. */
export function machineOf(snapshot: SiteSnapshot): SnapshotMachine {
  const { capacity, discipline, nowMs, jobs, reservations } = snapshot;
  const machine = createMachine([capacity], { discipline }, nowMs);
  const left = [...capacity];
  const place = (job: SnapshotJob): PlacedJob[] => {
    const isRunning = job.startedAtMs !== undefined;
    const handle = isRunning ? putRunning(machine, job, nowMs, left) : putWaiting(machine, job, capacity);
    return handle === undefined ? [] : [{ handle, job }];
  };
  // Running jobs get their place before any start is promised.
  const running = jobs.filter(({ startedAtMs }) => startedAtMs !== undefined).flatMap(place);
  const waiting = jobs.filter(({ startedAtMs }) => startedAtMs === undefined).flatMap(place);
  const placed = [...running, ...waiting];
  // A reservation that conflicts with running jobs is the site's own error; it is left out.
  reservations.forEach((fixed, i) => {
    reserve(machine, i, fixed, nowMs);
  });
  return { machine, placed };
}

/** The start of the job; Infinity where it would never start. */
export function simulateUntilStart(play: StartSimulation): number {
  const { machine, nowMs } = play;
  const ends = new Map(play.running.map(({ handle, endMs }) => [handle, endMs]));
  const site = siteAhead(machine, (handle) => ends.get(handle) ?? Number.POSITIVE_INFINITY);
  const asked = arriveAt(site, replayJob(machine, { ...play.job, atMs: nowMs }), nowMs);
  let startMs = Number.POSITIVE_INFINITY;
  if (asked === undefined) return startMs;
  observe(site, {
    starting(handle, atMs) {
      if (handle === asked) startMs = atMs;
      else if (startMs === Number.POSITIVE_INFINITY) site.restMs[handle] = play.runtimeMs(handle);
    },
  });
  const driven = createDrive(site, [arrivalsOf(play, site)]);
  playInstant(driven, nowMs);
  driveUntil(driven, () => startMs < Number.POSITIVE_INFINITY);
  return startMs;
}

function arrivalsOf({ machine, nextArrival, onArrival }: StartSimulation, site: DrivenSite): Actor {
  let coming = nextArrival();
  return {
    nextMs: () => coming?.atMs ?? Number.POSITIVE_INFINITY,
    arrivals(atMs) {
      while (coming?.atMs === atMs) {
        const handle = arriveAt(site, replayJob(machine, coming), atMs);
        if (handle !== undefined) onArrival?.(handle, coming);
        coming = nextArrival();
      }
    },
  };
}

/** An arrival as a job of the drive; its runtime is set when it starts. */
function replayJob(
  machine: Machine,
  arrival: Pick<SimulatedArrival, "atMs" | "need" | "estimateMs">,
): ReplayJob {
  const { need, estimateMs } = within(machine, arrival);
  return { id: 0, submitMs: arrival.atMs, need, estimateMs, runtimeMs: estimateMs };
}

/** A job's need and estimate in the columns of the machine. */
export function within(
  machine: Machine,
  { need, estimateMs }: Pick<SimulatedArrival, "need" | "estimateMs">,
) {
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
