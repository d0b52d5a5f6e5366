/**
 * Pilots of clusters (rules EN-300 to EN-303): submitted on demand, opened with the resources that they were
 * given, drained once they are not needed, and ended with their jobs.
 *
 * Which payload a pilot gets is decided where jobs are placed; what becomes of a payload is an attempt like
 * any other.
 */
import { accepted, refused } from "../../../base/index.ts";
import {
  decideIdentity,
  type IdentityDecision,
  type IdentityRequest,
  type IdentityRules,
  isFinal,
  type JobRecord,
  type PilotRecord,
  type StintEvent,
} from "../../../model/index.ts";
import type { Answer, CommandOf, Feature, KeptFrom } from "../../feature.ts";
import { keepJob } from "../../keep-job.ts";
import { needsQueue } from "../../site-selection/match-questions.ts";
import { leaseBegins, leaseEnds, leasesGone } from "../../state/account-leases.ts";
import { erased, written } from "../../state/books.ts";
import { ofJobOver } from "../../state/outdated.ts";
import { noteRuntime } from "../../state/payload-runtimes.ts";
import { denialCause, isHolding, payloadDenial } from "../../state/payload-shares.ts";
import { identityRefusal, payloadsOf, pilotRulesFor, switchesAccounts } from "../../state/pilots.ts";
import type { Projection, RecordChange } from "../../state/projection.ts";
import { isOpen, isUsable, type SiteState } from "../../state/site-state.ts";
import { afterPilot } from "./factory.ts";
import { recalls } from "./recalls.ts";

/** Pilots that are over are shown for this long. */
const DAY_MS = 24 * 3_600_000;
const REMEMBERED_MS = DAY_MS;
const NEVER = Number.POSITIVE_INFINITY;
const UNCHECKED: IdentityRules = { mode: "none", rules: [], banned: [] };
/**
 * Interval at which identity rules that depend on the time of day are tested again while jobs wait, in ms.
 */
const CLOCK_EVERY_MS = 60_000;

export const pilots = {
  name: "pilots",
  answers: { openPilot, drainPilot },
  applies: {
    pilotSubmitted: (_, { pilot: job, site, replicaOf, procs, memoryBytes, gpus, atMs }) => [
      written("pilots", {
        ...{ job, site, procs, memoryBytes, gpus, submittedAtMs: atMs, state: "WAITING", node: null },
        ...(replicaOf === undefined ? {} : { replicaOf }),
        ...{ openedAtMs: null, untilMs: null, quietSinceMs: null, taken: 0, drained: null, endedAtMs: null },
      }),
    ],
    pilotOpened: (projection, { pilot, procs, memoryBytes, gpus, node, untilMs, claimed, atMs }) =>
      changed(projection, pilot, {
        ...{ procs, memoryBytes, gpus, node, untilMs, ...(claimed === undefined ? {} : { claimed }) },
        ...{ state: "RUNNING", openedAtMs: atMs, quietSinceMs: atMs },
      }),
    pilotDrained: (projection, { pilot, why }) =>
      changed(projection, pilot, { state: "DRAINING", drained: why }),
    payloadRecalled: (projection, { job: id, pilot }) => {
      const job = projection.jobs.get(id);
      const isWaiting = job?.pilot === pilot && job.startedAtMs === null;
      return isWaiting ? [keepJob(projection, { ...job, isRecalled: true })] : [];
    },
    pilotForgotten: (_, { pilot }) => [erased("pilots", pilot)],
  },
  before: (projection, event) => [
    ...payloadLeaves(projection, event),
    ...leaseEnds(projection, event),
    ...noteRuntime(projection, event),
  ],
  after: (projection, event, jobs) => [
    ...payloadComes(projection, event),
    ...leaseBegins(projection, event),
    ...leasesGone(projection, event),
    ...jobs.flatMap((job) => pilotEnds(projection, job, event.atMs)),
    ...(event.kind === "siteRemoved" ? goneWith(projection, event.site) : []),
  ],
  outdates: { payloadRecalled: ofJobOver },
  decide: (projection, nowMs) => [...decidePilots(projection, nowMs), ...recalls(projection, nowMs)],
  wakeAtMs: (projection, nowMs) => {
    const { books, sites, unplaced } = projection;
    const paused = unplaced.size === 0 ? [] : [...books.pilotFactories.values()];
    const pauses = paused.map(({ notBeforeMs }) => (notBeforeMs > nowMs ? notBeforeMs : NEVER));
    const due = [...books.pilots.values()].map((pilot) => dueAtMs(projection, pilot));
    const isTimed = unplaced.size > 0 && [...sites.values()].some((site) => changesByItself(site));
    return Math.min(isTimed ? nowMs + CLOCK_EVERY_MS : NEVER, ...pauses, ...due);
  },
  queries: {
    /** All pilots that are not over, or ended within the last day, in order of submission. */
    pilots: ({ books }: Projection): readonly PilotRecord[] => [...books.pilots.values()],
    /** Account under which a site would run a program of a consumer in a pilot; undefined: no such site. */
    identity: (
      { sites }: Projection,
      { site: name, atMs, ...request }: IdentityRequest & { readonly site: string; readonly atMs?: number },
      nowMs: number,
    ): (IdentityDecision & Pick<IdentityRules, "mode">) | undefined => {
      const spec = sites.get(name)?.spec;
      if (spec === undefined) return undefined;
      const { identity = UNCHECKED } = (spec.type === "slurm" ? spec.pilots : undefined) ?? {};
      return { ...decideIdentity(identity, request, atMs ?? nowMs), mode: identity.mode };
    },
    /** The jobs that a pilot runs, or is about to run. */
    payloads: (projection: Projection, pilot: string): readonly JobRecord[] => {
      const record = projection.books.pilots.get(pilot);
      return record === undefined ? [] : payloadsOf(projection, record);
    },
  },
  explain: {
    keepsFrom: (projection, job, sites, nowMs) =>
      sites.flatMap((site): KeptFrom[] => {
        const refusal = refusalAt(projection, site, job, nowMs);
        const denial = refusal === undefined ? denialAt(projection, site, job, nowMs) : undefined;
        if (refusal !== undefined) {
          const cause = { kind: "identityRefused", site: site.name, ...refusal } as const;
          return [{ sites: [site.name], cause, by: "nothing" }];
        }
        if (denial === undefined) return [];
        const cause = { kind: "policy", site: site.name, cause: denialCause(denial, job) } as const;
        return [{ sites: [site.name], cause, by: "use" }];
      }),
    everywhere: (projection, job, nowMs) => {
      const { site, pilot, startedAtMs } = job;
      if (startedAtMs !== null) return [];
      if (site !== null) return pilot === undefined ? [] : [{ kind: "inPilot", site, pilot }];
      return awaited(projection, job, nowMs);
    },
  },
} as const satisfies Feature;

/** Why a site does not run a job under an account; undefined where it does. */
function refusalAt(projection: Projection, site: SiteState, job: JobRecord, nowMs: number) {
  const refusal = identityRefusal(projection, site, job, nowMs);
  if (refusal !== undefined || !switchesAccounts(site)) return refusal;
  return needsQueue(projection, site, job, nowMs) ? { why: "outsidePilots" as const } : undefined;
}

/** The limit for which no pilot of a site starts a job now; undefined where there is none. */
function denialAt(projection: Projection, site: SiteState, job: JobRecord, nowMs: number) {
  if (pilotRulesFor(projection, site, job) === undefined) return undefined;
  return payloadDenial(projection, site, job, nowMs);
}

/** The sites whose pilots the job waits for, each with the pilots there. */
function awaited(projection: Projection, job: JobRecord, nowMs: number) {
  const { books, sites } = projection;
  const able = [...sites.values()].filter((site) => isOpen(site) && isUsable(site, job.description));
  return able.flatMap((site) => {
    const rules = pilotRulesFor(projection, site, job);
    if (rules === undefined || identityRefusal(projection, site, job, nowMs) !== undefined) return [];
    if (payloadDenial(projection, site, job, nowMs) !== undefined) return [];
    const there = [...books.pilots.values()].filter(
      (it) => it.site === site.name && it.replicaOf === undefined,
    );
    const { notBeforeMs = 0 } = books.pilotFactories.get(site.name) ?? {};
    return {
      ...{ kind: "pilotAwaited" as const, site: site.name, most: rules.max },
      waiting: there.filter(({ state }) => state === "WAITING").length,
      running: there.filter(({ state }) => state === "RUNNING" || state === "DRAINING").length,
      ...(notBeforeMs > nowMs ? { nextAtMs: notBeforeMs } : {}),
    };
  });
}

/** Opens a pilot with the resources that it reports, but at most those requested: reports are not trusted. */
function openPilot(
  { books, jobs, sites }: Projection,
  { pilot, node, procs, memoryBytes, gpus }: CommandOf<"openPilot">,
  nowMs: number,
): Answer {
  const record = books.pilots.get(pilot);
  if (record === undefined) return refused({ kind: "unknownPilot", pilot });
  const job = jobs.get(pilot);
  if (record.state !== "WAITING" || job === undefined || job.startedAtMs === null) return accepted([]);
  const { memoryBytes: asked } = record;
  const spec = sites.get(record.site)?.spec;
  const untilMs = job.startedAtMs + (job.description.wallTimeMs ?? spec?.defaultWallTimeMs ?? 0);
  const size = {
    procs: Math.min(procs, record.procs),
    memoryBytes: asked === 0 ? memoryBytes : Math.min(memoryBytes, asked),
    gpus: Math.min(gpus, record.gpus),
  };
  const isTooMuch = procs > size.procs || memoryBytes > size.memoryBytes || gpus > size.gpus;
  const claim = isTooMuch ? { claimed: { procs, memoryBytes, gpus } } : {};
  return accepted([{ kind: "pilotOpened", pilot, node, untilMs, ...size, ...claim, atMs: nowMs }]);
}

function drainPilot({ books }: Projection, { pilot, why }: CommandOf<"drainPilot">, nowMs: number): Answer {
  const record = books.pilots.get(pilot);
  if (record === undefined) return refused({ kind: "unknownPilot", pilot });
  if (record.state === "DRAINING" || record.state === "ENDED") return accepted([]);
  return accepted([{ kind: "pilotDrained", pilot, why, atMs: nowMs }]);
}

function changed({ books }: Projection, pilot: string, part: Partial<PilotRecord>): RecordChange[] {
  const record = books.pilots.get(pilot);
  return record === undefined ? [] : [written("pilots", { ...record, ...part })];
}

function payloadComes(projection: Projection, event: StintEvent): RecordChange[] {
  if (event.kind !== "jobPlaced" || event.pilot === undefined) return [];
  const { taken = 0 } = projection.books.pilots.get(event.pilot) ?? {};
  return changed(projection, event.pilot, { taken: taken + 1, quietSinceMs: null });
}

/** Changes of a pilot at the end of a payload, computed while the job still names its pilot. */
function payloadLeaves(projection: Projection, event: StintEvent): RecordChange[] {
  if (event.kind !== "attemptEnded" && event.kind !== "jobCancelled") return [];
  const record = projection.books.pilots.get(projection.jobs.get(event.job)?.pilot ?? "");
  if (record === undefined) return [];
  const isLast = payloadsOf(projection, record).every(({ id }) => id === event.job);
  const isFinished = event.kind === "attemptEnded" && event.end.cause !== "lost";
  if (!isLast && !isFinished) return [];
  return changed(projection, record.job, {
    ...(isFinished ? { finished: (record.finished ?? 0) + 1 } : {}),
    ...(isLast ? { quietSinceMs: event.atMs } : {}),
  });
}

function pilotEnds(projection: Projection, { id, state }: JobRecord, atMs: number): RecordChange[] {
  const { pilots: book, pilotFactories } = projection.books;
  const record = book.get(id);
  if (record === undefined || record.state === "ENDED" || !isFinal(state)) return [];
  const over = changed(projection, id, { state: "ENDED", endedAtMs: atMs });
  if (record.replicaOf !== undefined) return over;
  return [...over, written("pilotFactories", afterPilot(pilotFactories.get(record.site), record, atMs))];
}

function goneWith({ books }: Projection, site: string): RecordChange[] {
  const there = [...books.pilots.values()].filter((it) => it.site === site);
  const gone = there.map(({ job }) => erased("pilots", job));
  return books.pilotFactories.has(site) ? [...gone, erased("pilotFactories", site)] : gone;
}

/**
 * Next instant at which a pilot changes without an event. A pilot whose end was noticed late is kept until
 * the ends of its payloads are known.
 */
function dueAtMs(projection: Projection, pilot: PilotRecord): number {
  const { site, state, replicaOf, taken, quietSinceMs, endedAtMs } = pilot;
  if (state === "ENDED") {
    const isNeeded = taken > 0 && quietSinceMs === null && payloadsOf(projection, pilot).length > 0;
    return isNeeded ? NEVER : (endedAtMs ?? 0) + REMEMBERED_MS;
  }
  if (state !== "RUNNING" || quietSinceMs === null) return NEVER;
  if (replicaOf !== undefined) return quietSinceMs;
  const spec = projection.sites.get(site)?.spec;
  return quietSinceMs + ((spec?.type === "slurm" ? spec.pilots?.idleMs : undefined) ?? 0);
}

/**
 * Drains pilots that have been idle for too long, and forgets those that ended long ago. Jobs that wait have
 * been placed before, so no job could still use an idle pilot.
 */
function decidePilots(projection: Projection, nowMs: number): readonly StintEvent[] {
  return [...projection.books.pilots.values()].flatMap((record): StintEvent[] => {
    if (nowMs < dueAtMs(projection, record)) return [];
    const { job: pilot, state } = record;
    if (state === "ENDED") return [{ kind: "pilotForgotten", pilot, atMs: nowMs }];
    return [{ kind: "pilotDrained", pilot, why: "idle", atMs: nowMs }];
  });
}

/** True if what a site lets pilots run depends on the time: of the day, or of an epoch. */
function changesByItself(site: SiteState): boolean {
  const { pilots: rules } = site.spec.type === "slurm" ? site.spec : {};
  if (rules === undefined) return false;
  const { identity = UNCHECKED } = rules;
  return isHolding(site) || identity.rules.some(({ fromMs, untilMs }) => fromMs > 0 || untilMs < DAY_MS);
}
