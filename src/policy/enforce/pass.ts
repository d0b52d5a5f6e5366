/**
 * One pass over the candidates of a look: each is let go, or it is found out why not (PO-8 … PO-12).
 */
import type { EnforcementCause } from "../../model/index.ts";
import { cappedFor } from "./cap.ts";
import { countThen, emptied, type KeptRoom, keepRoom, leavesRoom } from "./kept-room.ts";
import { decide, isCandidate, type Look, type Row, restMs, undo, wantedBy } from "./look.ts";
import {
  planRoom,
  type RoomPlan,
  returned,
  type Stoppable,
  stoppableOf,
  stopVictim,
  type Victim,
} from "./make-room.ts";
import { fits, type Occupancy, overBurst } from "./occupancy.ts";
import { closedBy, closeLevel, nextCandidate, type Order, orderOf, passOver, reorder } from "./order.ts";

/** A pass under way. */
interface Pass {
  readonly look: Look;
  readonly order: Order;
  hasLetGo: boolean;
  room: KeptRoom | undefined;
  /** Found when they are first asked for. */
  stoppable: Stoppable | undefined;
  emptied: Occupancy | undefined;
  /** The levels of those who were stopped for the last candidate. */
  readonly stopped: number[];
  /** Those who were stopped in this pass. */
  readonly victims: Row[];
  /** By level, what claims were made in vain for, as long as nothing has changed that may help. */
  readonly inVain: Map<number, (readonly number[])[]>;
  /** What was free before the last candidate was judged, by column. */
  readonly freeBefore: number[];
  /** Why whoever would take of the room that is kept is not let go; made once for all of them. */
  notYet: EnforcementCause | undefined;
}

/** Makes a pass; gives whether anything was let go. */
export function pass(look: Look): boolean {
  const under: Pass = {
    look,
    order: orderOf(look),
    hasLetGo: false,
    room: undefined,
    stoppable: undefined,
    emptied: undefined,
    stopped: [],
    victims: [],
    inVain: new Map(),
    freeBefore: [],
    notYet: undefined,
  };
  look.moves++;
  look.refused.clear();
  for (let row = nextCandidate(under.order); row !== undefined; row = nextCandidate(under.order))
    judge(under, row);
  sayClosed(under);
  return under.hasLetGo;
}

/** Whom no more than a closed level keeps. */
function sayClosed({ look, order, victims }: Pass): void {
  for (const { index } of look.levels.list) {
    const cause = closedBy(order, index);
    if (cause === undefined) continue;
    for (const row of order.queues[index].own) if (row.cause === null && isCandidate(row)) row.cause = cause;
  }
  for (const row of victims) {
    if (row.cause === null && isCandidate(row)) row.cause = closedBy(order, row.level) ?? null;
  }
}

function judge(under: Pass, row: Row): void {
  const { look, order } = under;
  if (isAsBefore(under, row)) {
    row.cause = under.notYet ?? null;
    passOver(order, row);
    return;
  }
  const wanted = wantedBy(row);
  const burst = overBurst(look.now, row.level, wanted);
  if (burst !== undefined) {
    look.refused.add(row);
    closeLevel(order, row, { level: burst.index, cause: { kind: "burst", consumer: burst.path } });
    return;
  }
  const capped = cappedFor(look, row, wanted);
  if (capped !== undefined) {
    look.refused.add(row);
    closeLevel(order, row, { level: capped.level.index, cause: capped.cause });
    return;
  }
  const wasInVain = under.inVain.size > 0;
  if (wasInVain) noteFree(under);
  row.cause = fits(look.now, row.level, wanted) ? letInto(under, row) : claim(under, row);
  if (row.cause === null && wasInVain && mayHelpOthers(under, row)) under.inVain.clear();
  passOver(order, row);
  if (under.stopped.length === 0) return;
  reorder(order, under.stopped);
  under.stopped.length = 0;
}

/**
 * Whether what was found out for another of its kind holds for it as well, since nothing has changed: neither
 * fits beside the room that is kept. Of capped ones it depends on how long they are.
 */
function isAsBefore({ look, room, notYet: cause }: Pass, { kind, state, job }: Row): boolean {
  if (cause === undefined || room === undefined || state !== "waiting" || look.levels.hasCap) return false;
  if (kind.stuckAt === look.moves) return job.stoppedFor.length === 0;
  return kind.crowdsAt === look.moves && look.nowMs + restMs(job, look.nowMs) > room.fromMs;
}

/** Whether a claim that was in vain may not be so any more, now that a job has been let go. */
function mayHelpOthers({ look, freeBefore }: Pass, { level, need }: Row): boolean {
  const { levels, now } = look;
  if (levels.hasDedicated) return true;
  if (freeBefore.some((before, column) => now.available[column] - now.inUse[column] > before)) return true;
  return levels.list[level].line.some((index) =>
    need.some((amount, column) => {
      const at = index * need.length + column;
      return now.inUse[at] > levels.entitled[at] && now.inUse[at] - amount <= levels.entitled[at];
    }),
  );
}

function noteFree({ look: { now }, freeBefore }: Pass): void {
  for (let column = 0; column < now.available.length; column++)
    freeBefore[column] = now.available[column] - now.inUse[column];
}

/** Lets a job go that fits, unless room is kept there; gives why not. */
function letInto(under: Pass, row: Row): EnforcementCause | null {
  const { look, room } = under;
  if (room !== undefined && !leavesRoom(room, row, look.nowMs)) {
    if (row.state === "waiting") row.kind.crowdsAt = look.moves;
    return notYet(under, room);
  }
  letGo(under, row, causeOf(look, row));
  return null;
}

/** Makes room for a job that has a claim, else keeps room for the first; gives why it is not let go. */
function claim(under: Pass, row: Row): EnforcementCause | null {
  const plan = planFor(under, row);
  if (plan !== undefined && plan.outOf === null && makeRoom(under, row, plan.victims)) {
    letGo(under, row, { kind: "contention" });
    return null;
  }
  if (plan?.outOf != null) sayLeftOut(under.look, row, { ...plan, outOf: plan.outOf });
  if (under.room !== undefined) {
    const isLikeOthers = row.state === "waiting" && row.job.stoppedFor.length === 0;
    if (plan === undefined && isLikeOthers) row.kind.stuckAt = under.look.moves;
    return notYet(under, under.room);
  }
  under.emptied ??= emptied(under.look);
  if (!fits(under.emptied, row.level, wantedBy(row))) return { kind: "notYet", for: null };
  under.room = keepRoom(under.look, row);
  return { kind: "notYet", for: row.job.id };
}

function notYet(under: Pass, { row }: KeptRoom): EnforcementCause {
  under.notYet ??= { kind: "notYet", for: row.job.id };
  return under.notYet;
}

/** Who would be stopped; remembered where it is in vain, since whoever needs as much fails as well. */
function planFor(under: Pass, row: Row): RoomPlan | undefined {
  const { look, inVain } = under;
  if (!look.granted.has("hold")) return undefined;
  const wanted = wantedBy(row);
  const failed = inVain.get(row.level) ?? NONE_FAILED;
  for (const less of failed) if (isNoMore(less, wanted)) return undefined;
  under.stoppable ??= stoppableOf(look);
  const plan = planRoom(look, row, under.stoppable);
  const isInVain = plan === undefined || plan.outOf !== null;
  if (isInVain && row.job.stoppedFor.length === 0) inVain.set(row.level, [...failed, wanted]);
  return plan;
}

const NONE_FAILED: readonly (readonly number[])[] = [];

function isNoMore(one: readonly number[], other: readonly number[]): boolean {
  for (let column = 0; column < one.length; column++) if (one[column] > other[column]) return false;
  return true;
}

/** Stops the victims, unless the room that is kept would be gone then; gives whether they are. */
function makeRoom(under: Pass, row: Row, victims: readonly Victim[]): boolean {
  const { look, room } = under;
  for (const victim of victims) stop(under, row, victim);
  if (room === undefined || leavesRoom(room, row, look.nowMs)) return true;
  for (const victim of victims) {
    countThen(room, victim.row, look.nowMs, -1);
    undo(look, victim.row);
    returned(under.stoppable, victim.row.level);
    countThen(room, victim.row, look.nowMs, 1);
  }
  return false;
}

function stop({ look, room, stopped, victims }: Pass, claimant: Row, victim: Victim): void {
  const { row } = victim;
  stopped.push(row.level);
  victims.push(row);
  if (room !== undefined) countThen(room, row, look.nowMs, -1);
  stopVictim(look, claimant, victim);
  if (room !== undefined) countThen(room, row, look.nowMs, 1);
}

function letGo(under: Pass, row: Row, cause: EnforcementCause): void {
  const { look, room } = under;
  under.hasLetGo = true;
  if (room !== undefined) countThen(room, row, look.nowMs, -1);
  if (row.step !== null) {
    undo(look, row);
    returned(under.stoppable, row.level);
  } else decide(look, row, { verb: verbFor(look, row), cause }, "queued");
  if (room !== undefined) countThen(room, row, look.nowMs, 1);
}

function verbFor({ granted }: Look, { job, state }: Row): "resume" | "release" | "raise" | null {
  if (state === "suspended") return "resume";
  if (granted.has("hold")) return "release";
  return granted.has("priority") && job.nudged !== "raised" ? "raise" : null;
}

function causeOf({ inUseCount, levels }: Look, { state, level, job }: Row): EnforcementCause {
  if (state === "suspended") {
    const isCapped = levels.list[level].line.some((index) =>
      levels.list[index].limits.some((limit) => limit?.node.rule === "cap"),
    );
    if (isCapped) return { kind: "withinAgain", consumer: job.consumer };
  }
  return { kind: inUseCount === 0 ? "idleSite" : "freeCapacity" };
}

function sayLeftOut(
  look: Look,
  { job }: Row,
  { victims, outOf }: RoomPlan & { outOf: "actions" | "suspended" },
): void {
  const cause: EnforcementCause = { kind: "roomFor", job: job.id, consumer: job.consumer };
  for (const { row, verb } of victims)
    look.leftOut.push({ action: { verb, job: row.job.id, cause }, budget: outOf });
}
