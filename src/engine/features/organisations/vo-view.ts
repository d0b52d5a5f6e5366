/**
 * A virtual organisation as its enforcer sees it (rule EN-77).
 *
 * What it sees: its own jobs, its own policies, and of each site how much it is entitled to there. Nothing
 * of what is inside other organisations comes in, so nothing of that can matter.
 */
import { mulDiv } from "../../../base/index.ts";
import {
  type EpochWindow,
  groupOf,
  type JobRecord,
  type VoRecord,
  WHOLE_SHARE,
} from "../../../model/index.ts";
import {
  fallsBelowAtMs,
  levelsOf,
  limitOver,
  type UseLimit,
  usedOver,
  type VoGroup,
} from "../../../policy/index.ts";
import { sharesAt } from "../../state/enforced-site.ts";
import { versionAt } from "../../state/policy-book.ts";
import type { Projection } from "../../state/projection.ts";
import { isOpen } from "../../state/site-state.ts";
import { waitsByHolders } from "../../state/waiting-replicas.ts";

/** A group of the organisation at an instant. */
export interface VoGroupAt extends VoGroup {
  /** Use over the epoch, in ppm of the entitlement; infinite where the entitlement is 0. */
  readonly servedPpm: number;
  /** Instant at which use falls below the share if running jobs continue; null if already below, or never. */
  readonly belowAtMs: number | null;
  /** Waiting jobs that need more processors than the group may ever have at once; they are skipped. */
  readonly tooWide: readonly string[];
}

/** The organisation at an instant. */
export interface VoView {
  readonly vo: string;
  /** Entitlement over all sites that take jobs, in processors. */
  readonly allocation: number;
  /** Groups that use something or have waiting jobs, the least served first. */
  readonly groups: readonly VoGroupAt[];
}

const MILLION = 1_000_000;
const HOUR: EpochWindow = { kind: "sliding", lengthMs: 3_600_000 };

/** @param waiting jobs of the organisation without a site, in order; those with replicas are released */
export function voView(
  projection: Projection,
  { vo, enforcement }: VoRecord,
  waiting: readonly JobRecord[],
  nowMs: number,
): VoView {
  const allocation = allocationOf(projection, vo, nowMs);
  const named = sharesWithin(projection, vo, allocation, nowMs);
  const extra = mulDiv(enforcement?.extraPpm ?? 0, allocation, MILLION, "down");
  const waits = waitingByGroup(
    named,
    waiting.filter((job) => !waitsByHolders(job)),
    vo,
  );
  const used = usedByGroup(projection, vo, named);
  addReleased(used, waitingByGroup(named, waiting.filter(waitsByHolders), vo));
  const groups = [...named.values()]
    .filter(({ consumer }) => waits.has(consumer) || (used.get(consumer)?.inUse ?? 0) > 0)
    .map((share) =>
      groupAt(share, { waits: waits.get(share.consumer) ?? [], use: used.get(share.consumer), extra, nowMs }),
    );
  return { vo, allocation, groups: groups.sort((a, b) => a.servedPpm - b.servedPpm) };
}

/** Processors that the sites' policies give the organisation; a whole site where no policy applies. */
function allocationOf(projection: Projection, vo: string, nowMs: number): number {
  let procs = 0;
  for (const site of projection.sites.values()) {
    if (!isOpen(site)) continue;
    const shares = sharesAt(projection, site.name, nowMs);
    if (shares === undefined) procs += site.spec.procs;
    else {
      const level = levelsOf(shares, "cpu", vo).at(-1);
      procs += mulDiv(level?.epochShare ?? 0, site.spec.procs, WHOLE_SHARE, "down");
    }
  }
  return procs;
}

interface GroupShare {
  readonly consumer: string;
  readonly epoch: number;
  readonly burst: number;
  readonly window: EpochWindow;
}

/** The groups that the organisation's policies name; last, under its own name, all that they do not. */
function sharesWithin(
  { policies }: Projection,
  vo: string,
  allocation: number,
  nowMs: number,
): ReadonlyMap<string, GroupShare> {
  const shares = new Map<string, GroupShare>();
  for (const { resource, provider, consumer, epoch, burst } of versionAt(policies, nowMs)?.policies ?? []) {
    if (resource !== "cpu" || provider !== vo || groupOf(consumer) !== consumer || consumer === vo) continue;
    shares.set(consumer, {
      consumer,
      epoch: mulDiv(epoch.sharePpm, allocation, MILLION, "down"),
      burst: mulDiv(burst.sharePpm, allocation, MILLION, "down"),
      window: epoch.window,
    });
  }
  const given = [...shares.values()].reduce((sum, { epoch }) => sum + epoch, 0);
  const left = Math.max(0, allocation - given);
  return shares.set(vo, { consumer: vo, epoch: left, burst: allocation, window: HOUR });
}

function waitingByGroup(
  named: ReadonlyMap<string, GroupShare>,
  waiting: readonly JobRecord[],
  vo: string,
): ReadonlyMap<string, JobRecord[]> {
  const groups = new Map<string, JobRecord[]>();
  for (const job of waiting) {
    const group = groupOf(job.consumer);
    const name = named.has(group) ? group : vo;
    const its = groups.get(name);
    if (its === undefined) groups.set(name, [job]);
    else its.push(job);
  }
  return groups;
}

interface UseBefore {
  readonly inUse: number;
  readonly running: number;
  /** Amount·ms over the window until an instant. */
  readonly parts: readonly { readonly history: Parameters<typeof usedOver>[0]; readonly running: number }[];
}

function usedByGroup(
  { vos }: Projection,
  vo: string,
  named: ReadonlyMap<string, GroupShare>,
): Map<string, UseBefore> {
  const used = new Map<string, UseBefore>();
  for (const [group, { inUse, running, history }] of vos.uses.get(vo)?.groups ?? []) {
    const name = named.has(group) ? group : vo;
    const before = used.get(name) ?? { inUse: 0, running: 0, parts: [] };
    used.set(name, {
      inUse: before.inUse + inUse,
      running: before.running + running,
      parts: [...before.parts, { history, running }],
    });
  }
  return used;
}

/** Counts jobs that wait by replicas as in use, like others that have been released and do not run. */
function addReleased(
  used: Map<string, UseBefore>,
  released: ReadonlyMap<string, readonly JobRecord[]>,
): void {
  for (const [group, jobs] of released) {
    const before = used.get(group) ?? { inUse: 0, running: 0, parts: [] };
    const procs = jobs.reduce((sum, { description }) => sum + description.procs, 0);
    used.set(group, { ...before, inUse: before.inUse + procs });
  }
}

interface GroupFacts {
  readonly waits: readonly JobRecord[];
  readonly use: UseBefore | undefined;
  readonly extra: number;
  readonly nowMs: number;
}

function groupAt(
  { consumer, epoch, burst, window }: GroupShare,
  { waits, use, extra, nowMs }: GroupFacts,
): VoGroupAt {
  const limit: UseLimit = { window, share: WHOLE_SHARE, capacity: epoch };
  const parts = use?.parts ?? [];
  const most = limitOver(limit, nowMs);
  const used = parts.reduce((sum, { history }) => sum + usedOver(history, window, nowMs), 0n);
  const isBelowEpoch = used < most;
  const jobs = waits.map((job) => ({ job: job.id, procs: job.description.procs }));
  const [only] = parts;
  return {
    ...{ consumer, inUse: use?.inUse ?? 0, epoch, burst, extra, isBelowEpoch },
    waiting: jobs.filter(({ procs }) => procs <= burst + extra),
    tooWide: jobs.filter(({ procs }) => procs > burst + extra).map(({ job }) => job),
    servedPpm: most === 0n ? Number.POSITIVE_INFINITY : Number((used * BigInt(MILLION)) / most),
    belowAtMs:
      isBelowEpoch || parts.length !== 1 || jobs.length === 0
        ? null
        : fallsBelowAtMs(only.history, limit, nowMs, only.running),
  };
}
