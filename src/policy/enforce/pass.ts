/**
 * One pass over the candidates of a look: each is let go, or it is found out why not (PO-8 … PO-12).
 */
import type { EnforcementCause } from "../../model/index.ts";
import { cappedFor } from "./cap.ts";
import { countThen, emptied, type KeptRoom, keepRoom, leavesRoom } from "./kept-room.ts";
import { decide, isCandidate, type Look, type Row, undo, wantedBy } from "./look.ts";
import { planRoom, type RoomPlan, type Stoppable, stoppableOf, type Victim } from "./make-room.ts";
import { fits, type Occupancy, overBurst, usedBy } from "./occupancy.ts";
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
  /** By level, what claims were made in vain for, as long as nothing has changed that may help. */
  readonly inVain: Map<number, (readonly number[])[]>;
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
    inVain: new Map(),
  };
  look.refused.clear();
  for (const row of look.rows) row.cause = null;
  for (let row = nextCandidate(under.order); row !== undefined; row = nextCandidate(under.order))
    judge(under, row);
  for (const row of look.rows) if (isCandidate(row)) row.cause ??= closedBy(under.order, row.level) ?? null;
  return under.hasLetGo;
}

function judge(under: Pass, row: Row): void {
  const { look, order } = under;
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
  const freeBefore = under.inVain.size > 0 ? free(look) : [];
  row.cause = fits(look.now, row.level, wanted) ? letInto(under, row) : claim(under, row);
  if (row.cause === null && freeBefore.length > 0 && mayHelpOthers(look, row, freeBefore))
    under.inVain.clear();
  passOver(order, row);
  for (const level of under.stopped) reorder(order, level);
  under.stopped.length = 0;
}

/** Whether a claim that was in vain may not be so any more, now that a job has been let go. */
function mayHelpOthers({ levels, now }: Look, { level, need }: Row, freeBefore: readonly number[]): boolean {
  if (
    levels.hasDedicated ||
    now.available.some((amount, column) => amount - now.inUse[column] > freeBefore[column])
  ) {
    return true;
  }
  return levels.list[level].line.some((index) =>
    levels.list[index].limits.some((limit, column) => {
      const used = usedBy(now, index, column);
      return limit !== null && used > limit.entitled && used - need[column] <= limit.entitled;
    }),
  );
}

function free({ now }: Look): readonly number[] {
  return now.available.map((amount, column) => amount - now.inUse[column]);
}

/** Lets a job go that fits, unless room is kept there; gives why not. */
function letInto(under: Pass, row: Row): EnforcementCause | null {
  const { look, room } = under;
  if (room !== undefined && !leavesRoom(room, row, look.nowMs))
    return { kind: "notYet", for: room.row.job.id };
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
  if (under.room !== undefined) return { kind: "notYet", for: under.room.row.job.id };
  under.emptied ??= emptied(under.look);
  if (!fits(under.emptied, row.level, wantedBy(row))) return { kind: "notYet", for: null };
  under.room = keepRoom(under.look, row);
  return { kind: "notYet", for: row.job.id };
}

/** Who would be stopped; remembered where it is in vain, since whoever needs as much fails as well. */
function planFor(under: Pass, row: Row): RoomPlan | undefined {
  const { look, inVain } = under;
  if (!look.granted.has("hold")) return undefined;
  const wanted = wantedBy(row);
  const failed = inVain.get(row.level) ?? [];
  if (failed.some((less) => less.every((amount, column) => amount <= wanted[column]))) return undefined;
  under.stoppable ??= stoppableOf(look);
  const plan = planRoom(look, row, under.stoppable);
  const isInVain = plan === undefined || plan.outOf !== null;
  if (isInVain && row.job.stoppedFor.length === 0) inVain.set(row.level, [...failed, wanted]);
  return plan;
}

/** Stops the victims, unless the room that is kept would be gone then; gives whether they are. */
function makeRoom(under: Pass, row: Row, victims: readonly Victim[]): boolean {
  const { look, room } = under;
  for (const victim of victims) stop(under, row, victim);
  if (room === undefined || leavesRoom(room, row, look.nowMs)) return true;
  for (const victim of victims) {
    countThen(room, victim.row, look.nowMs, -1);
    undo(look, victim.row);
    countThen(room, victim.row, look.nowMs, 1);
  }
  return false;
}

function stop({ look, room, stopped }: Pass, claimant: Row, { row, verb }: Victim): void {
  stopped.push(row.level);
  const { id, consumer } = claimant.job;
  if (room !== undefined) countThen(room, row, look.nowMs, -1);
  const state = verb === "suspend" ? "suspended" : "waiting";
  decide(look, row, { verb, cause: { kind: "roomFor", job: id, consumer } }, state);
  if (room !== undefined) countThen(room, row, look.nowMs, 1);
}

function letGo(under: Pass, row: Row, cause: EnforcementCause): void {
  const { look, room } = under;
  under.hasLetGo = true;
  if (room !== undefined) countThen(room, row, look.nowMs, -1);
  if (row.step !== null) undo(look, row);
  else decide(look, row, { verb: verbFor(look, row), cause }, "queued");
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
