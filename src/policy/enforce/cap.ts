/**
 * What `cap` forbids: letting go (rule PO-9), and going on (rule PO-14).
 *
 * Source: the second loop of [UP] slide 12. Departs from it: a job runs its minimum time, so a level is not
 * let go what it would have to give up at once; and it is not stopped at its share, only over it.
 */
import type { EnforcementCause } from "../../model/index.ts";
import { limitOver, usedOver } from "../use-history.ts";
import { hasReached, historyOf, lastsAgainAtMs, lastsFor, passesAtMs, passesShare } from "./epoch.ts";
import type { Level, LevelLimit } from "./levels.ts";
import {
  type CappedHistory,
  decide,
  isWithinBudget,
  type LevelColumn,
  type Look,
  lastBegunFirst,
  lookAgainAt,
  type OverCaps,
  type Row,
  restMs,
} from "./look.ts";
import { usedBy } from "./occupancy.ts";
import { type EnforcedJob, SITE_RESOURCES, type StoppingVerb } from "./view.ts";

const memory = SITE_RESOURCES.indexOf("memory");

/** A level that has used its share, of a column. */
export interface UsedUp {
  readonly level: Level;
  readonly cause: Extract<EnforcementCause, { kind: "epochUsed" }>;
}

/** The uppermost capped level that a candidate would bring to its share too soon; undefined where none. */
export function cappedFor(look: Look, row: Row, wanted: readonly number[]): UsedUp | undefined {
  const { list, hasCap } = look.levels;
  if (!hasCap) return undefined;
  const forMs = Math.min(look.site.rules.minRunMs, restMs(row.job, look.nowMs));
  const { line } = list[row.level];
  for (let i = 0; i < line.length; i++) {
    for (const capped of cappedAt(look, list[line[i]])) {
      const { level, column } = capped;
      if (row.need[column] === 0) continue;
      const amount = usedBy(look.now, level.index, column);
      const more = amount + wanted[column];
      if (lasts(capped, { amount: more, nowMs: look.nowMs, forMs })) continue;
      const untilMs = againAtMs(look, capped, { forMs, more, amount });
      lookAgainAt(look, untilMs);
      return { level, cause: { kind: "epochUsed", consumer: level.path, untilMs } };
    }
  }
  return undefined;
}

/** {@link lastsFor}, of which the plain case is told by what is left. */
function lasts(
  { history, limit, left }: CappedHistory,
  { amount, nowMs, forMs }: { readonly amount: number; readonly nowMs: number; readonly forMs: number },
): boolean {
  if (left <= 0) return false;
  const used = amount * forMs;
  if (limit.window.kind === "sliding" && used < left && used <= Number.MAX_SAFE_INTEGER) return true;
  return lastsFor({ history, limit, amount }, { nowMs, forMs });
}

/** When so much more can be let go; each pass asks the same again. */
function againAtMs(
  look: Look,
  { level, column, history, limit }: CappedHistory,
  { forMs, more, amount }: { readonly forMs: number; readonly more: number; readonly amount: number },
): number | null {
  const key = `${level.index} ${column} ${amount} ${more} ${forMs}`;
  const known = look.lastsAgain.get(key);
  if (known !== undefined) return known;
  const atMs = lastsAgainAtMs({ history, limit, amount }, { nowMs: look.nowMs, forMs, more });
  look.lastsAgain.set(key, atMs);
  return atMs;
}

/** The uppermost capped level of a queued job that has reached its share; undefined where none has. */
export function reachedBy(look: Look, row: Row): UsedUp | undefined {
  const { list, hasCap } = look.levels;
  if (!hasCap) return undefined;
  for (const index of list[row.level].line) {
    for (const { level, column, history, limit } of cappedAt(look, list[index])) {
      if (row.need[column] === 0 || !hasReached(history, limit, look.nowMs)) continue;
      return { level, cause: { kind: "epochUsed", consumer: level.path, untilMs: null } };
    }
  }
  return undefined;
}

/** Stops what runs of levels that are over their share under `cap`; gives whether anything was stopped. */
export function stopCapped(look: Look): boolean {
  if (!look.levels.hasCap) return false;
  look.overCaps ??= { all: overCapsOf(look), byLevel: new Map() };
  if (look.overCaps.all.length === 0) return false;
  const before = look.counted;
  const running = look.rows
    .filter(({ state, wasGivenBack }) => state === "running" && !wasGivenBack)
    .sort(lastBegunFirst);
  for (const row of running) {
    const by = overFor(look, look.overCaps, row.level).find(({ column }) => row.need[column] > 0);
    if (by !== undefined) stopOne(look, row, by);
  }
  return look.counted > before;
}

/** What was used does not change in the course of a look. */
function overCapsOf(look: Look): readonly LevelColumn[] {
  return look.levels.list.flatMap((level) =>
    level.limits.flatMap((limit, column) =>
      isPassed(look, level, limit, column) ? [{ level, column }] : [],
    ),
  );
}

function overFor(look: Look, { all, byLevel }: OverCaps, of: number): readonly LevelColumn[] {
  const known = byLevel.get(of);
  if (known !== undefined) return known;
  const { line } = look.levels.list[of];
  const its = all.filter(({ level }) => line.includes(level.index));
  byLevel.set(of, its);
  return its;
}

/** Looks again when a capped level that uses something will be over its share. */
export function watchCaps(look: Look): void {
  if (!look.levels.hasCap) return;
  for (const level of look.levels.list) {
    for (const { column, history, limit } of cappedAt(look, level)) {
      const amount = usedBy(look.now, level.index, column);
      // Who is over and could not be stopped stays so until something happens, or a minimum run time ends.
      if (amount === 0 || passesShare(history, limit, look.nowMs)) continue;
      lookAgainAt(look, passesAtMs({ history, limit, amount }, look.nowMs));
    }
  }
}

function stopOne(look: Look, row: Row, { level, column }: LevelColumn): void {
  const { rules } = look.site;
  const { begunAtMs } = row.job;
  if (begunAtMs !== null && look.nowMs - begunAtMs < rules.minRunMs) {
    lookAgainAt(look, begunAtMs + rules.minRunMs);
    return;
  }
  stopFor(look, row, { column, cause: { kind: "epochUsed", consumer: level.path, untilMs: null } });
}

/** Stops a job that runs for what its consumer uses of a column, as far as grants and budgets allow. */
export function stopFor(
  look: Look,
  row: Row,
  { column, cause }: { readonly column: number; readonly cause: EnforcementCause },
): void {
  const verb = verbFor(look, row.job, column);
  if (verb === undefined) return;
  const isTooMuch = verb === "suspend" && look.suspendedProcs + row.job.need.cpu > look.mostSuspendedProcs;
  if (isTooMuch) look.leftOut.push({ action: { verb, job: row.job.id, cause }, budget: "suspended" });
  else if (isWithinBudget(look, 1))
    decide(look, row, { verb, cause }, verb === "suspend" ? "suspended" : "waiting");
  else look.leftOut.push({ action: { verb, job: row.job.id, cause }, budget: "actions" });
}

/**
 * However often a job was stopped, it is suspended again: else the limit would hold for short jobs alone. It
 * is not requeued again, since it would lose its work for ever. A suspended job keeps its memory: of memory
 * it would go on using its part.
 */
function verbFor(
  { granted, site: { rules } }: Look,
  { spared, stops }: EnforcedJob,
  column: number,
): StoppingVerb | undefined {
  const may = (way: StoppingVerb): boolean => granted.has(way) && spared?.includes(way) !== true;
  if (column !== memory && may("suspend")) return "suspend";
  return may("requeue") && stops < rules.maxSuspensions ? "requeue" : undefined;
}

function isPassed(look: Look, level: Level, limit: LevelLimit | null, column: number): boolean {
  if (limit === null || limit.node.rule !== "cap") return false;
  return passesShare(historyOf(look.site.uses, level.path, column, limit.epoch), limit.epoch, look.nowMs);
}

/** What of a level is capped. */
function cappedAt(look: Look, level: Level): readonly CappedHistory[] {
  const known = look.caps[level.index];
  if (known !== undefined) return known;
  const its = cappedHistories(look, level);
  look.caps[level.index] = its;
  return its;
}

function cappedHistories({ site, nowMs }: Look, level: Level): readonly CappedHistory[] {
  return level.limits.flatMap((limit, column) => {
    if (limit === null || limit.node.rule !== "cap") return [];
    const history = historyOf(site.uses, level.path, column, limit.epoch);
    const left = Number(limitOver(limit.epoch, nowMs) - usedOver(history, limit.epoch.window, nowMs));
    const isExact = left <= Number.MAX_SAFE_INTEGER;
    return [{ level, column, history, limit: limit.epoch, left: isExact ? left : Number.POSITIVE_INFINITY }];
  });
}
