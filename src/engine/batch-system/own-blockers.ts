/**
 * Causes that lie with the job itself: held, not yet to begin, behind other jobs, its array, its
 * licences, the reservation that it asks for.
 */
import type { ClusterJob, ClusterReservation, ClusterSnapshot } from "../../model/index.ts";
import type { Blocker, Remedy, WantedLicense } from "./blocker.ts";
import { type ClusterView, findJob } from "./view.ts";

/** All of them that hold. */
export function ownBlockers(view: ClusterView, job: ClusterJob): readonly Blocker[] {
  return [
    ...heldBlockers(job),
    ...beginBlockers(view, job),
    ...dependencyBlockers(view, job),
    ...arrayBlockers(view, job),
    ...licenseBlockers(view, job),
    ...reservationBlockers(view, job),
  ];
}

function heldBlockers({ state, waitsFor }: ClusterJob): readonly Blocker[] {
  if (state !== "held") return [];
  const by = waitsFor?.heldBy ?? null;
  const remedies: Remedy[] =
    by === "user" || by === null ? [{ kind: "release" }] : [{ kind: "askAdmin", about: "release" }];
  return [{ kind: "held", by, remedies }];
}

/** A dependency keeps the instant open from which on a job may start, or sets one that is past. */
function beginBlockers({ nowMs }: ClusterView, { eligibleAtMs }: ClusterJob): readonly Blocker[] {
  if (eligibleAtMs === null || eligibleAtMs <= nowMs) return [];
  const remedies: Remedy[] = [{ kind: "waitUntil", atMs: eligibleAtMs }, { kind: "beginNow" }];
  return [{ kind: "beginTime", atMs: eligibleAtMs, remedies }];
}

/** The blocker where something that it waits for has not come true. */
function dependencyBlockers(view: ClusterView, { dependency, waitsFor }: ClusterJob): readonly Blocker[] {
  if (dependency === null && waitsFor?.kinds.includes("dependency") !== true) return [];
  const { words = "", isAnyEnough = false, awaited: named = [] } = dependency ?? {};
  const awaited = named.map((it) => {
    const found = it.siteJob === null ? undefined : findJob(view, it.siteJob);
    return { ...it, state: found?.state ?? null, expectedEndAtMs: found?.expectedEndAtMs ?? null };
  });
  const never = awaited.filter((it) => it.isNeverMet).length;
  const isNeverMet =
    waitsFor?.isNever === true ||
    (awaited.length > 0 && (isAnyEnough ? never === awaited.length : never > 0));
  const siteJobs = awaited.flatMap((it) => (it.siteJob !== null && !it.isNeverMet ? [it.siteJob] : []));
  const remedies: Remedy[] = isNeverMet
    ? [{ kind: "dropDependency" }, { kind: "cancel" }]
    : [{ kind: "waitForJobs", siteJobs }, { kind: "dropDependency" }];
  return [{ kind: "dependency", words, awaited, isAnyEnough, isNeverMet, remedies }];
}

function arrayBlockers({ arrays }: ClusterView, { arrayJob, arrayLimit }: ClusterJob): readonly Blocker[] {
  if (arrayJob === null || arrayLimit === null) return [];
  const inUse = (arrays.get(arrayJob) ?? []).filter(
    ({ state }) => state === "running" || state === "suspended",
  );
  const running = inUse.reduce((sum, { count }) => sum + count, 0);
  if (running < arrayLimit) return [];
  const remedies: Remedy[] = [
    { kind: "waitForJobs", siteJobs: inUse.map(({ siteJob }) => siteJob) },
    { kind: "raiseArrayLimit", limit: arrayLimit + 1 },
  ];
  return [{ kind: "arrayLimit", array: arrayJob, limit: arrayLimit, running, remedies }];
}

/** Of those that are counted it is known which are short; of the others the system says that some are. */
function licenseBlockers({ snapshot }: ClusterView, { licenses, waitsFor }: ClusterJob): readonly Blocker[] {
  const names = Object.keys(licenses);
  if (names.length === 0) return [];
  const counted = new Map(snapshot.licenses.map((license) => [license.name, license]));
  const short = names.flatMap((name): WantedLicense[] => {
    const { total = 0, used = 0, free = Number.POSITIVE_INFINITY } = counted.get(name) ?? {};
    return licenses[name] > free ? [{ name, wanted: licenses[name], used, total }] : [];
  });
  const others = names.filter((name) => !counted.has(name));
  const isSaid = waitsFor?.kinds.includes("licenses") === true && short.length === 0 && others.length > 0;
  const used = isSaid ? usedByShown(snapshot, others) : {};
  const doubtful = isSaid
    ? others.map((name) => ({ name, wanted: licenses[name], used: used[name] ?? 0, total: null }))
    : [];
  const all = [...short, ...doubtful];
  if (all.length === 0) return [];
  const isNever = short.some(({ wanted, total }) => wanted > (total ?? 0));
  return [{ kind: "licenses", licenses: all, remedies: isNever ? [] : [{ kind: "wait" }] }];
}

function usedByShown({ jobs }: ClusterSnapshot, names: readonly string[]): Record<string, number> {
  const used: Record<string, number> = {};
  for (const job of jobs) {
    if (job.state !== "running" && job.state !== "suspended") continue;
    for (const name of names) used[name] = (used[name] ?? 0) + (job.licenses[name] ?? 0);
  }
  return used;
}

function reservationBlockers(view: ClusterView, job: ClusterJob): readonly Blocker[] {
  const { reservation: name } = job;
  if (name === null) return [];
  const found = view.reservations.get(name);
  const problem = problemWith(found, job, view.nowMs);
  if (problem === null) return [];
  const others = view.snapshot.reservations.filter((it) => problemWith(it, job, view.nowMs) === null);
  const remedies: Remedy[] = [{ kind: "otherReservation", names: others.map((it) => it.name) }];
  if (problem === "notStarted") remedies.unshift({ kind: "waitUntil", atMs: found?.startAtMs ?? view.nowMs });
  const times = { startAtMs: found?.startAtMs ?? null, endAtMs: found?.endAtMs ?? null };
  return [{ kind: "reservationAsked", reservation: name, problem, ...times, remedies }];
}

/** Why a job cannot use a reservation now; null where it can, as far as is known. */
function problemWith(found: ClusterReservation | undefined, { user, account }: ClusterJob, nowMs: number) {
  if (found === undefined) return "unknown";
  if (found.endAtMs <= nowMs) return "over";
  if (!isAllowed(found.users, user) || !isAllowed(found.accounts, account)) return "notAllowed";
  return found.startAtMs > nowMs ? "notStarted" : null;
}

/** `-name` keeps somebody out. Whose name is hidden gets the benefit of the doubt. */
function isAllowed(names: readonly string[], name: string | null): boolean {
  if (name === null || names.length === 0) return true;
  if (names.includes(`-${name}`)) return false;
  return names.includes(name) || names.every((it) => it.startsWith("-"));
}
