/**
 * The processing logic of the source, line by line: [UP] slide 12 (rule PO-17).
 *
 * Kept beside ours so that it can be checked and compared. It counts processors of the uppermost level, lets
 * one job of each consumer go in each turn, looks at no job's width, and flaps at the limit of the epoch.
 * Only grants and budgets hold it back. Where the slide is silent: suspended jobs are released first; under
 * `entitlement` the second loop runs only while somebody else with waiting jobs is below his share.
 */
import { mulDiv } from "../../base/index.ts";
import { type EnforcementCause, type EnforcementVerb, WHOLE_SHARE } from "../../model/index.ts";
import type { ShareNode } from "../share-tree.ts";
import { createUseHistory } from "../use-history.ts";
import { isOverShare, passesAtMs } from "./epoch.ts";
import {
  beginLook,
  decide,
  isWatchOnly,
  isWithinBudget,
  type Look,
  lastBegunFirst,
  lookAgainAt,
  type Row,
} from "./look.ts";
import type { EnforcedSite, EnforcementDecision } from "./view.ts";

/** What the source's loop would do now, in one turn. */
export function enforceLiterally(site: EnforcedSite, nowMs: number): EnforcementDecision {
  const look = beginLook(site, nowMs);
  const consumers = consumersOf(look);
  for (const consumer of consumers) serve(look, consumers, consumer);
  for (const consumer of consumers) suspendOver(look, consumers, consumer);
  if (look.steps.length > 0) lookAgainAt(look, nowMs + TURN_MS);
  return {
    actions: look.steps.flatMap(({ row, verb, cause }) =>
      verb === null ? [] : [{ verb, job: row.job.id, cause }],
    ),
    isWatchOnly: isWatchOnly(site),
    leftOut: look.leftOut,
    wakeAtMs: look.wakeAtMs === Number.POSITIVE_INFINITY ? null : look.wakeAtMs,
    kept: new Map(),
  };
}

/** "Checks continuously the status of jobs" (slide 11). */
const TURN_MS = 1_000;

/** VO i. */
interface Consumer {
  readonly node: ShareNode;
  /** BP and EP, in processors. */
  readonly burst: number;
  readonly share: number;
  /** Its jobs, in order. */
  readonly rows: readonly Row[];
}

function consumersOf({ site, rows }: Look): readonly Consumer[] {
  const nodes = site.shares.nodes.get("cpu");
  const { cpu } = site.capacity;
  const named = [...(nodes?.values() ?? [])].filter(({ policy, parent }) => policy !== null && parent === "");
  return named.map((node) => ({
    node,
    burst: mulDiv(node.burstShare, cpu, WHOLE_SHARE, "down"),
    share: mulDiv(node.epochShare, cpu, WHOLE_SHARE, "down"),
    rows: rows.filter(({ job }) => job.consumer === node.path || job.consumer.startsWith(`${node.path}/`)),
  }));
}

/** Lines 1 to 12. */
function serve(look: Look, consumers: readonly Consumer[], consumer: Consumer): void {
  const next = nextOf(consumer);
  if (next === undefined) return;
  const inUse = usedBy(look.rows);
  const used = usedBy(consumer.rows);
  if (inUse === 0 && used < consumer.burst) {
    release(look, next, { kind: "idleSite" });
  } else if (inUse < look.site.available.cpu && used < consumer.burst) {
    release(look, next, { kind: "freeCapacity" });
  } else if (inUse >= look.site.available.cpu && used < consumer.share) {
    const over = consumers.find(({ rows, share }) => usedBy(rows) > share && lastBegun(rows) !== undefined);
    const victim = over === undefined ? undefined : lastBegun(over.rows);
    const { id, consumer: of } = next.job;
    if (victim !== undefined) suspend(look, victim, { kind: "roomFor", job: id, consumer: of });
    release(look, next, { kind: "contention" });
  }
}

/** Lines 13 to 15. */
function suspendOver(look: Look, consumers: readonly Consumer[], consumer: Consumer): void {
  const { node, rows } = consumer;
  const history = look.site.uses.get("cpu")?.get(node.path)?.all ?? createUseHistory(0);
  const limit = { window: node.window, share: node.epochShare, capacity: look.site.capacity.cpu };
  const running = rows.filter(({ state }) => state === "running");
  const stoppable = running.filter(maySuspend);
  if (!isOverShare(history, limit, look.nowMs)) {
    if (running.length === 0) return;
    const lastWithinMs = passesAtMs({ history, limit, amount: usedBy(running) }, look.nowMs);
    lookAgainAt(look, lastWithinMs === null ? null : lastWithinMs + 1);
    return;
  }
  const isContended = consumers.some(
    (other) => other !== consumer && nextOf(other) !== undefined && usedBy(other.rows) < other.share,
  );
  if (node.rule === "entitlement" && !isContended) return;
  const cause: EnforcementCause = { kind: "epochUsed", consumer: node.path, untilMs: null };
  for (const row of stoppable.sort(lastBegunFirst)) suspend(look, row, cause);
}

function usedBy(rows: readonly Row[]): number {
  return rows.reduce((sum, { job, state }) => sum + (isUsing(state) ? job.need.cpu : 0), 0);
}

function isUsing(state: Row["state"]): boolean {
  return state === "running" || state === "queued";
}

/** The first in order, suspended ones before waiting ones. */
function nextOf({ rows }: Consumer): Row | undefined {
  return rows.find(({ state }) => state === "suspended") ?? rows.find(isWaiting);
}

function isWaiting({ state, step }: Row): boolean {
  return state === "waiting" && step === null;
}

function lastBegun(rows: readonly Row[]): Row | undefined {
  return rows.filter((row) => row.state === "running" && maySuspend(row)).sort(lastBegunFirst)[0];
}

/** Rule PO-63. */
function maySuspend({ job }: Row): boolean {
  return job.spared?.includes("suspend") !== true;
}

function release(look: Look, row: Row, cause: EnforcementCause): void {
  const verb: EnforcementVerb = row.state === "suspended" ? "resume" : "release";
  if (verb === "resume" || look.granted.has("hold")) decide(look, row, { verb, cause }, "queued");
}

function suspend(look: Look, row: Row, cause: EnforcementCause): void {
  if (!look.granted.has("suspend")) return;
  const isOverBudget = look.suspendedProcs + row.job.need.cpu > look.mostSuspendedProcs;
  if (!isOverBudget && isWithinBudget(look, 1)) {
    decide(look, row, { verb: "suspend", cause }, "suspended");
    return;
  }
  const action = { verb: "suspend" as const, job: row.job.id, cause };
  look.leftOut.push({ action, budget: isOverBudget ? "suspended" : "actions" });
}
