/**
 * The processing logic of the source, line by line: [UP] slide 12, the form `literal`.
 *
 * Beside ours for comparison. It counts processors of the uppermost level, for each consumer in the order of
 * the policies: (1) nothing in use by anybody and BA < BP: release one job; (2) less than the total in use
 * and BA < BP: release one; (3) all in use and BA < EP: suspend one job of a consumer with BA > EP, and
 * release one. Then for each consumer with EA > EP: suspend its jobs. It ignores the widths of jobs, and
 * oscillates at the limit of the epoch; only grants and budgets bound it. Where the slide leaves it open:
 * suspended jobs are released first; under `entitlement` the second loop runs only while another consumer
 * with waiting jobs is below its share.
 */
import { mulDiv } from "../../base/index.ts";
import { type EnforcementCause, type EnforcementVerb, WHOLE_SHARE } from "../../model/index.ts";
import type { ShareNode } from "../share-tree.ts";
import { createUseHistory } from "../use-history.ts";
import type { EnforcedSite, EnforcementDecision } from "./enforced-site.ts";
import {
  beginPass,
  decide,
  type EnforcementPass,
  isWatchOnly,
  isWithinBudget,
  lastBegunFirst,
  passAgainAt,
  type Row,
} from "./enforcement-pass.ts";
import { isOverShare, passesAtMs } from "./epoch.ts";

/** Actions of the source's loop, one turn. */
export function enforceLiterally(site: EnforcedSite, nowMs: number): EnforcementDecision {
  const pass = beginPass(site, nowMs);
  const consumers = consumersOf(pass);
  for (const consumer of consumers) serve(pass, consumers, consumer);
  for (const consumer of consumers) suspendOver(pass, consumers, consumer);
  if (pass.steps.length > 0) passAgainAt(pass, nowMs + TURN_MS);
  return {
    actions: pass.steps.flatMap(({ row, verb, cause }) =>
      verb === null ? [] : [{ verb, job: row.job.id, cause }],
    ),
    isWatchOnly: isWatchOnly(site),
    leftOut: pass.leftOut,
    wakeAtMs: pass.wakeAtMs === Number.POSITIVE_INFINITY ? null : pass.wakeAtMs,
    kept: new Map(),
  };
}

/** The source "checks continuously the status of jobs" (slide 11). */
const TURN_MS = 1_000;

/** VO i of the source. */
interface Consumer {
  readonly node: ShareNode;
  /** BP and EP, in processors. */
  readonly burst: number;
  readonly share: number;
  /** Jobs of the consumer, in order. */
  readonly rows: readonly Row[];
}

function consumersOf({ site, rows }: EnforcementPass): readonly Consumer[] {
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

/** Lines 1 to 12 of the slide. */
function serve(pass: EnforcementPass, consumers: readonly Consumer[], consumer: Consumer): void {
  const next = nextOf(consumer);
  if (next === undefined) return;
  const inUse = usedBy(pass.rows);
  const used = usedBy(consumer.rows);
  if (inUse === 0 && used < consumer.burst) {
    release(pass, next, { kind: "idleSite" });
  } else if (inUse < pass.site.available.cpu && used < consumer.burst) {
    release(pass, next, { kind: "freeCapacity" });
  } else if (inUse >= pass.site.available.cpu && used < consumer.share) {
    const over = consumers.find(({ rows, share }) => usedBy(rows) > share && lastBegun(rows) !== undefined);
    const victim = over === undefined ? undefined : lastBegun(over.rows);
    const { id, consumer: of } = next.job;
    if (victim !== undefined) suspend(pass, victim, { kind: "roomFor", job: id, consumer: of });
    release(pass, next, { kind: "contention" });
  }
}

/** Lines 13 to 15 of the slide. */
function suspendOver(pass: EnforcementPass, consumers: readonly Consumer[], consumer: Consumer): void {
  const { node, rows } = consumer;
  const history = pass.site.uses.get("cpu")?.get(node.path)?.all ?? createUseHistory(0);
  const limit = { window: node.window, share: node.epochShare, capacity: pass.site.capacity.cpu };
  const running = rows.filter(({ state }) => state === "running");
  const stoppable = running.filter(maySuspend);
  if (!isOverShare(history, limit, pass.nowMs)) {
    if (running.length === 0) return;
    const lastWithinMs = passesAtMs({ history, limit, amount: usedBy(running) }, pass.nowMs);
    passAgainAt(pass, lastWithinMs === null ? null : lastWithinMs + 1);
    return;
  }
  const isContended = consumers.some(
    (other) => other !== consumer && nextOf(other) !== undefined && usedBy(other.rows) < other.share,
  );
  if (node.rule === "entitlement" && !isContended) return;
  const cause: EnforcementCause = { kind: "epochUsed", consumer: node.path, untilMs: null };
  for (const row of stoppable.sort(lastBegunFirst)) suspend(pass, row, cause);
}

function usedBy(rows: readonly Row[]): number {
  return rows.reduce((sum, { job, state }) => sum + (isUsing(state) ? job.need.cpu : 0), 0);
}

function isUsing(state: Row["state"]): boolean {
  return state === "running" || state === "queued";
}

/** The first job in order, suspended ones before waiting ones. */
function nextOf({ rows }: Consumer): Row | undefined {
  return rows.find(({ state }) => state === "suspended") ?? rows.find(isWaiting);
}

function isWaiting({ state, step }: Row): boolean {
  return state === "waiting" && step === null;
}

function lastBegun(rows: readonly Row[]): Row | undefined {
  return rows.filter((row) => row.state === "running" && maySuspend(row)).sort(lastBegunFirst)[0];
}

/** False where the site has refused to suspend the job. */
function maySuspend({ job }: Row): boolean {
  return job.spared?.includes("suspend") !== true;
}

function release(pass: EnforcementPass, row: Row, cause: EnforcementCause): void {
  const verb: EnforcementVerb = row.state === "suspended" ? "resume" : "release";
  if (verb === "resume" || pass.granted.has("hold")) decide(pass, row, { verb, cause }, "queued");
}

function suspend(pass: EnforcementPass, row: Row, cause: EnforcementCause): void {
  if (!pass.granted.has("suspend")) return;
  const isOverBudget = pass.suspendedProcs + row.job.need.cpu > pass.mostSuspendedProcs;
  if (!isOverBudget && isWithinBudget(pass, 1)) {
    decide(pass, row, { verb: "suspend", cause }, "suspended");
    return;
  }
  const action = { verb: "suspend" as const, job: row.job.id, cause };
  pass.leftOut.push({ action, budget: isOverBudget ? "suspended" : "actions" });
}
