/**
 * One round over the candidates of a pass: each is released, or gets a reason why not (rules PO-8 to PO-11).
 */
import type { EnforcementCause } from "../../model/index.ts";
import {
  type CandidateReservation,
  countInReservation,
  emptied,
  reserveFor,
  respectsReservation,
} from "./candidate-reservation.ts";
import { cappedFor } from "./cap.ts";
import {
  decide,
  type EnforcementPass,
  isCandidate,
  type Row,
  restMs,
  undo,
  wantedBy,
} from "./enforcement-pass.ts";
import { fits, type Occupancy, overBurst } from "./occupancy.ts";
import { closedBy, closeLevel, nextCandidate, type Order, orderOf, passOver, reorder } from "./order.ts";
import {
  planVictims,
  returned,
  type Stoppable,
  stoppableOf,
  stopVictim,
  type Victim,
  type VictimPlan,
} from "./victims.ts";

interface Round {
  readonly pass: EnforcementPass;
  readonly order: Order;
  hasReleased: boolean;
  reservation: CandidateReservation | undefined;
  /** Computed on first use. */
  stoppable: Stoppable | undefined;
  emptied: Occupancy | undefined;
  /** Levels of the victims of the last candidate. */
  readonly stopped: number[];
  readonly victims: Row[];
  /** Claims that failed, by level, until a change that may help. */
  readonly failedClaims: Map<number, (readonly number[])[]>;
  /** Free amounts before the last candidate was tested, by column. */
  readonly freeBefore: number[];
  /** The reason for candidates that would delay the reservation; one object for all of them. */
  blockedCause: EnforcementCause | undefined;
}

/** Runs a round; returns whether anything was released. */
export function runRound(pass: EnforcementPass): boolean {
  const round: Round = {
    pass,
    order: orderOf(pass),
    hasReleased: false,
    reservation: undefined,
    stoppable: undefined,
    emptied: undefined,
    stopped: [],
    victims: [],
    failedClaims: new Map(),
    freeBefore: [],
    blockedCause: undefined,
  };
  pass.moves++;
  pass.refused.clear();
  for (let row = nextCandidate(round.order); row !== undefined; row = nextCandidate(round.order))
    tryCandidate(round, row);
  recordClosed(round);
  return round.hasReleased;
}

/** Records reasons for jobs that only a closed level blocks. */
function recordClosed({ pass, order, victims }: Round): void {
  for (const { index } of pass.levels.list) {
    const cause = closedBy(order, index);
    if (cause === undefined) continue;
    for (const row of order.queues[index].own) if (row.cause === null && isCandidate(row)) row.cause = cause;
  }
  for (const row of victims) {
    if (row.cause === null && isCandidate(row)) row.cause = closedBy(order, row.level) ?? null;
  }
}

function tryCandidate(round: Round, row: Row): void {
  const { pass, order } = round;
  if (isAsBefore(round, row)) {
    row.cause = round.blockedCause ?? null;
    passOver(order, row);
    return;
  }
  const wanted = wantedBy(row);
  const burst = overBurst(pass.now, row.level, wanted);
  if (burst !== undefined) {
    pass.refused.add(row);
    closeLevel(order, row, { level: burst.index, cause: { kind: "burst", consumer: burst.path } });
    return;
  }
  const capped = cappedFor(pass, row, wanted);
  if (capped !== undefined) {
    pass.refused.add(row);
    closeLevel(order, row, { level: capped.level.index, cause: capped.cause });
    return;
  }
  const hasFailedClaims = round.failedClaims.size > 0;
  if (hasFailedClaims) noteFree(round);
  row.cause = fits(pass.now, row.level, wanted) ? tryRelease(round, row) : claim(round, row);
  if (row.cause === null && hasFailedClaims && mayUnblockClaims(round, row)) round.failedClaims.clear();
  passOver(order, row);
  if (round.stopped.length === 0) return;
  reorder(order, round.stopped);
  round.stopped.length = 0;
}

/**
 * True where the result for another job of its kind still holds: neither fits beside the reservation. Under a
 * cap it depends on their length too.
 */
function isAsBefore({ pass, reservation, blockedCause: cause }: Round, { kind, state, job }: Row): boolean {
  if (cause === undefined || reservation === undefined || state !== "waiting" || pass.levels.hasCap)
    return false;
  if (kind.stuckAt === pass.moves) return job.stoppedFor.length === 0;
  return kind.crowdsAt === pass.moves && pass.nowMs + restMs(job, pass.nowMs) > reservation.fromMs;
}

/** True where a release may have changed the result of a failed claim. */
function mayUnblockClaims({ pass, freeBefore }: Round, { level, need }: Row): boolean {
  const { levels, now } = pass;
  if (levels.hasDedicated) return true;
  if (freeBefore.some((before, column) => now.available[column] - now.inUse[column] > before)) return true;
  return levels.list[level].line.some((index) =>
    need.some((amount, column) => {
      const at = index * need.length + column;
      return now.inUse[at] > levels.entitled[at] && now.inUse[at] - amount <= levels.entitled[at];
    }),
  );
}

function noteFree({ pass: { now }, freeBefore }: Round): void {
  for (let column = 0; column < now.available.length; column++)
    freeBefore[column] = now.available[column] - now.inUse[column];
}

/** Releases a job that fits and respects the reservation; returns the reason where it does not. */
function tryRelease(round: Round, row: Row): EnforcementCause | null {
  const { pass, reservation } = round;
  if (reservation !== undefined && !respectsReservation(reservation, row, pass.nowMs)) {
    if (row.state === "waiting") row.kind.crowdsAt = pass.moves;
    return blockedCause(round, reservation);
  }
  letGo(round, row, causeOf(pass, row));
  return null;
}

/**
 * Stops victims for a job with a claim, else reserves for the first blocked one; returns the reason why it is
 * not released.
 */
function claim(round: Round, row: Row): EnforcementCause | null {
  const plan = planFor(round, row);
  if (plan !== undefined && plan.outOf === null && stopVictims(round, row, plan.victims)) {
    letGo(round, row, { kind: "contention" });
    return null;
  }
  if (plan?.outOf != null) recordLeftOut(round.pass, row, { ...plan, outOf: plan.outOf });
  if (round.reservation !== undefined) {
    const isLikeOthers = row.state === "waiting" && row.job.stoppedFor.length === 0;
    if (plan === undefined && isLikeOthers) row.kind.stuckAt = round.pass.moves;
    return blockedCause(round, round.reservation);
  }
  round.emptied ??= emptied(round.pass);
  if (!fits(round.emptied, row.level, wantedBy(row))) return { kind: "notYet", for: null };
  round.reservation = reserveFor(round.pass, row);
  return { kind: "notYet", for: row.job.id };
}

function blockedCause(round: Round, { row }: CandidateReservation): EnforcementCause {
  round.blockedCause ??= { kind: "notYet", for: row.job.id };
  return round.blockedCause;
}

/** The victims; a failed claim is cached, since any job that needs as much fails as well. */
function planFor(round: Round, row: Row): VictimPlan | undefined {
  const { pass, failedClaims } = round;
  if (!pass.granted.has("hold")) return undefined;
  const wanted = wantedBy(row);
  const failed = failedClaims.get(row.level) ?? NONE_FAILED;
  for (const less of failed) if (isNoMore(less, wanted)) return undefined;
  round.stoppable ??= stoppableOf(pass);
  const plan = planVictims(pass, row, round.stoppable);
  const isInVain = plan === undefined || plan.outOf !== null;
  if (isInVain && row.job.stoppedFor.length === 0) failedClaims.set(row.level, [...failed, wanted]);
  return plan;
}

const NONE_FAILED: readonly (readonly number[])[] = [];

function isNoMore(one: readonly number[], other: readonly number[]): boolean {
  for (let column = 0; column < one.length; column++) if (one[column] > other[column]) return false;
  return true;
}

/** Stops the victims, unless that would delay the reservation; returns whether they are stopped. */
function stopVictims(round: Round, row: Row, victims: readonly Victim[]): boolean {
  const { pass, reservation } = round;
  for (const victim of victims) stop(round, row, victim);
  if (reservation === undefined || respectsReservation(reservation, row, pass.nowMs)) return true;
  for (const victim of victims) {
    countInReservation(reservation, victim.row, pass.nowMs, -1);
    undo(pass, victim.row);
    returned(round.stoppable, victim.row.level);
    countInReservation(reservation, victim.row, pass.nowMs, 1);
  }
  return false;
}

function stop({ pass, reservation, stopped, victims }: Round, claimant: Row, victim: Victim): void {
  const { row } = victim;
  stopped.push(row.level);
  victims.push(row);
  if (reservation !== undefined) countInReservation(reservation, row, pass.nowMs, -1);
  stopVictim(pass, claimant, victim);
  if (reservation !== undefined) countInReservation(reservation, row, pass.nowMs, 1);
}

function letGo(round: Round, row: Row, cause: EnforcementCause): void {
  const { pass, reservation } = round;
  round.hasReleased = true;
  if (reservation !== undefined) countInReservation(reservation, row, pass.nowMs, -1);
  if (row.step !== null) {
    undo(pass, row);
    returned(round.stoppable, row.level);
  } else decide(pass, row, { verb: verbFor(pass, row), cause }, "queued");
  if (reservation !== undefined) countInReservation(reservation, row, pass.nowMs, 1);
}

function verbFor({ granted }: EnforcementPass, { job, state }: Row): "resume" | "release" | "raise" | null {
  if (state === "suspended") return "resume";
  if (granted.has("hold")) return "release";
  return granted.has("priority") && job.nudged !== "raised" ? "raise" : null;
}

function causeOf({ inUseCount, levels }: EnforcementPass, { state, level, job }: Row): EnforcementCause {
  if (state === "suspended") {
    const isCapped = levels.list[level].line.some((index) =>
      levels.list[index].limits.some((limit) => limit?.node.rule === "cap"),
    );
    if (isCapped) return { kind: "withinAgain", consumer: job.consumer };
  }
  return { kind: inUseCount === 0 ? "idleSite" : "freeCapacity" };
}

function recordLeftOut(
  pass: EnforcementPass,
  { job }: Row,
  { victims, outOf }: VictimPlan & { outOf: "actions" | "suspended" },
): void {
  const cause: EnforcementCause = { kind: "roomFor", job: job.id, consumer: job.consumer };
  for (const { row, verb } of victims)
    pass.leftOut.push({ action: { verb, job: row.job.id, cause }, budget: outOf });
}
