/**
 * Decision if a site accepts the files of a job, by the storage policies in force there (rule EN-102).
 */
import {
  type Command,
  type JobDescription,
  type JobRecord,
  type Refusal,
  type StoreLimit,
  storageBytesOf,
} from "../../../model/index.ts";
import { neverStored, pathsTo, storedLimit } from "../../../policy/index.ts";
import { type BoundParts, boundParts, keptStores } from "../../state/bound-parts.ts";
import { keeperAt, type WithFiles } from "../../state/files-book.ts";
import type { Reserved } from "../../state/reserved.ts";
import { isOpen, isUsable, type SiteState } from "../../state/site-state.ts";

/** Requested storage, and the storage counted beside it. */
export interface StoreRequest {
  readonly consumer: string;
  readonly askedBytes: number;
  /** Reservation of the job, where it has one. */
  readonly reservation?: string | undefined;
  /**
   * Bytes about to be stored, by level; those that go into a reserved part are under the key of that part.
   */
  readonly comingBytes?: ReadonlyMap<string, number>;
}

/** The part of the state that says where a job may go. */
export interface WithSites extends WithFiles {
  readonly reserved: Reserved;
  readonly jobs: ReadonlyMap<string, JobRecord>;
  readonly unplaced: Iterable<string>;
}

/** The limit that keeps files from a site now; undefined where it takes them. */
export function storeLimitAt(
  state: WithFiles,
  { name, spec }: SiteState,
  request: StoreRequest,
  nowMs: number,
): StoreLimit | undefined {
  return limitBy(storedLimit, state, { name, spec, request }, nowMs);
}

function limitBy(
  rule: typeof storedLimit,
  state: WithFiles,
  { name, spec, request }: Pick<SiteState, "name" | "spec"> & { readonly request: StoreRequest },
  nowMs: number,
): StoreLimit | undefined {
  const part = partForFiles(state, request.reservation);
  if (part !== undefined) return partLimit(name, part, request);
  const capacityBytes = storageBytesOf(spec);
  // Who asks for nothing takes nothing of what is kept for others.
  const kept = request.askedBytes === 0 ? NOTHING_KEPT : keptFree(state, name, nowMs);
  const comingBytes = addedUp(kept, request.comingBytes ?? NOTHING_KEPT);
  const keeper = keeperAt(state, name, nowMs);
  if (keeper !== undefined) {
    const limit = rule(keeper, { ...request, comingBytes, capacityBytes }, nowMs);
    return limit === undefined ? undefined : { site: name, ...limit };
  }
  const usedBytes = (state.files.siteBytes.get(name) ?? 0) + (comingBytes.get("") ?? 0);
  return kept.size === 0 ? undefined : capacityLimit(name, { ...request, usedBytes, capacityBytes });
}

const NOTHING_KEPT: ReadonlyMap<string, number> = new Map();

/** Bytes by level: those kept free for reservations, plus those about to be stored. */
function addedUp(
  kept: ReadonlyMap<string, number>,
  coming: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  if (kept.size === 0) return coming;
  const paths = new Set([...kept.keys(), ...coming.keys()]);
  return new Map([...paths].map((path) => [path, (kept.get(path) ?? 0) + (coming.get(path) ?? 0)]));
}

/** Files go into the part that is reserved for them, whatever else is there (rule EN-116). */
function partLimit(
  site: string,
  { together, amount, filledBytes }: FilledParts,
  { askedBytes, comingBytes }: StoreRequest,
): StoreLimit | undefined {
  const usedBytes = filledBytes + (comingBytes?.get(partName(together)) ?? 0);
  if (askedBytes === 0 || usedBytes + askedBytes <= amount) return undefined;
  return {
    ...{ site, limit: "reservation", level: null, provider: null, usedBytes, askedBytes },
    ...{ limitBytes: amount, isNever: askedBytes > amount, untilMs: null },
  };
}

/** Where no policy counts files, only reserved parts keep them out (rule EN-116). */
function capacityLimit(
  site: string,
  {
    askedBytes,
    usedBytes,
    capacityBytes,
  }: StoreRequest & { readonly usedBytes: number; readonly capacityBytes: number },
): StoreLimit | undefined {
  if (usedBytes + askedBytes <= capacityBytes) return undefined;
  const whose = { limit: "capacity", level: null, provider: null, untilMs: null, isNever: false } as const;
  return { site, ...whose, usedBytes, askedBytes, limitBytes: capacityBytes };
}

/** Key of a reserved part among the levels; no level has such a name. */
function partName(together: string): string {
  return `reserved ${together}`;
}

/** Why files would never be taken: at every site that the job may use they alone pass a limit. */
export function exceedsQuota(
  state: WithSites,
  { description, consumer, inputBytes = 0 }: Extract<Command, { kind: "submit" }>,
  nowMs: number,
): Refusal | undefined {
  if (inputBytes === 0) return undefined;
  const sites = sitesFor(state, description);
  const request = { consumer, askedBytes: inputBytes, reservation: description.reservation };
  const limits = sites
    .flatMap(({ name, spec }) => limitBy(neverStored, state, { name, spec, request }, nowMs) ?? [])
    .filter(({ isNever }) => isNever);
  if (sites.length === 0 || limits.length < sites.length) return undefined;
  return { kind: "filesOverQuota", limits };
}

/** The limits of those of the open sites that have no room for the files of a job. */
export function fullStores(
  state: WithSites,
  { consumer, inputBytes = 0, description }: JobRecord,
  sites: readonly SiteState[],
  nowMs: number,
): readonly StoreLimit[] {
  const request = { consumer, askedBytes: inputBytes, reservation: description.reservation };
  return sites.filter(isOpen).flatMap((site) => storeLimitAt(state, site, request, nowMs) ?? []);
}

/**
 * Next instant at which a store may have room for a waiting job although nothing happens; Infinity where
 * there is none.
 */
export function filesWakeAtMs(state: WithSites, nowMs: number): number {
  let firstMs = Number.POSITIVE_INFINITY;
  if (state.files.keepers.size === 0) return firstMs;
  const seen = new Set<string>();
  for (const id of state.unplaced) {
    const job = state.jobs.get(id);
    if (job === undefined) continue;
    const { consumer, description, inputBytes = 0 } = job;
    const alike = `${consumer} ${inputBytes} ${description.site ?? ""} ${description.reservation ?? ""}`;
    if (seen.has(alike)) continue;
    seen.add(alike);
    for (const { untilMs } of limitsEverywhere(state, job, nowMs)) {
      if (untilMs !== null && untilMs > nowMs) firstMs = Math.min(firstMs, untilMs);
    }
  }
  return firstMs;
}

/** Where a job may go now of all that is open; files that are placed count for those that come after. */
export interface StoreGate {
  /** True if a site accepts the files of a job, beside those of jobs accepted before. */
  takes(site: SiteState, job: JobRecord): boolean;
  letIn(site: SiteState, job: JobRecord): void;
}

/** A gate for the placements of one decision. */
export function storeGate(state: WithFiles, nowMs: number): StoreGate {
  const coming = new Map<string, Map<string, number>>();
  const refused = new Set<string>();
  return {
    takes(site, { consumer, inputBytes = 0, description: { reservation } }) {
      const alike = `${site.name} ${consumer} ${inputBytes} ${reservation ?? ""}`;
      if (refused.has(alike)) return false;
      const comingBytes = coming.get(site.name) ?? new Map<string, number>();
      const request = { consumer, askedBytes: inputBytes, reservation, comingBytes };
      if (storeLimitAt(state, site, request, nowMs) === undefined) return true;
      refused.add(alike);
      return false;
    },
    letIn({ name }, { consumer, inputBytes = 0, description: { reservation } }) {
      if (inputBytes === 0) return;
      const part = partForFiles(state, reservation);
      const paths = part === undefined ? ["", ...pathsTo(consumer)] : [partName(part.together)];
      const there = coming.get(name) ?? new Map<string, number>();
      coming.set(name, there);
      for (const path of paths) there.set(path, (there.get(path) ?? 0) + inputBytes);
    },
  };
}

/** The limits at all open sites that a job may use; none where one of them takes its files. */
export function limitsEverywhere(state: WithSites, job: JobRecord, nowMs: number): readonly StoreLimit[] {
  const { consumer, inputBytes = 0, description } = job;
  const sites = sitesFor(state, description).filter(isOpen);
  const request = { consumer, askedBytes: inputBytes, reservation: description.reservation };
  const limits = sites.map((site) => storeLimitAt(state, site, request, nowMs));
  return limits.includes(undefined) ? [] : limits.flatMap((limit) => limit ?? []);
}

function sitesFor({ sites, reserved }: WithSites, description: JobDescription): readonly SiteState[] {
  const { reservation } = description;
  if (reservation === undefined) return [...sites.values()].filter((site) => isUsable(site, description));
  const site = sites.get(reserved.records.get(reservation)?.site ?? "");
  return site === undefined ? [] : [site];
}

/** A part of stores with what is in it. */
interface FilledParts extends BoundParts {
  readonly filledBytes: number;
}

/** The part that the files of a job in a reservation go into; undefined where it has none. */
function partForFiles(
  { reserved, files }: WithFiles,
  reservation: string | undefined,
): FilledParts | undefined {
  const parts = boundParts(reserved, reservation, "store");
  return parts === undefined
    ? undefined
    : { ...parts, filledBytes: files.filledBytes.get(parts.together) ?? 0 };
}

/**
 * The most that will be kept and not filled of the stores of a site at one time, from now on: by level, of
 * the site under the empty path. Files stay until they are removed: they may not take what is promised for
 * later.
 */
function keptFree({ reserved, files }: WithFiles, site: string, nowMs: number): ReadonlyMap<string, number> {
  const changes = keptStores(reserved, site).flatMap(({ consumer, fromMs, toMs, bytes, together }) => {
    const rest = Math.max(0, bytes - (files.filledBytes.get(together) ?? 0));
    if (toMs <= nowMs || rest === 0) return [];
    return [
      { atMs: Math.max(nowMs, fromMs), by: rest, consumer },
      { atMs: toMs, by: -rest, consumer },
    ];
  });
  const present = new Map<string, number>();
  const most = new Map<string, number>();
  for (const { by, consumer } of changes.sort((one, other) => one.atMs - other.atMs || one.by - other.by)) {
    for (const path of ["", ...pathsTo(consumer)]) {
      const there = (present.get(path) ?? 0) + by;
      present.set(path, there);
      most.set(path, Math.max(most.get(path) ?? 0, there));
    }
  }
  return most;
}
