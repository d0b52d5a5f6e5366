/**
 * State of a simulated cluster: the site machine, data about jobs that only its driver has, and orders that
 * have not taken effect.
 *
 * Plain data without clock or IO. All changes are inputs with instants, so that equal inputs give equal
 * clusters, also after a restart of the broker (rule SS-12).
 */
import { createHeap, type Heap, pushHeap } from "../../base/index.ts";
import { type AttemptEnd, columnsAt, type Discipline, type EnforcementVerb } from "../../model/index.ts";
import {
  checkpoint,
  createMachine,
  type Machine,
  type MachineCheckpoint,
  machineFrom,
} from "../../queue/index.ts";
import type { LaunchOrder, SiteVerb } from "../../runtime/index.ts";

/** Part of a site's description that its history depends on. */
export interface ClusterRules {
  readonly procs: number;
  readonly memoryBytes: number;
  /** Absent: none. */
  readonly gpus?: number;
  readonly discipline: Discipline;
  readonly speedUp: number;
  readonly jobs: "run" | "imitate";
  readonly background: { readonly trace: string; readonly skipMs: number } | null;
}

/** One of our jobs as submitted, with all defaults. */
export interface OwnJob {
  readonly token: string;
  readonly procs: number;
  readonly memoryBytes: number;
  /** Absent: none. */
  readonly gpus?: number;
  /** Runtime that the queue plans with, in ms. */
  readonly estimateMs: number;
  /** Runtime of an imitated job, in ms; null: its program decides. */
  readonly imitatedMs: number | null;
  readonly exitCode: number;
  /** Token of its reservation; null, or absent in old journals: the queue. */
  readonly reservation?: string | null;
  readonly order: LaunchOrder;
}

/** A rectangle that is reserved for our jobs. */
export interface ReservedRectangle {
  /** Number of the reservation at the site. */
  readonly id: number;
  readonly token: string;
  readonly procs: number;
  readonly memoryBytes: number;
  /** Absent: none. */
  readonly gpus?: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** Id of a job of any user; the instant of submission distinguishes it from later jobs with the same id. */
export interface EnforcedId {
  readonly siteJob: number;
  readonly submittedAtMs: number;
}

/** An input of the cluster. Inputs are written and replayed in order of `atMs`. */
export type ClusterInput = { readonly atMs: number } & (
  | {
      readonly kind: "submitted";
      readonly effectMs: number;
      readonly siteJob: number;
      /** Instant at which the job vanishes; null: never. */
      readonly vanishAtMs: number | null;
      readonly job: OwnJob;
    }
  | {
      readonly kind: "ordered";
      readonly effectMs: number;
      readonly verb: SiteVerb;
      readonly siteJob: number;
      readonly token: string;
    }
  | {
      readonly kind: "enforced";
      readonly effectMs: number;
      readonly verb: EnforcementVerb;
      /** End of the lease of a hold. */
      readonly untilMs: number;
      readonly jobs: readonly EnforcedId[];
    }
  | { readonly kind: "began"; readonly siteJob: number; readonly token: string; readonly startedAtMs: number }
  | {
      readonly kind: "ended";
      readonly siteJob: number;
      readonly token: string;
      readonly endedAtMs: number;
      readonly end: AttemptEnd;
    }
  /** What is ordered about reservations takes effect at once; it was possible then. */
  | ({ readonly kind: "reserved" | "endMoved" } & ReservedRectangle)
  | { readonly kind: "unreserved"; readonly id: number; readonly token: string }
  /** Submissions of a token that were not accepted count for the next draw. */
  | { readonly kind: "failed" | "acknowledged" | "purged"; readonly token: string }
);

const CHANGES = ["submitted", "ordered", "enforced", "ended", "reserved", "endMoved", "unreserved"] as const;

/** A change that takes effect in the queue at a later instant. */
export type Change =
  | Extract<ClusterInput, { readonly kind: (typeof CHANGES)[number] }>
  | { readonly kind: "vanishes"; readonly siteJob: number; readonly token: string }
  | ({ readonly kind: "leaseOver"; readonly untilMs: number } & EnforcedId);

/** A queue with running jobs: that of the site, or the inside of a reservation. */
export interface QueueOfJobs {
  readonly machine: Machine;
  readonly byHandle: (ClusterJob | undefined)[];
}

/** One of our reservations that is not over. */
export interface ClusterReservation extends QueueOfJobs, Omit<ReservedRectangle, "endMs"> {
  endMs: number;
}

/** A job at the site, of any user. */
export interface ClusterJob {
  readonly siteJob: number;
  /** Our submission; null: another user's job. */
  readonly own: OwnJob | null;
  readonly procs: number;
  readonly memoryBytes: number;
  /** Absent: none. */
  readonly gpus?: number;
  readonly estimateMs: number;
  readonly submittedAtMs: number;
  /** User of another user's job, if the trace has it. */
  readonly user?: string | null;
  readonly account?: string | null;
  /** Row in the machine of its queue; -1: none. */
  handle: number;
  /**
   * State of a job without a row: held since its submission, entering at this instant, or waiting for its
   * program to end after its time in the queue. Null: it has a row.
   */
  outside: "held" | "arriving" | "lingering" | null;
  /** Running time that remains, in ms. */
  restMs: number;
  /** End in the queue; null while it does not run. */
  endMs: number | null;
  /** First start; for a program that runs, its own start. */
  startedAtMs: number | null;
  /** Last start in the queue; null: never started. */
  turnAtMs: number | null;
  isCancelling: boolean;
  /** True while the job is stopped because its reservation is over. */
  isOverrun?: boolean;
  /** End of an enforcer's lease; null, or absent in old journals: not held. */
  leaseUntilMs?: number | null;
  /** True if the owner holds the job too, during a lease. */
  isHeldByOwner?: boolean;
  /** True if an enforcer suspended the job. */
  isStopped?: boolean;
  /** Runtime of a new run, in ms; set once the job was suspended. */
  wholeMs?: number;
}

/** End of one of our attempts. */
interface ClusterEnd {
  readonly token: string;
  readonly siteJob: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number;
  readonly end: AttemptEnd;
}

/** Effect of an event in the queue on a program. `forget`: the job vanished. */
export interface ProgramEffect {
  readonly kind: "start" | "suspend" | "resume" | "cancel" | "forget";
  readonly siteJob: number;
  readonly token: string;
}

/** The whole state of a cluster. */
export interface Cluster extends QueueOfJobs {
  readonly rules: ClusterRules;
  readonly openedAtMs: number;
  /** Instant up to which (exclusive) everything is settled. */
  nowMs: number;
  /** Jobs by the site's id. */
  readonly jobs: Map<number, ClusterJob>;
  /** Reservations by token. */
  readonly reservations: Map<string, ClusterReservation>;
  /** Ends of jobs, by id; an entry counts only if the job still ends at that time. */
  readonly ends: Heap;
  /** Changes to come, by instant; at one instant in the order of acceptance. */
  readonly coming: { readonly atMs: number; readonly change: Change }[];
  /** Ends that are not acknowledged. */
  ended: ClusterEnd[];
  /** Job that had its turn, by token; until the token is purged. */
  readonly turns: Map<string, { readonly siteJob: number; readonly files: readonly string[] }>;
  /** Number of submissions of each token, until its end is acknowledged. */
  readonly submissions: Map<string, number>;
  /** Effects for the programs; taken by `Programs`, and no part of the state. */
  effects: ProgramEffect[];
  lastSiteJob: number;
  lastReservation: number;
  /** Number of other users' jobs so far. */
  othersCome: number;
}

/** Number of ids; afterwards they repeat. */
const SITE_JOBS = 32_767;

/** An empty cluster. */
export function createCluster(rules: ClusterRules, openedAtMs: number): Cluster {
  return {
    rules,
    machine: createMachine([columnsAt(rules, rules)], { discipline: rules.discipline }, openedAtMs),
    openedAtMs,
    nowMs: openedAtMs,
    jobs: new Map(),
    byHandle: [],
    reservations: new Map(),
    ends: createHeap(),
    coming: [],
    ended: [],
    turns: new Map(),
    submissions: new Map(),
    effects: [],
    lastSiteJob: 0,
    lastReservation: 0,
    othersCome: 0,
  };
}

/** The state as data that can be stored. Old snapshots have no reservations. */
export type ClusterSnapshot = Omit<Cluster, "machine" | "effects" | "reservations" | "lastReservation"> & {
  readonly machine: MachineCheckpoint;
  readonly reservations?: readonly (Omit<ClusterReservation, "machine"> & { machine: MachineCheckpoint })[];
  readonly lastReservation?: number;
};

/** Snapshot of the state, between two instants. */
export function snapshotOf({ effects: _, ...cluster }: Cluster): ClusterSnapshot {
  const reservations = [...cluster.reservations.values()].map((it) => ({
    ...it,
    machine: checkpoint(it.machine),
  }));
  return { ...cluster, machine: checkpoint(cluster.machine), reservations };
}

/** Cluster of a snapshot. */
export function clusterFrom(snapshot: ClusterSnapshot): Cluster {
  const { discipline } = snapshot.rules;
  const reservations = new Map<string, ClusterReservation>();
  for (const { machine, ...it } of snapshot.reservations ?? []) {
    reservations.set(it.token, { ...it, machine: machineFrom(machine, { discipline: "fcfs" }) });
  }
  const machine = machineFrom(snapshot.machine, { discipline });
  const { lastReservation = 0 } = snapshot;
  const ends = endsOf(snapshot.jobs.values());
  return { ...snapshot, machine, reservations, lastReservation, ends, effects: [] };
}

function endsOf(jobs: Iterable<ClusterJob>): Heap {
  const ends = createHeap();
  for (const { endMs, siteJob } of jobs) if (endMs !== null) pushHeap(ends, endMs, siteJob);
  return ends;
}

/** Next free id; undefined if all are in use. */
export function nextSiteJob({ jobs, lastSiteJob }: Cluster): number | undefined {
  if (jobs.size >= SITE_JOBS) return undefined;
  let siteJob = lastSiteJob;
  do {
    siteJob = (siteJob % SITE_JOBS) + 1;
  } while (jobs.has(siteJob));
  return siteJob;
}

/** Job with this id, if it has this token. */
export function ownJob({ jobs }: Cluster, siteJob: number, token: string): ClusterJob | undefined {
  const job = jobs.get(siteJob);
  return job?.own?.token === token ? job : undefined;
}

/** Queue of a job. */
export function queueOf(cluster: Cluster, { own }: ClusterJob): QueueOfJobs {
  return cluster.reservations.get(own?.reservation ?? "") ?? cluster;
}

/** Name of a reservation at the site. */
export function nameOfReservation({ id }: Pick<ReservedRectangle, "id">): string {
  return `r${id}`;
}
