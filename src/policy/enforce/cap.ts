/**
 * Enforcement of `cap`: no release at the epoch share (rule PO-9), and suspension above it (rule PO-14).
 *
 * Source: the second loop of [UP] slide 12.
 * Departs from it: a job runs its minimum time, so a level releases no job that would have to be stopped at
 * once; and jobs are stopped only above the share, not at it.
 */
import type { EnforcementCause } from "../../model/index.ts";
import { limitOver, usedOver } from "../use-history.ts";
import { type EnforcedJob, SITE_RESOURCES, type StoppingVerb } from "./enforced-site.ts";
import {
  type CappedHistory,
  decide,
  type EnforcementPass,
  isWithinBudget,
  type LevelColumn,
  lastBegunFirst,
  type OverCaps,
  passAgainAt,
  type Row,
  restMs,
} from "./enforcement-pass.ts";
import { hasReached, historyOf, lastsAgainAtMs, lastsFor, passesAtMs, passesShare } from "./epoch.ts";
import type { Level, LevelLimit } from "./levels.ts";
import { usedBy } from "./occupancy.ts";

const memory = SITE_RESOURCES.indexOf("memory");

/** A level that has used its share of a column. */
export interface UsedUp {
  readonly level: Level;
  readonly cause: Extract<EnforcementCause, { kind: "epochUsed" }>;
}

/** The uppermost capped level that a candidate would bring to its share too soon; undefined where none. */
export function cappedFor(pass: EnforcementPass, row: Row, wanted: readonly number[]): UsedUp | undefined {
  const { list, hasCap } = pass.levels;
  if (!hasCap) return undefined;
  const forMs = Math.min(pass.site.rules.minRunMs, restMs(row.job, pass.nowMs));
  const { line } = list[row.level];
  for (let i = 0; i < line.length; i++) {
    for (const capped of cappedAt(pass, list[line[i]])) {
      const { level, column } = capped;
      if (row.need[column] === 0) continue;
      const amount = usedBy(pass.now, level.index, column);
      const more = amount + wanted[column];
      if (lasts(capped, { amount: more, nowMs: pass.nowMs, forMs })) continue;
      const untilMs = againAtMs(pass, capped, { forMs, more, amount });
      passAgainAt(pass, untilMs);
      return { level, cause: { kind: "epochUsed", consumer: level.path, untilMs } };
    }
  }
  return undefined;
}

/** Equivalent to {@link lastsFor}; the plain case is decided from the remaining amount. */
function lasts(
  { history, limit, left }: CappedHistory,
  { amount, nowMs, forMs }: { readonly amount: number; readonly nowMs: number; readonly forMs: number },
): boolean {
  if (left <= 0) return false;
  const used = amount * forMs;
  if (limit.window.kind === "sliding" && used < left && used <= Number.MAX_SAFE_INTEGER) return true;
  return lastsFor({ history, limit, amount }, { nowMs, forMs });
}

/** The instant from which this amount can be released; cached, since each round asks again. */
function againAtMs(
  pass: EnforcementPass,
  { level, column, history, limit }: CappedHistory,
  { forMs, more, amount }: { readonly forMs: number; readonly more: number; readonly amount: number },
): number | null {
  const key = `${level.index} ${column} ${amount} ${more} ${forMs}`;
  const known = pass.lastsAgain.get(key);
  if (known !== undefined) return known;
  const atMs = lastsAgainAtMs({ history, limit, amount }, { nowMs: pass.nowMs, forMs, more });
  pass.lastsAgain.set(key, atMs);
  return atMs;
}

/** The uppermost capped level of a queued job that has reached its share; undefined where none has. */
export function reachedBy(pass: EnforcementPass, row: Row): UsedUp | undefined {
  const { list, hasCap } = pass.levels;
  if (!hasCap) return undefined;
  for (const index of list[row.level].line) {
    for (const { level, column, history, limit } of cappedAt(pass, list[index])) {
      if (row.need[column] === 0 || !hasReached(history, limit, pass.nowMs)) continue;
      return { level, cause: { kind: "epochUsed", consumer: level.path, untilMs: null } };
    }
  }
  return undefined;
}

/** Stops running jobs of levels over their share under `cap`; returns whether any was stopped. */
export function stopCapped(pass: EnforcementPass): boolean {
  if (!pass.levels.hasCap) return false;
  pass.overCaps ??= { all: overCapsOf(pass), byLevel: new Map() };
  if (pass.overCaps.all.length === 0) return false;
  const before = pass.counted;
  const running = pass.rows
    .filter(({ state, wasReversed }) => state === "running" && !wasReversed)
    .sort(lastBegunFirst);
  for (const row of running) {
    const by = overFor(pass, pass.overCaps, row.level).find(({ column }) => row.need[column] > 0);
    if (by !== undefined) stopOne(pass, row, by);
  }
  return pass.counted > before;
}

/** Capped levels over their share; constant during a pass, since past use is. */
function overCapsOf(pass: EnforcementPass): readonly LevelColumn[] {
  return pass.levels.list.flatMap((level) =>
    level.limits.flatMap((limit, column) =>
      isPassed(pass, level, limit, column) ? [{ level, column }] : [],
    ),
  );
}

function overFor(pass: EnforcementPass, { all, byLevel }: OverCaps, of: number): readonly LevelColumn[] {
  const known = byLevel.get(of);
  if (known !== undefined) return known;
  const { line } = pass.levels.list[of];
  const its = all.filter(({ level }) => line.includes(level.index));
  byLevel.set(of, its);
  return its;
}

/** Schedules the next pass for when a capped level in use will be over its share. */
export function scheduleCapPass(pass: EnforcementPass): void {
  if (!pass.levels.hasCap) return;
  for (const level of pass.levels.list) {
    for (const { column, history, limit } of cappedAt(pass, level)) {
      const amount = usedBy(pass.now, level.index, column);
      // A level over its share whose jobs could not be stopped waits for an event or the end of a minimum run
      // time.
      if (amount === 0 || passesShare(history, limit, pass.nowMs)) continue;
      passAgainAt(pass, passesAtMs({ history, limit, amount }, pass.nowMs));
    }
  }
}

function stopOne(pass: EnforcementPass, row: Row, { level, column }: LevelColumn): void {
  const { rules } = pass.site;
  const { begunAtMs } = row.job;
  if (begunAtMs !== null && pass.nowMs - begunAtMs < rules.minRunMs) {
    passAgainAt(pass, begunAtMs + rules.minRunMs);
    return;
  }
  stopFor(pass, row, { column, cause: { kind: "epochUsed", consumer: level.path, untilMs: null } });
}

/** Stops a running job because of its consumer's use of a column, as far as grants and budgets allow. */
export function stopFor(
  pass: EnforcementPass,
  row: Row,
  { column, cause }: { readonly column: number; readonly cause: EnforcementCause },
): void {
  const verb = verbFor(pass, row.job, column);
  if (verb === undefined) return;
  const isTooMuch = verb === "suspend" && pass.suspendedProcs + row.job.need.cpu > pass.mostSuspendedProcs;
  if (isTooMuch) pass.leftOut.push({ action: { verb, job: row.job.id, cause }, budget: "suspended" });
  else if (isWithinBudget(pass, 1))
    decide(pass, row, { verb, cause }, verb === "suspend" ? "suspended" : "waiting");
  else pass.leftOut.push({ action: { verb, job: row.job.id, cause }, budget: "actions" });
}

/**
 * The verb that stops a job for a limit. Suspension is not limited in number, else the limit would hold for
 * short jobs alone; requeueing is, since it loses work. A suspended job keeps its memory, so for a limit of
 * memory it is never suspended.
 */
function verbFor(
  { granted, site: { rules } }: EnforcementPass,
  { spared, stops }: EnforcedJob,
  column: number,
): StoppingVerb | undefined {
  const may = (way: StoppingVerb): boolean => granted.has(way) && spared?.includes(way) !== true;
  if (column !== memory && may("suspend")) return "suspend";
  return may("requeue") && stops < rules.maxSuspensions ? "requeue" : undefined;
}

function isPassed(pass: EnforcementPass, level: Level, limit: LevelLimit | null, column: number): boolean {
  if (limit === null || limit.node.rule !== "cap") return false;
  return passesShare(historyOf(pass.site.uses, level.path, column, limit.epoch), limit.epoch, pass.nowMs);
}

function cappedAt(pass: EnforcementPass, level: Level): readonly CappedHistory[] {
  const known = pass.caps[level.index];
  if (known !== undefined) return known;
  const its = cappedHistories(pass, level);
  pass.caps[level.index] = its;
  return its;
}

function cappedHistories({ site, nowMs }: EnforcementPass, level: Level): readonly CappedHistory[] {
  return level.limits.flatMap((limit, column) => {
    if (limit === null || limit.node.rule !== "cap") return [];
    const history = historyOf(site.uses, level.path, column, limit.epoch);
    const left = Number(limitOver(limit.epoch, nowMs) - usedOver(history, limit.epoch.window, nowMs));
    const isExact = left <= Number.MAX_SAFE_INTEGER;
    return [{ level, column, history, limit: limit.epoch, left: isExact ? left : Number.POSITIVE_INFINITY }];
  });
}
