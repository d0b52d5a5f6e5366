/** Which jobs run in pilots of a site, and which pilot has room for one. */
import {
  decideIdentity,
  type IdentityDecision,
  type IdentityRefusal,
  type JobRecord,
  PILOT_MARGIN_MS,
  type PilotRecord,
  type PilotRules,
} from "../../model/index.ts";
import { type PendingLeases, pooledAccount } from "./account-leases.ts";
import { takesPayload } from "./node-health.ts";
import { timeNeeded } from "./payload-runtimes.ts";
import type { Projection } from "./projection.ts";
import type { SiteState } from "./site-state.ts";

type WithPilots = Pick<Projection, "books" | "jobs" | "sites">;

/** Resources of a pilot that its payloads use. */
interface UsedByPayloads {
  readonly procs: number;
  readonly memoryBytes: number;
  readonly gpus: number;
}

const NOTHING: UsedByPayloads = { procs: 0, memoryBytes: 0, gpus: 0 };

/** Amounts in use, by pilot. */
export type PilotUse = Map<string, UsedByPayloads>;

/**
 * The rules of the pilots in which a job would run at a site; undefined where it would be in the site's own
 * queue: in a reservation, spread over nodes, or larger or longer than a pilot.
 */
export function pilotRulesFor(
  { books }: Pick<Projection, "books">,
  { spec }: Pick<SiteState, "spec">,
  { id, description }: Pick<JobRecord, "id" | "description">,
): PilotRules | undefined {
  if (spec.type !== "slurm" || spec.pilots === undefined || books.pilots.has(id)) return undefined;
  const { pilots: rules, defaultWallTimeMs } = spec;
  const { procs, memoryBytes = 0, gpus = 0, wallTimeMs = defaultWallTimeMs } = description;
  const { reservation, virtual, hostNumber, smpGranularity, wholeNodes } = description;
  const ownPlace = [reservation, virtual, hostNumber, smpGranularity, wholeNodes];
  if (ownPlace.some((one) => one !== undefined)) return undefined;
  const isSmall =
    procs <= rules.procs &&
    memoryBytes <= (rules.memoryBytes ?? Number.POSITIVE_INFINITY) &&
    gpus <= (rules.gpus ?? 0) &&
    wallTimeMs + PILOT_MARGIN_MS <= rules.wallTimeMs;
  return isSmall ? rules : undefined;
}

/** Resources of all pilots that payloads use now. */
export function pilotUse({ books, jobs, sites }: WithPilots): PilotUse {
  const use: PilotUse = new Map();
  for (const site of new Set([...books.pilots.values()].map(({ site }) => site))) {
    for (const id of sites.get(site)?.own ?? []) {
      const job = jobs.get(id);
      if (job?.pilot !== undefined) takeRoom(use, job.pilot, job);
    }
  }
  return use;
}

/** Counts a job as a payload of a pilot. */
export function takeRoom(
  use: PilotUse,
  pilot: string,
  { description }: Pick<JobRecord, "description">,
): void {
  const before = use.get(pilot) ?? NOTHING;
  const { procs, memoryBytes = 0, gpus = 0 } = description;
  use.set(pilot, {
    procs: before.procs + procs,
    memoryBytes: before.memoryBytes + memoryBytes,
    gpus: before.gpus + gpus,
  });
}

/**
 * The pilot that takes a job: of those with room and enough time left the one that leaves the fewest
 * processors free, then the one whose time is up first.
 */
export function pilotWithRoom(
  projection: WithPilots,
  site: Pick<SiteState, "name" | "spec">,
  job: Pick<JobRecord, "description" | "owner" | "retried">,
  { use, nowMs }: { readonly use: PilotUse; readonly nowMs: number },
): PilotRecord | undefined {
  const { books } = projection;
  const neededMs = timeNeeded({ books }, site, job);
  let best: { readonly pilot: PilotRecord; readonly left: number } | undefined;
  for (const pilot of books.pilots.values()) {
    if (pilot.site !== site.name || pilot.state !== "RUNNING" || pilot.untilMs === null) continue;
    if (pilot.replicaOf !== undefined) continue;
    if (nowMs + neededMs + PILOT_MARGIN_MS > pilot.untilMs) continue;
    const left = procsLeft(pilot, use.get(pilot.job) ?? NOTHING, job.description);
    const isEmpty = !use.has(pilot.job);
    if (left !== undefined && !takesPayload(projection, pilot, isEmpty, nowMs)) continue;
    if (left === undefined || (best !== undefined && best.left < left)) continue;
    if (best?.left === left && (best.pilot.untilMs ?? 0) <= pilot.untilMs) continue;
    best = { pilot, left };
  }
  return best?.pilot;
}

/** Processors left with one more payload; undefined where it has no room. Only one payload may use GPUs. */
function procsLeft(
  pilot: PilotRecord,
  used: UsedByPayloads,
  { procs, memoryBytes = 0, gpus = 0 }: JobRecord["description"],
): number | undefined {
  const left = pilot.procs - used.procs - procs;
  const hasRoom = left >= 0 && used.memoryBytes + memoryBytes <= pilot.memoryBytes && gpus <= pilot.gpus;
  return hasRoom && (gpus === 0 || used.gpus === 0) ? left : undefined;
}

/** Payloads of a pilot that are not over. */
export function payloadsOf({ jobs, sites }: WithPilots, { job, site }: PilotRecord): readonly JobRecord[] {
  const there = sites.get(site);
  return there === undefined ? [] : payloadsAt({ jobs }, there).filter(({ pilot }) => pilot === job);
}

/** Payloads of all pilots of a site that are not over. */
export function payloadsAt(
  { jobs }: Pick<Projection, "jobs">,
  { own }: Pick<SiteState, "own">,
): readonly JobRecord[] {
  return [...own].flatMap((id) => jobs.get(id) ?? []).filter(({ pilot }) => pilot !== undefined);
}

type Whose = Pick<JobRecord, "id" | "description" | "consumer" | "owner">;

/** Account under which a site runs a job now, or why it does not (rule EN-304). */
export function identityAt(
  projection: Pick<Projection, "books">,
  site: Pick<SiteState, "name" | "spec">,
  job: Whose,
  { nowMs, pending }: { readonly nowMs: number; readonly pending?: PendingLeases },
): IdentityDecision {
  const { spec } = site;
  const { identity } = (spec.type === "slurm" ? spec.pilots : undefined) ?? {};
  if (identity === undefined || projection.books.pilots.has(job.id)) {
    return { kind: "mapped", account: null, rule: null };
  }
  const { consumer, description, owner } = job;
  const request = { consumer, executable: description.executable };
  const decision = decideIdentity(identity, request, nowMs, (pool) =>
    pooledAccount(projection, site, { owner, pool }, pending),
  );
  if (decision.kind === "refused" || !switchesAccounts(site)) return decision;
  const isOutside = pilotRulesFor(projection, site, job) === undefined;
  return isOutside ? { kind: "refused", why: "outsidePilots" } : decision;
}

/** Why a site does not run a job now; undefined where it does. */
export function identityRefusal(
  projection: Pick<Projection, "books">,
  site: Pick<SiteState, "name" | "spec">,
  job: Whose,
  nowMs: number,
): IdentityRefusal | undefined {
  const decision = identityAt(projection, site, job, { nowMs });
  if (decision.kind !== "refused") return undefined;
  const { kind: _, ...refusal } = decision;
  return refusal;
}

/** True if pilots switch accounts: a job outside of them would run as the account that submits them. */
export function switchesAccounts({ spec }: Pick<SiteState, "spec">): boolean {
  const { mode } = (spec.type === "slurm" ? spec.pilots?.identity : undefined) ?? {};
  return mode === "setpriv" || mode === "sudo";
}

/** Account to which a pilot switches for a job; undefined where it keeps its own. */
export function switchedAccount(
  projection: Pick<Projection, "books">,
  site: Pick<SiteState, "name" | "spec">,
  job: Whose,
  now: { readonly nowMs: number; readonly pending?: PendingLeases },
): string | undefined {
  if (!switchesAccounts(site)) return undefined;
  const decision = identityAt(projection, site, job, now);
  return decision.kind === "mapped" ? (decision.account ?? undefined) : undefined;
}
