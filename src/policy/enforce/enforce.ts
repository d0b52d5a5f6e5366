/**
 * What an enforcer at a site does now: whom it lets go, stops and brings back, and why (PO-8 … PO-16).
 *
 * Source: the processing logic of [UP] slide 12, in terms of what jobs need; `enforce-literally` is that
 * logic line by line. Pure: a site and an instant go in, a list of actions comes out.
 * Cost: O(jobs · depth · log consumers), and for each claim a walk over what runs. Budget: bench/enforcement.
 */
import type { EnforcementAction, EnforcementCause } from "../../model/index.ts";
import { stopOverBurst } from "./burst.ts";
import { reachedBy, stopCapped, watchCaps } from "./cap.ts";
import { enforceLiterally } from "./enforce-literally.ts";
import type { Levels } from "./levels.ts";
import {
  beginLook,
  decide,
  isCandidate,
  isWatchOnly,
  isWithinBudget,
  type Look,
  moveTo,
  type Row,
} from "./look.ts";
import { planRoom, stoppableOf, stopVictim } from "./make-room.ts";
import { fits, leavesKept, overBurst } from "./occupancy.ts";
import { pass } from "./pass.ts";
import type { EnforcedSite, EnforcementDecision } from "./view.ts";

/**
 * What is to be done at a site now, by the form that its rules name.
 *
 * @param known who is entitled to what, where the caller has kept it; else it is worked out of the jobs
 */
export function enforce(site: EnforcedSite, nowMs: number, known?: Levels): EnforcementDecision {
  return site.rules.form === "literal" ? enforceLiterally(site, nowMs) : enforceByNeed(site, nowMs, known);
}

function enforceByNeed(site: EnforcedSite, nowMs: number, known: Levels | undefined): EnforcementDecision {
  const look = beginLook(site, nowMs, known);
  stopCapped(look);
  look.leftOut = [];
  if (look.granted.has("hold")) holdBack(look);
  const notHeld = look.leftOut;
  stopOverBurst(look);
  look.leftOut = notHeld;
  claimAgain(look);
  const leftOutSoFar = look.leftOut;
  do {
    look.leftOut = [...leftOutSoFar];
    // What comes back makes room in the budget for others to be stopped.
  } while (pass(look) || stopCapped(look) || stopOverBurst(look));
  if (look.granted.has("priority") && !look.granted.has("hold")) lower(look);
  watchCaps(look);
  let kept: EnforcementDecision["kept"] | undefined;
  return {
    actions: actionsOf(look),
    isWatchOnly: isWatchOnly(site),
    leftOut: look.leftOut,
    wakeAtMs: look.wakeAtMs === Number.POSITIVE_INFINITY ? null : look.wakeAtMs,
    // Seldom asked for, and as long as the queue.
    get kept() {
      kept ??= keptIn(look.rows);
      return kept;
    },
  };
}

const OTHERS_FIRST: EnforcementCause = { kind: "notYet", for: null };

/** Holds the queued jobs that may no longer start: as if they came one after the other. */
function holdBack(look: Look): void {
  const queued = look.rows.filter(({ state, job }) => state === "queued" && job.begunAtMs === null);
  for (const row of queued) moveTo(look, row, "waiting");
  for (const row of queued) {
    const cause = causeToHold(look, row);
    if (cause === undefined) moveTo(look, row, "queued");
    else if (isWithinBudget(look, 1)) decide(look, row, { verb: "hold", cause }, "waiting");
    else {
      look.leftOut.push({ action: { verb: "hold", job: row.job.id, cause }, budget: "actions" });
      moveTo(look, row, "queued");
    }
  }
}

function causeToHold(look: Look, row: Row): EnforcementCause | undefined {
  const over = overBurst(look.now, row.level, row.need);
  if (over !== undefined) return { kind: "burst", consumer: over.path };
  const used = reachedBy(look, row);
  if (used !== undefined) return used.cause;
  const mayStay = row.job.isJustLetIn === true ? leavesKept : fits;
  return mayStay(look.now, row.level, row.need) ? undefined : OTHERS_FIRST;
}

/** Makes room for who was let in a moment ago, where what was to make it was not done. */
function claimAgain(look: Look): void {
  if (!look.granted.has("hold")) return;
  const letIn = look.rows.filter(({ state, job }) => state === "queued" && job.isJustLetIn === true);
  for (const row of letIn) {
    moveTo(look, row, "waiting");
    const plan = fits(look.now, row.level, row.need) ? undefined : planRoom(look, row, stoppableOf(look));
    if (plan?.outOf === null) for (const victim of plan.victims) stopVictim(look, row, victim);
    moveTo(look, row, "queued");
  }
}

/** Lowers those whom burst or cap refuse, where they cannot be held. */
function lower(look: Look): void {
  for (const row of look.refused) {
    const { cause, job } = row;
    if (cause === null || !isKept(row) || job.state === "suspended" || job.nudged === "lowered") continue;
    if (isWithinBudget(look, 1)) decide(look, row, { verb: "lower", cause }, row.state);
    else look.leftOut.push({ action: { verb: "lower", job: job.id, cause }, budget: "actions" });
  }
}

function keptIn(rows: readonly Row[]): EnforcementDecision["kept"] {
  const kept = new Map<string, EnforcementCause>();
  for (const row of rows) if (isKept(row)) kept.set(row.job.id, row.cause ?? OTHERS_FIRST);
  return kept;
}

/** Whether a job could go on and does not, and had not gone on before. */
function isKept(row: Row): boolean {
  return isCandidate(row) && row.job.state !== "running";
}

function actionsOf({ steps }: Look): readonly EnforcementAction[] {
  const actions: EnforcementAction[] = [];
  for (const { row, verb, cause, isUndone } of steps) {
    if (!isUndone && verb !== null) actions.push({ verb, job: row.job.id, cause });
  }
  return actions;
}
