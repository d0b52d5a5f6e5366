/**
 * Into which site's queue jobs go that have none (rules EN-5, EN-75, EN-77).
 *
 * A job that names no site goes where it would start earliest, or where its organisation's selector says;
 * the jobs of an organisation whose enforcer is on wait until it is their turn.
 */
import { assert } from "../base/index.ts";
import { asksForPrice, asksForResponse, asksForView, classKeyOf } from "../match/index.ts";
import {
  columnsAt,
  isForeign,
  isWithinSite,
  type JobRecord,
  type SiteSelector,
  type StintEvent,
  voOf,
} from "../model/index.ts";
import { copyQueue, type NamedQueue, note } from "../queue/index.ts";
import { type Binding, newBinding, pilotFor, wantPilot, withinShares } from "./bind-payload.ts";
import type { Feature } from "./feature.ts";
import { enforcedVo, turnsNow, waitingByVo } from "./features/organisations/decide-vo.ts";
import { pilotRequests } from "./features/pilots/factory.ts";
import { byPolicy } from "./features/policies/policy-denials.ts";
import { type StoreGate, storeGate } from "./features/storage/store-limits.ts";
import { isPlanned } from "./features/virtual-reservations/decide-virtual.ts";
import { placed } from "./job-placed.ts";
import { replicaEvents, replicaSites } from "./place-replicas.ts";
import { jobAccessOf } from "./site-selection/access-views.ts";
import {
  type Choosing,
  earliestSite,
  readyAt,
  recommendedAt,
  selectedSite,
} from "./site-selection/choose-site.ts";
import { keptFromSites } from "./site-selection/kept-from-sites.ts";
import { EAGER_MS, lazyPass, othersWait, waitingMatches } from "./site-selection/lazy-matching.ts";
import { type MatchQuestion, matchesThere, siteAds } from "./site-selection/match-questions.ts";
import {
  asksAnyOf,
  type Matching,
  matchedQueue,
  matchedSites,
  preferredSite,
  runnableAt,
} from "./site-selection/matched-sites.ts";
import { covered, declarable } from "./site-selection/payable-sites.ts";
import { placementClass } from "./site-selection/placement-class.ts";
import { pendingLeases } from "./state/account-leases.ts";
import { inputDataAt, missingData } from "./state/input-data.ts";
import { ofGoneSite, ofJobOver } from "./state/outdated.ts";
import { countedAt } from "./state/peer-use.ts";
import { identityAt, identityRefusal, switchedAccount, switchesAccounts } from "./state/pilots.ts";
import { policySubject } from "./state/policy-subject.ts";
import { type Projection, siteOf } from "./state/projection.ts";
import { reservedPlace } from "./state/reserved.ts";
import { takesOneMore } from "./state/site-health.ts";
import { isDemanding, isOpen, isUsable, needOf, type SiteState } from "./state/site-state.ts";
import { streamQueue } from "./state/stream-queue.ts";
import { selectorOf } from "./state/vo-book.ts";
import { hasReplicasWaiting, waitsByHolders } from "./state/waiting-replicas.ts";

export const placement = {
  name: "placement",
  applies: {
    jobPlaced: placed,
    jobsParked: ({ unplaced, parked }, { jobs }) => {
      for (const job of jobs) if (unplaced.delete(job)) parked.add(job);
      return [];
    },
  },
  outdates: {
    jobPlaced: (projection, event) => {
      const at = projection.jobs.get(event.job)?.site;
      if (typeof at === "string") return { kind: "jobPlaced", job: event.job, site: at };
      return ofJobOver(projection, event) ?? ofGoneSite(projection, event);
    },
  },
  decide: (projection, nowMs) => {
    const expired = expiredJobs(projection, nowMs);
    return expired.length > 0 ? expired : placeAll(projection, nowMs);
  },
  wakeAtMs: ({ parked, expiring }, nowMs) =>
    Math.min(parked.size === 0 ? Number.POSITIVE_INFINITY : nowMs + EAGER_MS, ...expiring.values()),
  explain: {
    keepsFrom: keptFromSites,
    everywhere: (_, { site, queue, retried, startedAtMs }) => [
      ...(site === null || queue === undefined ? [] : [{ kind: "inNamedQueue" as const, site, queue }]),
      ...(retried === undefined || startedAtMs !== null ? [] : [{ kind: "retried" as const, ...retried }]),
    ],
  },
  queries: {
    siteAds: (projection, site: string, nowMs) => siteAds(projection, siteOf(projection, site), nowMs),
    matchTable: (projection, job: MatchQuestion, nowMs) => matchesThere(projection, job, nowMs),
    /** Number of matches of jobs that had matched no site, since the start of the broker. */
    waitingMatches: (projection) => waitingMatches(projection),
  },
} as const satisfies Feature;

/** The jobs that no site was found for by their expiry times. */
function expiredJobs({ expiring }: Projection, nowMs: number): StintEvent[] {
  const over = [...expiring].filter(([, expiryMs]) => expiryMs <= nowMs);
  return over.map(([job]) => ({ kind: "jobExpired", job, atMs: nowMs }));
}

/** So many jobs are placed in one decision; the others in the next one, so that nobody waits long for it. */
const PLACED_AT_ONCE = 64;

/** True if this decision has placed enough jobs; a replica counts as one. */
function isFull({ placements, replicated }: Placing): boolean {
  const holders = replicated.filter(({ kind }) => kind === "pilotSubmitted").length;
  return placements.length + holders >= PLACED_AT_ONCE;
}

/** State shared while the jobs of one decision are placed. */
interface Placing extends Choosing, Binding {
  /** The queues with the jobs placed so far. */
  readonly trials: Map<string, NamedQueue>;
  /** Where jobs were placed so far, by organisation and in order. */
  readonly sent: { readonly vo: string; readonly site: string; readonly procs: number }[];
  readonly parked: string[];
  readonly placements: StintEvent[];
  /** Events of jobs that wait at several sites. */
  readonly replicated: StintEvent[];
  /** The sites whose policies let jobs go, by what is asked for: many ask for the same. */
  readonly granting: Map<string, readonly SiteState[]>;
  /** Names of the matching sites, by class of jobs: many demand the same. */
  readonly matching: Map<string, readonly SiteState[]>;
  /** Free space of stores, less that of jobs placed so far. */
  readonly gate: StoreGate;
}

/** The events that place what is to be placed, and park what no site takes. */
function placeAll(projection: Projection, nowMs: number): StintEvent[] {
  const open = [...projection.sites.values()].filter(isOpen);
  const placing: Placing = {
    ...{ projection, nowMs, open, trials: new Map(), sent: [], parked: [], placements: [], replicated: [] },
    ...{ granting: new Map(), matching: new Map(), gate: storeGate(projection, nowMs) },
    ...newBinding(projection),
  };
  if (projection.unplaced.size > 0 && open.length > 1) notePeers(placing);
  for (const id of projection.unplaced) {
    if (isFull(placing)) break;
    const job = projection.jobs.get(id);
    assert(job !== undefined, "a job that waits for a site is not over");
    if (!isPlanned(job, nowMs) && enforcedVo(projection, job) === undefined) place(placing, job);
  }
  placeParked(placing);
  for (const [vo, waiting] of waitingByVo(projection)) placeTurns(placing, vo, waiting);
  const { placements, replicated, parked, pilotsWanted } = placing;
  if (parked.length > 0) {
    placements.push({ kind: "jobsParked", jobs: parked, atMs: nowMs });
    othersWait(projection);
  }
  return [...placements, ...replicated, ...pilotRequests(projection, pilotsWanted, nowMs)];
}

/** Places jobs that matched nowhere, where something has changed so that a site matches now (EN-288). */
function placeParked(placing: Placing): void {
  const { projection, nowMs, open } = placing;
  if (open.length === 0 || projection.parked.size === 0) return;
  const pass = lazyPass(projection, open, nowMs);
  if (pass === undefined) return;
  for (const id of projection.parked) {
    if (isFull(placing)) return;
    const job = projection.jobs.get(id);
    if (job === undefined) continue;
    if (isPlanned(job, nowMs)) pass.keepOpen();
    else if (!asksAnyOf(job, open) && job.description.inputData === undefined) continue;
    else if (enforcedVo(projection, job) === undefined && !pass.isUnmatched(job)) {
      pass.note(job, place(placing, job));
    }
  }
  pass.end();
}

/** Counts dispatches of other brokers that a site does not show yet before new placements there. */
function notePeers(placing: Placing): void {
  const { projection, open, nowMs } = placing;
  for (const site of open) {
    const jobs = isForeign(site.spec) ? countedAt(projection.peers, site.name, nowMs) : [];
    for (const { id, startedAtMs, limitMs, ...need } of jobs) {
      const estimateMs = startedAtMs === null ? limitMs : startedAtMs + limitMs - nowMs;
      if (!isWithinSite(site.spec, need)) continue;
      note(trialOf(placing, site), {
        kind: "arrive",
        job: `peer ${id}`,
        need: columnsAt(site.spec, need),
        estimateMs,
      });
    }
  }
}

/** Places the next job in turn; without an accepting site it is parked until the next decision. */
function placeTurns(placing: Placing, vo: string, waiting: readonly JobRecord[]): void {
  const { projection, nowMs } = placing;
  const record = projection.vos.records.get(vo);
  if (record === undefined) return;
  // Whom a full store keeps out, or a policy, keeps nobody else of the organisation waiting.
  const able = waiting.filter((job) => waitsByHolders(job) || !isKeptOut(placing, job));
  for (const { job: id } of turnsNow(projection, record, able, nowMs)) {
    const job = projection.jobs.get(id);
    if (isFull(placing) || job === undefined) return;
    place(placing, job, record.selector ?? "leastUsed");
  }
}

/** Places a job, or parks it. @returns `none`: no open site matches it */
function place(placing: Placing, job: JobRecord, turnSelector?: SiteSelector): "none" | "other" {
  const { projection, nowMs, open, placements } = placing;
  if (hasReplicasWaiting(projection, job)) return "other";
  const reserved = reservedPlace(projection, job);
  if (reserved !== undefined) {
    if (identityRefusal(projection, siteOf(projection, reserved), job, nowMs) !== undefined) return "other";
    if (!placing.gate.takes(siteOf(projection, reserved), job)) return "other";
    placing.gate.letIn(siteOf(projection, reserved), job);
    placements.push({
      kind: "jobPlaced",
      job: job.id,
      attempt: job.attempt + 1,
      site: reserved,
      atMs: nowMs,
    });
    return "other";
  }
  const alike = placing.awaiting.size === 0 ? undefined : placementClass(job);
  const awaitingAt = alike === undefined ? undefined : placing.awaiting.get(alike);
  if (awaitingAt !== undefined) {
    wantPilot(placing, siteOf(projection, awaitingAt), job);
    return "other";
  }
  const large = open.filter((site) => isUsable(site, job.description));
  const usable = large.filter((site) => identityRefusal(projection, site, job, nowMs) === undefined);
  if (usable.length === 0 && large.length > 0) return "other";
  const matching = withoutFailed(
    runnableAt(matchingIn(placing, usable, job), (at) => matchingOf(placing, at, job)),
    job,
  );
  const eligible = declarable(projection, covered(matching, job, nowMs), job);
  if (eligible.length === 0) {
    if (!projection.parked.has(job.id)) placing.parked.push(job.id);
    // Whom a site has an account for may depend on the time of day.
    return usable.length < large.length ? "other" : "none";
  }
  // Without room for its files anywhere, or where policies deny it everywhere, it stays as it is, and is
  // asked for again when something happens.
  const granting = grantedTo(placing, taking(placing, eligible), job);
  const roomy = withinShares(
    placing,
    granting.filter((site) => placing.gate.takes(site, job)),
    job,
  );
  if (roomy.length === 0) return "other";
  const selector = turnSelector ?? selectorOf(projection.vos, job.consumer);
  const bestOf = (sites: readonly SiteState[]): SiteState =>
    sites.find((it) => takesNow(placing, it) === "asTest") ??
    preferredSite(matchingOf(placing, sites, job)) ??
    siteFor(placing, sites, job, selector);
  const several = replicaSites(job, roomy, { projection, gate: placing.payloads, bestOf, nowMs });
  if (several.length > 1) placeAtAll(placing, several, job);
  else placeAt(placing, { site: bestOf(roomy), isAlone: roomy.length === 1 }, job);
  return "other";
}

/** The job waits at all of the sites: itself at a managed one, and by holders of its place at clusters. */
function placeAtAll(placing: Placing, sites: readonly SiteState[], job: JobRecord): void {
  const { projection, nowMs, replicated } = placing;
  const holders = replicated.filter(({ kind }) => kind === "pilotSubmitted").length;
  replicated.push(...replicaEvents(job, sites, projection.accepted + holders + 1, nowMs));
  const own = sites.find(({ spec }) => !isForeign(spec));
  if (own !== undefined) placeAt(placing, { site: own, isAlone: true }, job);
}

/** @param isAlone true if the job had only one possible site, so that the choice cannot be scored */
function placeAt(
  placing: Placing,
  { site, isAlone }: { readonly site: SiteState; readonly isAlone: boolean },
  job: JobRecord,
): void {
  const { projection, nowMs, open, placements } = placing;
  const queue =
    streamQueue(projection, job.id, site.name) ??
    (switchesAccounts(site) ? undefined : matchedQueue(matchingOf(placing, [site], job), site));
  const leasing = { nowMs, pending: pendingLeases(projection, placements, site.name) };
  // The last account of a pool may have been leased in this decision.
  if (identityAt(projection, site, job, leasing).kind === "refused") return;
  const pilot = queue === undefined ? pilotFor(placing, site, job) : undefined;
  if (pilot === "awaited") return;
  const account = pilot === undefined ? undefined : switchedAccount(projection, site, job, leasing);
  const recommended = isAlone ? undefined : recommendedAt(placing, site, job);
  if (open.length > 1 && pilot === undefined) note(trialOf(placing, site), arrival(site, job));
  placing.gate.letIn(site, job);
  placing.sent.push({ vo: voOf(job.consumer), site: site.name, procs: job.description.procs });
  placements.push({
    ...{ kind: "jobPlaced", job: job.id, attempt: job.attempt + 1, site: site.name },
    ...(queue === undefined ? {} : { queue }),
    ...(pilot === undefined ? {} : { pilot }),
    ...(account === undefined ? {} : { account }),
    ...(recommended === undefined ? {} : { recommended }),
    atMs: nowMs,
  });
}

/** Those of the sites that are not set aside, or whose turn it is to be tested (rule EN-191). */
function taking(placing: Placing, sites: readonly SiteState[]): readonly SiteState[] {
  return sites.filter((site) => takesNow(placing, site) !== "no");
}

function takesNow({ projection, sent, nowMs }: Placing, { name }: SiteState): "yes" | "asTest" | "no" {
  return takesOneMore(projection, name, sent.filter(({ site }) => site === name).length, nowMs);
}

function siteFor(
  placing: Placing,
  roomy: readonly SiteState[],
  job: JobRecord,
  selector: SiteSelector | null,
): SiteState {
  return selector === null ? earliestSite(placing, roomy, job) : selectedSite(placing, roomy, job, selector);
}

function matchingOf(placing: Placing, sites: readonly SiteState[], job: JobRecord): Matching {
  const { projection, nowMs } = placing;
  return {
    ...{ job, sites, startAt: (site) => readyAt(placing, site, job), nowMs },
    dataAt: (site) => inputDataAt(projection, site, job.description),
    accessAt: (site) => jobAccessOf(projection, site, nowMs),
  };
}

/** Those of the sites that the job's requirements match (rule EN-181). */
function matchingIn(placing: Placing, sites: readonly SiteState[], job: JobRecord): readonly SiteState[] {
  if (missingData(placing.projection, job.description).length > 0) return [];
  if (!asksAnyOf(job, sites)) return sites;
  const isOwn = [asksForResponse, asksForPrice, asksForView].some((asks) => asks(job));
  // Requirements of a site may name what jobs of one class differ in.
  if (isOwn || job.description.inputData !== undefined || sites.some(isDemanding))
    return matchedSites(matchingOf(placing, sites, job));
  // What a queue is large enough for depends on more than what requirements name.
  const { procs, gpus, wallTimeMs, memoryBytes } = job.description;
  const names = sites.map(({ name }) => name).join(" ");
  const alike = `${classKeyOf(job)} ${procs} ${gpus} ${wallTimeMs} ${memoryBytes} ${names}`;
  const found = placing.matching.get(alike) ?? matchedSites(matchingOf(placing, sites, job));
  placing.matching.set(alike, found);
  return found;
}

/** Of the sites those that have not failed the job; all where each one has. */
function withoutFailed(sites: readonly SiteState[], { retried }: JobRecord): readonly SiteState[] {
  if (retried === undefined) return sites;
  const others = sites.filter(({ name }) => !retried.at.includes(name));
  return others.length > 0 ? others : sites;
}

/** True if no open site that the job may use has room for its files, or policies that admit it. */
function isKeptOut(placing: Placing, job: JobRecord): boolean {
  const large = placing.open.filter((site) => isUsable(site, job.description));
  const usable = matchingIn(placing, large, job);
  if (large.length > 0 && usable.length === 0) return true;
  const granting = grantedTo(placing, taking(placing, usable), job);
  return usable.length > 0 && !granting.some((site) => placing.gate.takes(site, job));
}

/** Those of the sites whose policies would let a job go, now or later (rules EN-5, EN-110). */
function grantedTo(
  { projection, nowMs, granting }: Placing,
  sites: readonly SiteState[],
  job: JobRecord,
): readonly SiteState[] {
  // What a pilot uses is counted as the use of its payloads, and judged with them.
  if (projection.books.pilots.has(job.id)) return sites;
  const { procs, memoryBytes = 0, gpus = 0 } = job.description;
  const names = sites.map(({ name }) => name).join(" ");
  const alike = `${policySubject(job)} ${procs} ${memoryBytes} ${gpus} ${names}`;
  const open = granting.get(alike) ?? byPolicy(projection, sites, job, nowMs).open;
  granting.set(alike, open);
  return open;
}

/** The queue of a site with the jobs placed in this round, to try things on. */
function trialOf({ trials }: Placing, { name, queue }: SiteState): NamedQueue {
  const trial = trials.get(name) ?? copyQueue(queue);
  trials.set(name, trial);
  return trial;
}

function arrival({ spec }: SiteState, job: JobRecord) {
  return { kind: "arrive" as const, job: job.id, ...needOf(job.description, spec) };
}
