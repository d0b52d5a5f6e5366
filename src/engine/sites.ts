/**
 * Sites: added, changed, drained, opened again, removed (rule EN-21).
 */
import { accepted, refused } from "../base/index.ts";
import {
  isForeign,
  isWithinSite,
  type JobRecord,
  NOTHING_SOLD,
  type SiteSpec,
  type StintEvent,
} from "../model/index.ts";
import { effectiveState } from "./effective-state.ts";
import type { Answer, CommandOf, EventOf, Feature } from "./feature.ts";
import { standingShares } from "./features/native-shares/native-shares.ts";
import { revokeTokensOf } from "./features/people/people.ts";
import { violated } from "./features/reservations/decide-reservations.ts";
import { takeUpResources } from "./features/reservations/resource-slots.ts";
import { siteChange } from "./site-change.ts";
import { NO_SCORE } from "./site-selection/choice-row.ts";
import { forgetBalances } from "./state/accounts.ts";
import { groupJobs } from "./state/group-jobs.ts";
import {
  type Projection,
  type RecordChange,
  type SiteRecord,
  siteOf,
  tryParkedAgain,
} from "./state/projection.ts";
import { keptAt } from "./state/reserved.ts";
import { createSite, type SiteState } from "./state/site-state.ts";
import { jobsAt, takeOverAll } from "./take-over.ts";

export const sites = {
  name: "sites",
  answers: {
    addSite,
    changeSite,
    drainSite: drainOrReopen,
    reopenSite: drainOrReopen,
    removeSite,
  },
  applies: {
    siteAdded: addedSite,
    siteChanged: changedSite,
    siteDrained: drainedSite,
    siteReopened: drainedSite,
    siteRemoved: removedSite,
  },
  views: [{ name: "sites", columns: { ord: "integer" }, isReadWhole: true }],
  rows: {
    site: ({ record }) => ({ view: "sites", key: record.name, record, columns: { ord: record.order } }),
    siteGone: ({ name: key }) => ({ view: "sites", key, record: undefined, columns: {} }),
  },
  restore: (projection, { sites = [] }, nowMs) => {
    const inOrder = [...sites].sort((a, b) => a.order - b.order);
    for (const record of inOrder) projection.sites.set(record.name, restoredSite(record, nowMs));
  },
  resume: (projection, _, nowMs) => {
    const jobsBySite = groupJobs(projection.jobs.values(), ({ site }) => site);
    for (const site of projection.sites.values()) {
      if (!isForeign(site.spec)) takeOverAll(projection, site, jobsBySite.get(site.name) ?? [], nowMs);
      takeUpResources(projection, site, nowMs);
    }
  },
} as const satisfies Feature;

function restoredSite(record: SiteRecord, nowMs: number): SiteState {
  const { name, spec, order, isDraining, isPaused = false, score = NO_SCORE, orderedShares = [] } = record;
  const { sold = NOTHING_SOLD } = record;
  const site = { ...createSite(name, spec, order, nowMs), isDraining, score, orderedShares, sold };
  site.enforcer.isPaused = isPaused;
  return site;
}

const SITE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** Actor of events that follow from a site's removal when no user requested them. */
const OF_ITSELF = "stint";

/** A new site under a name that is free, also of the tokens of one that was removed long ago. */
function addSite({ sites, tokens }: Projection, request: CommandOf<"addSite">, nowMs: number): Answer {
  const { site, spec } = request;
  if (!SITE_NAME.test(site)) return refused({ kind: "siteNameInvalid", site });
  if (sites.has(site)) return refused({ kind: "idInUse", id: site });
  const leftOver = revokeTokensOf({ tokens }, site, OF_ITSELF, nowMs);
  return accepted([...leftOver, { kind: "siteAdded", site, spec, atMs: nowMs }]);
}

/** Another size, discipline or the like of a site that is there. Nothing follows where it is so already. */
function changeSite({ sites, jobs }: Projection, request: CommandOf<"changeSite">, nowMs: number): Answer {
  const { site, spec } = request;
  const found = sites.get(site);
  if (found === undefined) return refused({ kind: "unknownSite", site, known: [...sites.keys()] });
  const { type } = found.spec;
  if (type !== spec.type) return refused({ kind: "siteTypeFixed", site, present: type, asked: spec.type });
  if (isSame(found.spec, spec)) return accepted([]);
  const there = jobsAt({ jobs }, site);
  const tooLarge = isForeign(spec) ? undefined : firstThatDoesNotFit(there, spec);
  if (tooLarge !== undefined) return refused({ kind: "siteInUse", site, job: tooLarge.id });
  return accepted([{ kind: "siteChanged", site, spec, atMs: nowMs }]);
}

/** Drained, a site gets no new jobs. Twice is once. */
function drainOrReopen(
  { sites, books }: Projection,
  { kind, site, by }: CommandOf<"drainSite"> | CommandOf<"reopenSite">,
  nowMs: number,
): Answer {
  const found = sites.get(site);
  if (found === undefined) return refused({ kind: "unknownSite", site, known: [...sites.keys()] });
  const isReopening = kind === "reopenSite";
  const health = isReopening ? books.siteHealth.get(site) : undefined;
  const isLimited = health !== undefined && (health.aside !== null || health.endedWell !== null);
  return accepted([
    ...(found.isDraining === isReopening
      ? [{ kind: isReopening ? ("siteReopened" as const) : ("siteDrained" as const), site, by, atMs: nowMs }]
      : []),
    ...(isLimited ? [{ kind: "siteReadmitted" as const, site, by, atMs: nowMs }] : []),
    ...(health?.troubledNodes ?? []).map((node) => {
      return { kind: "nodeReadmitted" as const, site, node, by, atMs: nowMs };
    }),
  ]);
}

/** Largest number of jobs named in a refusal. */
const MOST_NAMED = 5;

/** A site goes when none of our jobs is there, or waits for it by name. */
function removeSite(projection: Projection, request: CommandOf<"removeSite">, nowMs: number): Answer {
  const { sites, jobs } = projection;
  const { site, by } = request;
  const found = sites.get(site);
  if (found === undefined) return refused({ kind: "unknownSite", site, known: [...sites.keys()] });
  const there = [...jobs.values()].filter(
    (job) => job.site === site || (job.site === null && job.description.site === site),
  );
  const shares = standingShares(site, found);
  if (there.length === 0 && shares !== undefined) return refused(shares);
  if (there.length === 0) {
    const removed = { kind: "siteRemoved", site, by, atMs: nowMs } as const;
    const tokens = revokeTokensOf(projection, site, by, nowMs);
    return accepted([...notHonoured(projection, site, nowMs), ...tokens, removed]);
  }
  const named = there.slice(0, MOST_NAMED).map(({ id }) => id);
  const { isDraining } = found;
  return refused({ kind: "siteHasJobs", site, jobs: named, count: there.length, isDraining });
}

/**
 * Events that end the reservations of a site as violated and refund them; parts at other sites end with them,
 * once.
 */
function notHonoured({ reserved }: Projection, site: string, nowMs: number): readonly StintEvent[] {
  const told = new Set<string>();
  return keptAt(reserved, site).flatMap((record) => {
    if (told.has(record.together ?? record.id)) return [];
    told.add(record.together ?? record.id);
    return violated(reserved, record, "its site was removed", nowMs);
  });
}

/** Each job must fit alone, and those that run beside each other. */
function firstThatDoesNotFit(jobs: readonly JobRecord[], spec: SiteSpec): JobRecord | undefined {
  let procs = 0;
  let memoryBytes = 0;
  let gpus = 0;
  return jobs.find((job) => {
    const { description } = job;
    if (!isWithinSite(spec, description)) return true;
    if (effectiveState(job) !== "RUNNING") return false;
    procs += description.procs;
    memoryBytes += description.memoryBytes ?? 0;
    gpus += description.gpus ?? 0;
    return !isWithinSite(spec, { procs, memoryBytes, gpus });
  });
}

/** Whatever the order of their fields. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const ones = Object.entries(a);
  const others = new Map(Object.entries(b));
  return ones.length === others.size && ones.every(([key, value]) => isSame(value, others.get(key)));
}

/** A site that is new, without jobs. */
function addedSite(
  projection: Projection,
  { site: name, spec, atMs }: EventOf<"siteAdded">,
): readonly RecordChange[] {
  const last = Math.max(0, ...[...projection.sites.values()].map(({ order }) => order));
  const site = createSite(name, spec, last + 1, atMs);
  projection.sites.set(name, site);
  tryParkedAgain(projection);
  return [siteChange(site)];
}

/** The queue is made anew of the jobs that are there, as after a restart. */
function changedSite(
  projection: Projection,
  { site: name, spec, atMs }: EventOf<"siteChanged">,
): readonly RecordChange[] {
  const { order, isDraining, own, observation, ledger, enforcer, score, orderedShares, sold } = siteOf(
    projection,
    name,
  );
  const kept = { isDraining, own, observation, ledger, enforcer, score, orderedShares, sold };
  const site = { ...createSite(name, spec, order, atMs), ...kept };
  projection.sites.set(name, site);
  if (!isForeign(spec)) takeOverAll(projection, site, jobsAt(projection, name), atMs);
  takeUpResources(projection, site, atMs);
  tryParkedAgain(projection);
  return [siteChange(site)];
}

/** No new job goes there, or jobs go there again. */
function drainedSite(
  projection: Projection,
  { kind, site: name }: EventOf<"siteDrained"> | EventOf<"siteReopened">,
): readonly RecordChange[] {
  const site = siteOf(projection, name);
  site.isDraining = kind === "siteDrained";
  tryParkedAgain(projection);
  return [siteChange(site)];
}

/** No job of ours is there: else the request was refused. */
function removedSite(
  projection: Projection,
  { site: name }: EventOf<"siteRemoved">,
): readonly RecordChange[] {
  const { ledger } = siteOf(projection, name);
  projection.sites.delete(name);
  projection.unsettled.delete(name);
  return [{ kind: "siteGone", name }, ...forgetBalances(ledger, name)];
}
