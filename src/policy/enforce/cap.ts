/**
 * What `cap` forbids: letting go (rule PO-9), and going on (rule PO-14).
 *
 * Source: the second loop of [UP] slide 12. Departs from it: a job runs its minimum time, so a level is not
 * let go what it would have to give up at once; and it is not stopped at its share, only over it.
 */
import type { EnforcementCause, EnforcementVerb } from "../../model/index.ts";
import {
  type CappedUse,
  hasReached,
  historyOf,
  lastsAgainAtMs,
  lastsFor,
  passesAtMs,
  passesShare,
} from "./epoch.ts";
import type { Level, LevelLimit } from "./levels.ts";
import {
  type CappedHistory,
  decide,
  isWithinBudget,
  type Look,
  lastBegunFirst,
  lookAgainAt,
  type Row,
  restMs,
} from "./look.ts";
import { usedBy } from "./occupancy.ts";
import { SITE_RESOURCES } from "./view.ts";

const memory = SITE_RESOURCES.indexOf("memory");

/** A level that has used its share, of a column. */
export interface UsedUp {
  readonly level: Level;
  readonly cause: Extract<EnforcementCause, { kind: "epochUsed" }>;
}

/** The uppermost capped level that a candidate would bring to its share too soon; undefined where none. */
export function cappedFor(look: Look, row: Row, wanted: readonly number[]): UsedUp | undefined {
  const forMs = Math.min(look.site.rules.minRunMs, restMs(row.job, look.nowMs));
  for (const { level, column, use } of cappedUses(look, row.level)) {
    if (row.need[column] === 0) continue;
    const more = use.amount + wanted[column];
    if (lastsFor({ ...use, amount: more }, { nowMs: look.nowMs, forMs })) continue;
    const untilMs = againAtMs(look, { level, column, use }, { forMs, more });
    lookAgainAt(look, untilMs);
    return { level, cause: { kind: "epochUsed", consumer: level.path, untilMs } };
  }
  return undefined;
}

/** When so much more can be let go; each pass asks the same again. */
function againAtMs(
  look: Look,
  { level, column, use }: CappedLevel,
  { forMs, more }: { readonly forMs: number; readonly more: number },
): number | null {
  const key = `${level.index} ${column} ${use.amount} ${more} ${forMs}`;
  const known = look.lastsAgain.get(key);
  if (known !== undefined) return known;
  const atMs = lastsAgainAtMs(use, { nowMs: look.nowMs, forMs, more });
  look.lastsAgain.set(key, atMs);
  return atMs;
}

/** The uppermost capped level of a queued job that has reached its share; undefined where none has. */
export function reachedBy(look: Look, row: Row): UsedUp | undefined {
  for (const { level, column, use } of cappedUses(look, row.level)) {
    if (row.need[column] === 0 || !hasReached(use.history, use.limit, look.nowMs)) continue;
    return { level, cause: { kind: "epochUsed", consumer: level.path, untilMs: null } };
  }
  return undefined;
}

/** Stops what runs of levels that are over their share under `cap`; gives whether anything was stopped. */
export function stopCapped(look: Look): boolean {
  const over = look.levels.list.flatMap((level) =>
    level.limits.flatMap((limit, column) =>
      isPassed(look, level, limit, column) ? [{ level, column }] : [],
    ),
  );
  if (over.length === 0) return false;
  const before = look.counted;
  const running = look.rows
    .filter(({ state, wasGivenBack }) => state === "running" && !wasGivenBack)
    .sort(lastBegunFirst);
  for (const row of running) {
    const { line } = look.levels.list[row.level];
    const by = over.find(({ level, column }) => line.includes(level.index) && row.need[column] > 0);
    if (by !== undefined) stopOne(look, row, by);
  }
  return look.counted > before;
}

/** Looks again when a capped level that uses something will be over its share. */
export function watchCaps(look: Look): void {
  for (const level of look.levels.list) {
    for (const { use } of cappedUsesOf(look, level)) {
      if (use.amount > 0) lookAgainAt(look, passesAtMs(use, look.nowMs));
    }
  }
}

interface LevelColumn {
  readonly level: Level;
  readonly column: number;
}

function stopOne(look: Look, row: Row, { level, column }: LevelColumn): void {
  const { rules } = look.site;
  const { begunAtMs, stops } = row.job;
  if (stops >= rules.maxSuspensions) return;
  if (begunAtMs !== null && look.nowMs - begunAtMs < rules.minRunMs) {
    lookAgainAt(look, begunAtMs + rules.minRunMs);
    return;
  }
  const cause: EnforcementCause = { kind: "epochUsed", consumer: level.path, untilMs: null };
  const verb = verbFor(look, column);
  if (verb === undefined) return;
  const isTooMuch = verb === "suspend" && look.suspendedProcs + row.job.need.cpu > look.mostSuspendedProcs;
  if (isTooMuch) look.leftOut.push({ action: { verb, job: row.job.id, cause }, budget: "suspended" });
  else if (isWithinBudget(look, 1))
    decide(look, row, { verb, cause }, verb === "suspend" ? "suspended" : "waiting");
  else look.leftOut.push({ action: { verb, job: row.job.id, cause }, budget: "actions" });
}

/** A suspended job keeps its memory: of memory it would go on using its part. */
function verbFor(
  { granted }: Look,
  column: number,
): Extract<EnforcementVerb, "suspend" | "requeue"> | undefined {
  if (granted.has("suspend") && column !== memory) return "suspend";
  return granted.has("requeue") ? "requeue" : undefined;
}

function isPassed(look: Look, level: Level, limit: LevelLimit | null, column: number): boolean {
  if (limit === null || limit.node.rule !== "cap") return false;
  return passesShare(historyOf(look.site.uses, level.path, column, limit.epoch), limit.epoch, look.nowMs);
}

type CappedLevel = LevelColumn & { readonly use: CappedUse };

/** The uses of the levels of a line that are capped, from the top down. */
function cappedUses(look: Look, of: number): readonly CappedLevel[] {
  const { list, hasCap } = look.levels;
  return hasCap ? list[of].line.flatMap((index) => cappedUsesOf(look, list[index])) : [];
}

function cappedUsesOf(look: Look, level: Level): readonly CappedLevel[] {
  look.caps[level.index] ??= cappedHistories(look, level);
  return (look.caps[level.index] ?? []).map(({ column, history, limit }) => {
    return { level, column, use: { history, limit, amount: usedBy(look.now, level.index, column) } };
  });
}

function cappedHistories({ site }: Look, level: Level): readonly CappedHistory[] {
  return level.limits.flatMap((limit, column) => {
    if (limit === null || limit.node.rule !== "cap") return [];
    return [
      { level, column, history: historyOf(site.uses, level.path, column, limit.epoch), limit: limit.epoch },
    ];
  });
}
