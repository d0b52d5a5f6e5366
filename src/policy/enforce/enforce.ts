/**
 * Enforcement at a site (S-PEP): which jobs to release, hold, stop and resume, and why (rules PO-8 to PO-16).
 *
 * Source: the processing logic of [UP] slide 12, by amounts that jobs need; `enforce-literally` is that logic
 * line by line. Pure: a function of a site and an instant to a list of actions.
 * Cost: O(jobs · depth · log consumers), and for each claim a scan of the running jobs. Budget:
 * bench/enforcement.
 */
import type { EnforcementAction, EnforcementCause } from "../../model/index.ts";
import { reachedBy, scheduleCapPass, stopCapped, stopFor } from "./cap.ts";
import { enforceLiterally } from "./enforce-literally.ts";
import type { EnforcedSite, EnforcementDecision } from "./enforced-site.ts";
import {
  beginPass,
  decide,
  type EnforcementPass,
  isCandidate,
  isWatchOnly,
  isWithinBudget,
  lastBegunFirst,
  moveTo,
  type Row,
} from "./enforcement-pass.ts";
import type { Levels } from "./levels.ts";
import { fits, leavesKept, overBurst } from "./occupancy.ts";
import { runRound } from "./round.ts";
import { planVictims, stoppableOf, stopVictim } from "./victims.ts";

/**
 * Actions at a site now, by the form that its rules name.
 *
 * @param known levels and entitlements, where the caller has them; else they are computed from the jobs
 */
export function enforce(site: EnforcedSite, nowMs: number, known?: Levels): EnforcementDecision {
  return site.rules.form === "literal" ? enforceLiterally(site, nowMs) : enforceByNeed(site, nowMs, known);
}

function enforceByNeed(site: EnforcedSite, nowMs: number, known: Levels | undefined): EnforcementDecision {
  const pass = beginPass(site, nowMs, known);
  stopCapped(pass);
  pass.leftOut = [];
  if (pass.granted.has("hold")) holdBack(pass);
  const notHeld = pass.leftOut;
  stopOverBurst(pass);
  pass.leftOut = notHeld;
  reclaimCapacity(pass);
  const leftOutSoFar = pass.leftOut;
  do {
    pass.leftOut = [...leftOutSoFar];
    // Resuming jobs frees budget for suspending others.
  } while (runRound(pass) || stopCapped(pass) || stopOverBurst(pass));
  if (pass.granted.has("priority") && !pass.granted.has("hold")) lower(pass);
  scheduleCapPass(pass);
  let kept: EnforcementDecision["kept"] | undefined;
  return {
    actions: actionsOf(pass),
    isWatchOnly: isWatchOnly(site),
    leftOut: pass.leftOut,
    wakeAtMs: pass.wakeAtMs === Number.POSITIVE_INFINITY ? null : pass.wakeAtMs,
    // Rarely used, and as long as the queue.
    get kept() {
      kept ??= keptIn(pass.rows);
      return kept;
    },
  };
}

const OTHERS_FIRST: EnforcementCause = { kind: "notYet", for: null };

/** Holds queued jobs that may no longer start, testing them one after the other. */
function holdBack(pass: EnforcementPass): void {
  const queued = pass.rows.filter(({ state, job }) => state === "queued" && job.begunAtMs === null);
  for (const row of queued) moveTo(pass, row, "waiting");
  for (const row of queued) {
    const cause = causeToHold(pass, row);
    if (cause === undefined) moveTo(pass, row, "queued");
    else if (isWithinBudget(pass, 1)) decide(pass, row, { verb: "hold", cause }, "waiting");
    else {
      pass.leftOut.push({ action: { verb: "hold", job: row.job.id, cause }, budget: "actions" });
      moveTo(pass, row, "queued");
    }
  }
}

function causeToHold(pass: EnforcementPass, row: Row): EnforcementCause | undefined {
  const over = overBurst(pass.now, row.level, row.need);
  if (over !== undefined) return { kind: "burst", consumer: over.path };
  const used = reachedBy(pass, row);
  if (used !== undefined) return used.cause;
  const mayStay = row.job.isJustLetIn === true ? leavesKept : fits;
  return mayStay(pass.now, row.level, row.need) ? undefined : OTHERS_FIRST;
}

/** Frees capacity for jobs that were let into the queue just before, where other jobs took it meanwhile. */
function reclaimCapacity(pass: EnforcementPass): void {
  if (!pass.granted.has("hold")) return;
  const letIn = pass.rows.filter(({ state, job }) => state === "queued" && job.isJustLetIn === true);
  for (const row of letIn) {
    moveTo(pass, row, "waiting");
    const plan = fits(pass.now, row.level, row.need) ? undefined : planVictims(pass, row, stoppableOf(pass));
    if (plan?.outOf === null) for (const victim of plan.victims) stopVictim(pass, row, victim);
    moveTo(pass, row, "queued");
  }
}

/** Lowers the priority of jobs that burst or cap refuse, where they cannot be held. */
function lower(pass: EnforcementPass): void {
  for (const row of pass.refused) {
    const { cause, job } = row;
    if (cause === null || !isKept(row) || job.state === "suspended" || job.nudged === "lowered") continue;
    if (isWithinBudget(pass, 1)) decide(pass, row, { verb: "lower", cause }, row.state);
    else pass.leftOut.push({ action: { verb: "lower", job: job.id, cause }, budget: "actions" });
  }
}

function keptIn(rows: readonly Row[]): EnforcementDecision["kept"] {
  const kept = new Map<string, EnforcementCause>();
  for (const row of rows) if (isKept(row)) kept.set(row.job.id, row.cause ?? OTHERS_FIRST);
  return kept;
}

/** True for a job that could continue but does not, and had not continued before. */
function isKept(row: Row): boolean {
  return isCandidate(row) && row.job.state !== "running";
}

function actionsOf({ steps }: EnforcementPass): readonly EnforcementAction[] {
  const actions: EnforcementAction[] = [];
  for (const { row, verb, cause, isUndone } of steps) {
    if (!isUndone && verb !== null) actions.push({ verb, job: row.job.id, cause });
  }
  return actions;
}

/**
 * Stops running jobs of levels over their bursts, the last begun first, as far as granted; returns whether it
 * stopped any.
 *
 * A burst holds at every instant, so jobs that began without the enforcer (at a site that is polled), or
 * before a limit was lowered, are stopped at the next pass, however short they have run. A job wider than its
 * burst is left alone: it could never resume.
 */
function stopOverBurst(pass: EnforcementPass): boolean {
  if (!isAnyOver(pass)) return false;
  const before = pass.steps.length;
  const running = pass.rows
    .filter(({ state, isPossible }) => state === "running" && isPossible)
    .sort(lastBegunFirst);
  for (const row of running) {
    const over = overFor(pass, row);
    if (over === undefined) continue;
    const cause: EnforcementCause = { kind: "burst", consumer: pass.levels.list[over.level].path };
    stopFor(pass, row, { column: over.column, cause });
  }
  return pass.steps.length > before;
}

function isAnyOver({ now: { inUse }, levels: { bursts } }: EnforcementPass): boolean {
  return bursts.some((burst, at) => inUse[at] > burst);
}

/** The uppermost level of a job that is over its burst of a resource that the job occupies. */
function overFor(
  { now: { inUse }, levels: { list, bursts } }: EnforcementPass,
  { level, need }: Row,
): { readonly level: number; readonly column: number } | undefined {
  for (const index of list[level].line) {
    const column = need.findIndex((amount, at) => {
      const place = index * need.length + at;
      return amount > 0 && inUse[place] > bursts[place];
    });
    if (column >= 0) return { level: index, column };
  }
  return undefined;
}
