/**
 * A cluster that is played: the site machine, what only its driver knows of the jobs, and what is accepted
 * but has not taken effect yet.
 *
 * Plain data without clock or IO: what happens to it are inputs with their instants, so that the same
 * inputs give the same cluster, in a running broker and after its restart (rule SS-12).
 */
import { createHeap, type Heap, pushHeap } from "../../base/index.ts";
import type { AttemptEnd, Discipline, EnforcementVerb } from "../../model/index.ts";
import {
  checkpoint,
  createMachine,
  type Machine,
  type MachineCheckpoint,
  machineFrom,
} from "../../queue/index.ts";
import type { LaunchOrder, SiteVerb } from "../../runtime/index.ts";

/** What of a site's description the cluster's history depends on. */
export interface ClusterRules {
  readonly procs: number;
  readonly memoryBytes: number;
  readonly discipline: Discipline;
  readonly speedUp: number;
  readonly jobs: "run" | "imitate";
  readonly background: { readonly trace: string; readonly skipMs: number } | null;
}

/** A job of ours, as it was submitted, with everything decided. */
export interface OwnJob {
  readonly token: string;
  readonly procs: number;
  readonly memoryBytes: number;
  /** What the queue plans with. */
  readonly estimateMs: number;
  /** How long it runs if nobody stops it, where it is imitated; null: its program decides. */
  readonly imitatedMs: number | null;
  readonly exitCode: number;
  /** The token of the reservation in which it runs; null (absent before there were any): in the queue. */
  readonly reservation?: string | null;
  readonly order: LaunchOrder;
}

/** What is kept free for jobs of ours. */
export interface ReservedRectangle {
  /** The site's number for it. */
  readonly id: number;
  readonly token: string;
  readonly procs: number;
  readonly memoryBytes: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** A job of anybody; the instant tells it from another that has its id later. */
export interface EnforcedId {
  readonly siteJob: number;
  readonly submittedAtMs: number;
}

/** Something from outside that happens to the cluster. In order of `atMs`, as they are written down. */
export type ClusterInput = { readonly atMs: number } & (
  | {
      readonly kind: "submitted";
      readonly effectMs: number;
      readonly siteJob: number;
      /** When it goes without a trace; null: never. */
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
      /** Of a hold: the end of its lease. */
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

/** What takes effect in the queue at an instant to come. */
export type Change =
  | Extract<ClusterInput, { readonly kind: (typeof CHANGES)[number] }>
  | { readonly kind: "vanishes"; readonly siteJob: number; readonly token: string }
  | ({ readonly kind: "leaseOver"; readonly untilMs: number } & EnforcedId);

/** Where jobs wait and run: the site's own queue, or the inside of a reservation. */
export interface QueueOfJobs {
  readonly machine: Machine;
  readonly byHandle: (ClusterJob | undefined)[];
}

/** A reservation of ours that is not over. */
export interface ClusterReservation extends QueueOfJobs, Omit<ReservedRectangle, "endMs"> {
  endMs: number;
}

/** A job at the site, ours or not. */
export interface ClusterJob {
  readonly siteJob: number;
  /** Null: somebody else's. */
  readonly own: OwnJob | null;
  readonly procs: number;
  readonly memoryBytes: number;
  readonly estimateMs: number;
  readonly submittedAtMs: number;
  /** Of somebody else's job: whose it is, where the trace says. */
  readonly user?: string | null;
  readonly account?: string | null;
  /** Its row in the machine of its queue; -1 where it has none. */
  handle: number;
  /**
   * Where it is without a row: held since its submission, entering at this very instant, or, its time in
   * the queue over, waiting for the end of its program. Null: in the machine.
   */
  outside: "held" | "arriving" | "lingering" | null;
  /** What it still takes when it runs. */
  restMs: number;
  /** When it ends in the queue; null while it does not run. */
  endMs: number | null;
  /** Its first start; of a program that runs, the program's own. */
  startedAtMs: number | null;
  /** When the queue last started it; null: never. */
  turnAtMs: number | null;
  isCancelling: boolean;
  /** Whether it is being stopped because its reservation is over. */
  isOverrun?: boolean;
  /** Until when an enforcer holds it; null (absent before there were any): none does. */
  leaseUntilMs?: number | null;
  /** Whether its owner holds it too, while an enforcer does. */
  isHeldByOwner?: boolean;
  /** Whether an enforcer suspended it. */
  isStopped?: boolean;
  /** What it takes when it is begun anew, once it was suspended. */
  wholeMs?: number;
}

/** An attempt of ours that is over. */
interface ClusterEnd {
  readonly token: string;
  readonly siteJob: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number;
  readonly end: AttemptEnd;
}

/** What is to be done to a program because of what happened in the queue. `forget`: it vanished. */
export interface ProgramEffect {
  readonly kind: "start" | "suspend" | "resume" | "cancel" | "forget";
  readonly siteJob: number;
  readonly token: string;
}

/** The whole state. */
export interface Cluster extends QueueOfJobs {
  readonly rules: ClusterRules;
  readonly openedAtMs: number;
  /** Everything before this instant has happened. */
  nowMs: number;
  /** By the site's id. */
  readonly jobs: Map<number, ClusterJob>;
  /** By their tokens. */
  readonly reservations: Map<string, ClusterReservation>;
  /** Ends of jobs, by id; an entry counts while its job is still to end at that time. */
  readonly ends: Heap;
  /** By their instant, of one instant in the order in which they were accepted. */
  readonly coming: { readonly atMs: number; readonly change: Change }[];
  /** Until they are acknowledged. */
  ended: ClusterEnd[];
  /** Of our tokens that had their turn: which job it was. Until they are purged. */
  readonly turns: Map<string, { readonly siteJob: number; readonly files: readonly string[] }>;
  /** How often a token was submitted, until its end is acknowledged. */
  readonly submissions: Map<string, number>;
  /** Not part of the state: taken away by whoever minds the programs. */
  effects: ProgramEffect[];
  lastSiteJob: number;
  lastReservation: number;
  /** How many of others' jobs have come. */
  othersCome: number;
}

/** An id is used again after so many. */
const SITE_JOBS = 32_767;

/** An empty cluster. */
export function createCluster(rules: ClusterRules, openedAtMs: number): Cluster {
  return {
    rules,
    machine: createMachine([[rules.procs, rules.memoryBytes]], { discipline: rules.discipline }, openedAtMs),
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

/** The state as data that can be stored and read again; one of before there were reservations has none. */
export type ClusterSnapshot = Omit<Cluster, "machine" | "effects" | "reservations" | "lastReservation"> & {
  readonly machine: MachineCheckpoint;
  readonly reservations?: readonly (Omit<ClusterReservation, "machine"> & { machine: MachineCheckpoint })[];
  readonly lastReservation?: number;
};

/** Takes the state down, between two instants. */
export function snapshotOf({ effects: _, ...cluster }: Cluster): ClusterSnapshot {
  const reservations = [...cluster.reservations.values()].map((it) => ({
    ...it,
    machine: checkpoint(it.machine),
  }));
  return { ...cluster, machine: checkpoint(cluster.machine), reservations };
}

/** The cluster that was taken down. */
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

/** The next id that no job has; undefined where all are in use. */
export function nextSiteJob({ jobs, lastSiteJob }: Cluster): number | undefined {
  if (jobs.size >= SITE_JOBS) return undefined;
  let siteJob = lastSiteJob;
  do {
    siteJob = (siteJob % SITE_JOBS) + 1;
  } while (jobs.has(siteJob));
  return siteJob;
}

/** The job with this id, if the token is its own. */
export function ownJob({ jobs }: Cluster, siteJob: number, token: string): ClusterJob | undefined {
  const job = jobs.get(siteJob);
  return job?.own?.token === token ? job : undefined;
}

/** Where a job waits and runs. */
export function queueOf(cluster: Cluster, { own }: ClusterJob): QueueOfJobs {
  return cluster.reservations.get(own?.reservation ?? "") ?? cluster;
}

/** What a reservation is called at the site. */
export function nameOfReservation({ id }: Pick<ReservedRectangle, "id">): string {
  return `r${id}`;
}
