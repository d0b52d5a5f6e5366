/**
 * Plays a scene of streams in virtual time, from event to event.
 *
 * Selection, link and store are decided by `src/stream`, which live use calls too. Between two events rates
 * are constant, so that the periodic allocation would repeat the last one and is not played. Cost: O(events
 * × streams that run).
 */
import { createRandom, drawInteger, type Random } from "../../base/index.ts";
import type { SceneStream, StreamReport, StreamRun } from "../../stream/index.ts";
import {
  type HeldResources,
  heldBy,
  inboundFor,
  neverMet,
  type ProcsByClass,
  STREAM_RULES,
  type StreamPool,
  type StreamReservation,
  selectStreams,
  type WaitingStream,
} from "../../stream/index.ts";
import { measureStreams, type StreamTotals } from "./measure-streams.ts";
import {
  flow,
  fullBytes,
  isArriving,
  isDone,
  type PlayingStream,
  ratesOf,
  turn,
  untilChangeMs,
} from "./playing-stream.ts";
import { moveQuotas, needUnder, rulesOf, shareLink, shareStore, type VariantRules } from "./share-pool.ts";

interface Game {
  readonly run: StreamRun;
  readonly rules: VariantRules;
  readonly random: Random;
  readonly pool: StreamPool;
  readonly inbound: number;
  readonly totals: StreamTotals;
  waiting: WaitingStream[];
  playing: PlayingStream[];
  reservations: readonly StreamReservation[];
  nowMs: number;
  wakeAtMs: number;
}

/** Plays a run to its horizon. */
export function playStreams(run: StreamRun): StreamReport {
  const { scene, variant, seed } = run;
  const inbound = inboundFor(scene.linkBytesPerSec, STREAM_RULES.linkMargin);
  const procs = Object.fromEntries(scene.classes.map(({ name, procs: count }) => [name, count]));
  const game: Game = {
    ...{ run, inbound, rules: rulesOf(variant), random: createRandom(seed) },
    pool: { procs, inboundBytesPerSec: { wan: inbound }, storageBytes: scene.storageBytes },
    totals: { started: [], done: [], occupiedByteMs: 0, arrivedBytes: 0 },
    ...{ waiting: [], playing: [], reservations: [], nowMs: 0, wakeAtMs: Infinity },
  };
  const arrivals = [...scene.streams].sort((one, other) => one.submittedMs - other.submittedMs);
  let next = 0;
  let moveAtMs = STREAM_RULES.storageMove.periodMs;
  while (game.nowMs < scene.horizonMs) {
    let isChanged = game.nowMs >= game.wakeAtMs;
    for (; next < arrivals.length && arrivals[next].submittedMs <= game.nowMs; next++) {
      const waits = waitingOf(game, arrivals[next]);
      if (neverMet(waits, game.pool).length === 0) game.waiting.push(waits);
      isChanged = true;
    }
    const ended = game.playing.filter(isDone);
    for (const one of ended) game.totals.done.push({ playing: one, endMs: game.nowMs });
    if (ended.length > 0) game.playing = game.playing.filter((one) => !isDone(one));
    if (isChanged || ended.length > 0) settle(game);
    if (game.nowMs >= moveAtMs) {
      moveAtMs = game.nowMs + STREAM_RULES.storageMove.periodMs;
      if (game.rules.isHalting && variant !== "literal") moveQuotas(game.playing);
    }
    for (const one of game.playing) turn(one, { ...game.rules, isStoreFull: false });
    shareLink(game.playing, { variant, inboundBytesPerSec: inbound, random: game.random });
    pass(game, Math.min(arrivals[next]?.submittedMs ?? Infinity, game.wakeAtMs, scene.horizonMs), moveAtMs);
  }
  return measureStreams(run, game.totals, { playing: game.playing, inboundBytesPerSec: inbound });
}

/** Lets time pass to the next event, at most to `limitMs`. */
function pass(game: Game, limitMs: number, moveAtMs: number): void {
  const { playing, rules, pool, nowMs, totals } = game;
  const occupied = playing.reduce((sum, { occupiedBytes }) => sum + occupiedBytes, 0);
  const isStoreFull = !rules.isIntegrated && occupied >= pool.storageBytes;
  const flows = { ...rules, isStoreFull };
  const rates = playing.map((one) => ratesOf(one, flows));
  const changes = playing.map((one, at) => untilChangeMs(one, rates[at], flows));
  const slope = rates.reduce((sum, { inflow, processed }) => sum + inflow - processed, 0);
  const fills =
    rules.isIntegrated || slope <= 0 || isStoreFull ? Infinity : (pool.storageBytes - occupied) / slope;
  // Storage moves only from and to those that could use it.
  const isMoving = playing.some((one) => isArriving(one) && one.occupiedBytes > 0.8 * fullBytes(one, true));
  const moves = isMoving && rules.isHalting ? moveAtMs - nowMs : Infinity;
  const lengthMs = Math.max(1, Math.min(limitMs - nowMs, moves, Math.ceil(fills * 1000), ...changes));
  for (const [at, one] of playing.entries()) {
    const before = one.arrivedBytes;
    flow(one, rates[at], lengthMs);
    totals.arrivedBytes += one.arrivedBytes - before;
  }
  const after = playing.reduce((sum, { occupiedBytes }) => sum + occupiedBytes, 0);
  totals.occupiedByteMs += ((occupied + after) / 2) * lengthMs;
  game.nowMs += lengthMs;
}

/** Selects who starts, and shares the store among all who run. */
function settle(game: Game): void {
  const { pool, nowMs, run, totals } = game;
  const holders = game.playing.map((one) => holderOf(game, one));
  const answer = selectStreams({
    ...{ pool, rules: STREAM_RULES, running: holders, waiting: game.waiting, nowMs },
    reservations: game.reservations,
  });
  game.reservations = answer.reservations;
  game.wakeAtMs = answer.wakeAtMs;
  for (const { id, procs } of answer.selected) {
    const stream = run.scene.streams.find((it) => it.id === id);
    if (stream === undefined) continue;
    game.playing.push(beginning(game, stream, procs));
    totals.started.push({ stream, startedMs: nowMs });
  }
  const gone = new Set(answer.selected.map(({ id }) => id));
  const expired = new Set(answer.expired);
  game.waiting = game.waiting
    .filter(({ id }) => !gone.has(id))
    .map((it) => (expired.has(it.id) ? { ...it, expiredMs: nowMs } : it));
  shareStore(game.playing, run.scene, { variant: run.variant, random: game.random });
}

function holderOf(game: Game, { stream, procs }: PlayingStream): HeldResources {
  return heldBy(needUnder(game.run.variant, stream, []), procs);
}

function beginning({ run, nowMs }: Game, stream: SceneStream, procs: ProcsByClass): PlayingStream {
  const speeds = new Map(run.scene.classes.map(({ name, speed }) => [name, speed]));
  const sum = Object.entries(procs).reduce((all, [name, count]) => all + count * (speeds.get(name) ?? 1), 0);
  return {
    ...{ stream, procs, startedMs: nowMs },
    speedBytesPerSec: (stream.processedBytesPerSec * sum) / stream.procs,
    ...{ quotaBytes: stream.storageBytes, occupiedBytes: 0, arrivedBytes: 0, processedBytes: 0 },
    ...{ allocatedBytesPerSec: 0, isHalted: false, isDraining: false, halts: 0, overflowBytes: 0, busyMs: 0 },
  };
}

/** A stream that waits, with its eligible classes: the fastest first, or in drawn order. */
function waitingOf({ run, random }: Game, stream: SceneStream): WaitingStream {
  const eligible = run.scene.classes.filter(({ type }) => stream.type === undefined || type === stream.type);
  const ranked = [...eligible].sort((one, other) => other.speed - one.speed);
  if (run.assignment === "random") {
    for (let at = ranked.length - 1; at > 0; at--) {
      const other = drawInteger(random, 0, at);
      [ranked[at], ranked[other]] = [ranked[other], ranked[at]];
    }
  }
  const { weight, weightStep, weightPeriodMs, submittedMs } = stream;
  const need = needUnder(
    run.variant,
    stream,
    ranked.map(({ name }) => name),
  );
  return { ...need, weight, weightStep, weightPeriodMs, submittedMs };
}
