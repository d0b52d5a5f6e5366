/**
 * Whether a site takes the files of a job, by the storage policies that hold there (rules EN-101, EN-102).
 */
import {
  type Command,
  type JobDescription,
  type JobRecord,
  type Refusal,
  type StoreLimit,
  storageBytesOf,
  type WaitCause,
} from "../../model/index.ts";
import { pathsTo, storedLimit } from "../../policy/index.ts";
import type { Reserved } from "../reserve/reserved.ts";
import { isOpen, isUsable, type SiteState } from "../site-state.ts";
import { keeperAt, type WithFiles } from "./files-book.ts";

/** What is asked for, and what comes beside it. */
export interface StoreWish {
  readonly consumer: string;
  readonly askedBytes: number;
  readonly comingBytes?: ReadonlyMap<string, number>;
}

/** The part of the state that says where a job may go. */
export interface WithSites extends WithFiles {
  readonly reserved: Reserved;
  readonly jobs: ReadonlyMap<string, JobRecord>;
  readonly unplaced: ReadonlySet<string>;
}

/** The limit that keeps files from a site now; undefined where it takes them. */
export function storeLimitAt(
  state: WithFiles,
  { name, spec }: SiteState,
  wish: StoreWish,
  nowMs: number,
): StoreLimit | undefined {
  const keeper = keeperAt(state, name, nowMs);
  if (keeper === undefined) return undefined;
  const limit = storedLimit(keeper, { ...wish, capacityBytes: storageBytesOf(spec) }, nowMs);
  return limit === undefined ? undefined : { site: name, ...limit };
}

/** Why files would never be taken: at every site that the job may use they alone pass a limit. */
export function whyNeverKept(
  state: WithSites,
  { description, consumer, inputBytes = 0 }: Extract<Command, { kind: "submit" }>,
  nowMs: number,
): Refusal | undefined {
  if (inputBytes === 0) return undefined;
  const sites = sitesFor(state, description);
  const limits = sites.map((site) => storeLimitAt(state, site, { consumer, askedBytes: inputBytes }, nowMs));
  const never = limits.filter((limit) => limit?.isNever === true);
  if (sites.length === 0 || never.length < sites.length) return undefined;
  return { kind: "filesOverQuota", limits: never.flatMap((limit) => limit ?? []) };
}

/** Why a job waits at the broker: no open site that it may use has room for its files. */
export function whyStoreFull(state: WithSites, job: JobRecord, nowMs: number): WaitCause | undefined {
  const limits = limitsOf(state, job, nowMs);
  return limits.length === 0 ? undefined : { kind: "storeFull", limits };
}

/** When a store could have room though nothing happens; Infinity where none of those that wait would. */
export function filesWakeAtMs(state: WithSites, nowMs: number): number {
  let firstMs = Number.POSITIVE_INFINITY;
  if (state.files.keepers.size === 0) return firstMs;
  const seen = new Set<string>();
  for (const id of state.unplaced) {
    const job = state.jobs.get(id);
    if (job === undefined) continue;
    const alike = `${job.consumer} ${job.description.site ?? ""} ${job.description.reservation ?? ""}`;
    if (seen.has(alike)) continue;
    seen.add(alike);
    for (const { untilMs } of limitsOf(state, job, nowMs)) {
      if (untilMs !== null && untilMs > nowMs) firstMs = Math.min(firstMs, untilMs);
    }
  }
  return firstMs;
}

/** Where a job may go now of all that is open; files that are placed count for those that come after. */
export interface StoreGate {
  /** Whether a site takes the files of a job, beside those that were let in before. */
  takes(site: SiteState, job: JobRecord): boolean;
  letIn(site: SiteState, job: JobRecord): void;
}

/** A gate for the placements of one decision. */
export function storeGate(state: WithFiles, nowMs: number): StoreGate {
  const coming = new Map<string, Map<string, number>>();
  const refused = new Set<string>();
  return {
    takes(site, { consumer, inputBytes = 0 }) {
      const alike = `${site.name} ${consumer} ${inputBytes}`;
      if (refused.has(alike)) return false;
      const comingBytes = coming.get(site.name) ?? new Map<string, number>();
      const wish = { consumer, askedBytes: inputBytes, comingBytes };
      if (storeLimitAt(state, site, wish, nowMs) === undefined) return true;
      refused.add(alike);
      return false;
    },
    letIn({ name }, { consumer, inputBytes = 0 }) {
      if (inputBytes === 0) return;
      const there = coming.get(name) ?? new Map<string, number>();
      coming.set(name, there);
      for (const path of ["", ...pathsTo(consumer)]) there.set(path, (there.get(path) ?? 0) + inputBytes);
    },
  };
}

/** The limits at all open sites that a job may use; none where one of them takes its files. */
function limitsOf(state: WithSites, job: JobRecord, nowMs: number): readonly StoreLimit[] {
  const { consumer, inputBytes = 0, description } = job;
  const sites = sitesFor(state, description).filter(isOpen);
  const limits = sites.map((site) => storeLimitAt(state, site, { consumer, askedBytes: inputBytes }, nowMs));
  return limits.includes(undefined) ? [] : limits.flatMap((limit) => limit ?? []);
}

function sitesFor({ sites, reserved }: WithSites, description: JobDescription): readonly SiteState[] {
  const { reservation } = description;
  if (reservation === undefined) return [...sites.values()].filter((site) => isUsable(site, description));
  const site = sites.get(reserved.records.get(reservation)?.site ?? "");
  return site === undefined ? [] : [site];
}
