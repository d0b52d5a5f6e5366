/**
 * Replicas of waiting jobs (rules EN-310 to EN-313, spec 65 A45). At each cluster a job of the broker, the
 * holder, holds a place in the queue. Once the holder runs, it asks for the grant, as a pilot asks for jobs.
 * The grant is the event that assigns the job to the holder, which begins the job only when that event is
 * durable. At a managed site the job itself waits, and its start there is the grant.
 *
 * An assigned job can be assigned again only after its site has confirmed that it has not begun, as for any
 * job in a pilot: therefore at most one replica begins.
 */
import {
  isFinal,
  isForeign,
  type JobRecord,
  PILOT_MARGIN_MS,
  type PilotRecord,
  type StintEvent,
  type WaitingReplica,
} from "../../../model/index.ts";
import type { EventOf, Feature } from "../../feature.ts";
import { waitsAnew } from "../../jobs.ts";
import { keepJob } from "../../keep-job.ts";
import { pendingLeases } from "../../state/account-leases.ts";
import { payloadDenial } from "../../state/payload-shares.ts";
import { identityRefusal, switchedAccount, switchesAccounts } from "../../state/pilots.ts";
import { type Projection, type RecordChange, siteOf } from "../../state/projection.ts";
import { holderLimitMs, isWaitingAnywhere, waitsAtManaged } from "../../state/waiting-replicas.ts";

/** Maximum number of replicas kept for display after they ended without beginning. */
const MOST_SHOWN = 12;

export const waitingReplicas = {
  name: "waiting-replicas",
  applies: { replicasQueued: queued, replicaWithdrawn: withdrawn },
  after: (projection, event, jobs) => [
    ...granted(projection, event),
    ...jobs.flatMap((job) => [
      ...holderEnds(projection, job, event.atMs),
      ...managedLeft(projection, job, event.atMs),
    ]),
  ],
  decide: decideReplicas,
  explain: {
    everywhere: (_, { replicas = [], startedAtMs }) => {
      const waiting = startedAtMs === null ? replicas.filter(({ state }) => state === "WAITING") : [];
      return waiting.length === 0 ? [] : [{ kind: "replicasWait", sites: waiting.map(({ site }) => site) }];
    },
  },
} as const satisfies Feature;

function queued(
  projection: Projection,
  { job: id, replicas, atMs }: EventOf<"replicasQueued">,
): readonly RecordChange[] {
  const job = projection.jobs.get(id);
  if (job === undefined) return [];
  const before = (job.replicas ?? [])
    .slice(-MOST_SHOWN)
    .map(
      (it): WaitingReplica =>
        it.state === "WAITING" ? { ...it, state: "NOT_BEGUN", endedAtMs: atMs, why: "jobChanged" } : it,
    );
  const now = replicas.map(({ holder, site }): WaitingReplica => {
    return { holder, site, state: "WAITING", queuedAtMs: atMs, endedAtMs: null };
  });
  return [keepJob(projection, { ...job, replicas: [...before, ...now] })];
}

/** A job that waits itself at a managed site leaves the queue there. */
function withdrawn(
  projection: Projection,
  { job: id, holder, why, atMs }: EventOf<"replicaWithdrawn">,
): readonly RecordChange[] {
  const job = projection.jobs.get(id);
  if (job === undefined) return [];
  const after = { ...job, replicas: ended(job, holder, { state: "NOT_BEGUN", endedAtMs: atMs, why }) };
  const isLeaving = holder === null && waitsAtManaged(projection, job);
  return isLeaving ? waitsAnew(projection, after, "cancel") : [keepJob(projection, after)];
}

/** Sets the outcome of the replica that waits by a holder; null: that at the managed site. */
function ended(
  { replicas = [] }: JobRecord,
  holder: string | null,
  how: Pick<WaitingReplica, "state" | "endedAtMs" | "why">,
): readonly WaitingReplica[] {
  return replicas.map((it) => (it.holder === holder && it.state === "WAITING" ? { ...it, ...how } : it));
}

/** Marks a replica as granted when its job is assigned to the holder or started by the managed site. */
function granted(projection: Projection, event: StintEvent): readonly RecordChange[] {
  if (event.kind === "queueSettled") {
    return event.starts.flatMap((id) => grantedTo(projection, id, null, event.atMs));
  }
  if (event.kind !== "jobPlaced" || event.pilot === undefined) return [];
  return grantedTo(projection, event.job, event.pilot, event.atMs);
}

function grantedTo(projection: Projection, id: string, holder: string | null, atMs: number): RecordChange[] {
  const job = projection.jobs.get(id);
  const isWaiting = job?.replicas?.some((it) => it.holder === holder && it.state === "WAITING") === true;
  if (job === undefined || !isWaiting) return [];
  const replicas = ended(job, holder, { state: "GRANTED", endedAtMs: atMs });
  return [keepJob(projection, { ...job, replicas })];
}

/** Ends the replica of a holder that ended; the job goes on waiting at the other sites. */
function holderEnds(projection: Projection, { id, state }: JobRecord, atMs: number): RecordChange[] {
  const { replicaOf } = (isFinal(state) ? projection.books.pilots.get(id) : undefined) ?? {};
  const job = projection.jobs.get(replicaOf ?? "");
  if (job?.replicas?.some((it) => it.holder === id && it.state === "WAITING") !== true) return [];
  const replicas = ended(job, id, { state: "NOT_BEGUN", endedAtMs: atMs, why: "lost" });
  return [keepJob(projection, { ...job, replicas })];
}

/** Ends the replica at a managed site that the job has left, for instance after its queue time. */
function managedLeft(projection: Projection, { id, site }: JobRecord, atMs: number): RecordChange[] {
  const job = site === null ? projection.jobs.get(id) : undefined;
  if (job?.site !== null || job.replicas?.some(isOfManaged) !== true) return [];
  const replicas = ended(job, null, { state: "NOT_BEGUN", endedAtMs: atMs, why: "jobChanged" });
  return [keepJob(projection, { ...job, replicas })];
}

const isOfManaged = ({ holder, state }: WaitingReplica) => holder === null && state === "WAITING";

function decideReplicas(projection: Projection, nowMs: number): readonly StintEvent[] {
  const held = heldAtManaged(projection, nowMs);
  return held.length > 0 ? held : decideHolders(projection, nowMs);
}

/** A job that is held leaves the queue of its managed site too: it joins all queues anew. */
function heldAtManaged(projection: Projection, nowMs: number): readonly StintEvent[] {
  const held = new Map<string, StintEvent>();
  for (const { replicaOf = "" } of projection.books.pilots.values()) {
    const job = projection.jobs.get(replicaOf);
    const own = job?.replicas?.find((it) => it.holder === null && it.state === "WAITING");
    if (job?.state !== "HELD" || own === undefined || !waitsAtManaged(projection, job)) continue;
    const left = { job: job.id, holder: null, site: own.site, why: "jobChanged" } as const;
    held.set(job.id, { kind: "replicaWithdrawn", ...left, atMs: nowMs });
  }
  return [...held.values()];
}

function decideHolders(projection: Projection, nowMs: number): readonly StintEvent[] {
  const promised = new Set<string>();
  const granted: StintEvent[] = [];
  return [...projection.books.pilots.values()].flatMap((holder): readonly StintEvent[] => {
    const { replicaOf, state } = holder;
    if (replicaOf === undefined || state === "ENDED") return [];
    const job = projection.jobs.get(replicaOf);
    if (replicaBy(holder, job)?.state === "GRANTED") return [];
    const why = whyNot(projection, { holder, job, isPromised: promised.has(replicaOf) }, nowMs);
    if (why !== undefined) return withdrawal(projection, { holder, job, why }, nowMs);
    if (state !== "RUNNING" || job === undefined) return [];
    promised.add(replicaOf);
    const grants = grant(projection, { holder, job, granted }, nowMs);
    granted.push(...grants);
    return grants;
  });
}

interface Question {
  readonly holder: PilotRecord;
  /** Undefined: it has ended. */
  readonly job: JobRecord | undefined;
  /** True if this decision grants the job to another holder. */
  readonly isPromised: boolean;
}

function replicaBy({ job: holder }: PilotRecord, job: JobRecord | undefined): WaitingReplica | undefined {
  return job?.replicas?.find((it) => it.holder === holder);
}

/** Why a holder without the grant must not begin its job; undefined if it may. */
function whyNot(
  projection: Projection,
  { holder, job, isPromised }: Question,
  nowMs: number,
): WaitingReplica["why"] {
  if (job === undefined) return "jobOver";
  if (replicaBy(holder, job)?.state !== "WAITING") return "jobChanged";
  if (isPromised || (!isWaitingAnywhere(projection, job) && job.state !== "HELD")) return "otherBegins";
  if (job.state === "HELD" || !isAsQueued(projection, holder, job)) return "jobChanged";
  if (holder.state === "WAITING") return undefined;
  const site = siteOf(projection, holder.site);
  const isRefused =
    identityRefusal(projection, site, job, nowMs) !== undefined ||
    payloadDenial(projection, site, job, nowMs) !== undefined;
  const leftMs = (holder.untilMs ?? nowMs) - nowMs;
  const neededMs = (job.description.wallTimeMs ?? site.spec.defaultWallTimeMs) + PILOT_MARGIN_MS;
  return holder.state === "DRAINING" || isRefused || leftMs < neededMs ? "denied" : undefined;
}

/** True if the job still needs what its holder requested. */
function isAsQueued(projection: Projection, { job: id, site }: PilotRecord, job: JobRecord): boolean {
  const holder = projection.jobs.get(id)?.description;
  const { procs, memoryBytes, gpus, site: named } = job.description;
  if (holder === undefined || named !== undefined) return false;
  const isSame = holder.procs === procs && holder.memoryBytes === memoryBytes && holder.gpus === gpus;
  return isSame && holder.wallTimeMs === holderLimitMs(job, siteOf(projection, site).spec);
}

interface Withdrawal extends Pick<Question, "holder" | "job"> {
  readonly why: NonNullable<WaitingReplica["why"]>;
}

/** Withdraws a replica once: its holder is cancelled, and may take a while to leave its site. */
function withdrawal(
  { jobs, sites }: Projection,
  { holder, job, why }: Withdrawal,
  nowMs: number,
): readonly StintEvent[] {
  const { job: id, site, replicaOf = "" } = holder;
  const own = jobs.get(id);
  if (own === undefined || own.isCancelRequested) return [];
  const spec = sites.get(own.site ?? "")?.spec;
  const kind = spec !== undefined && isForeign(spec) ? "cancelRequested" : "jobCancelled";
  const isOpen = job === undefined ? holder.taken === 0 : replicaBy(holder, job)?.state === "WAITING";
  return [
    ...(isOpen
      ? [{ kind: "replicaWithdrawn" as const, job: replicaOf, holder: id, site, why, atMs: nowMs }]
      : []),
    { kind, job: id, atMs: nowMs },
  ];
}

interface Granting {
  readonly holder: PilotRecord;
  readonly job: JobRecord;
  /** Grants of the same decision. */
  readonly granted: readonly StintEvent[];
}

/**
 * The grant. It is put off to the next decision for a job that waits at a managed site, which the job leaves
 * first, and for a job for which no account is left in this decision.
 */
function grant(
  projection: Projection,
  { holder, job, granted }: Granting,
  nowMs: number,
): readonly StintEvent[] {
  if (job.site !== null) {
    const { id, site } = job;
    const why = "otherBegins";
    return [{ kind: "replicaWithdrawn", job: id, holder: null, site, why, atMs: nowMs }];
  }
  const site = siteOf(projection, holder.site);
  const pending = pendingLeases(projection, granted, site.name);
  const account = switchedAccount(projection, site, job, { nowMs, pending });
  if (account === undefined && switchesAccounts(site)) return [];
  return [
    {
      ...{ kind: "jobPlaced", job: job.id, attempt: job.attempt + 1, site: site.name, pilot: holder.job },
      ...(account === undefined ? {} : { account }),
      atMs: nowMs,
    },
  ];
}
