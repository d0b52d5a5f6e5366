/**
 * A class's past waits together with the jobs of it that still wait (rules PD-6, PD-11, PD-12).
 *
 * Jobs are submitted in order of time, so the first of the list has waited longest: who is overdue is found
 * from the front, each job once. Cost: amortised O(log n) an event.
 */
import { type Crowds, createCrowds, crowding, keepCrowds, noteCrowd } from "./crowds.ts";
import type { Assurance } from "./ranks.ts";
import {
  changeBound,
  createSeries,
  likelyBound,
  likelyLowerBound,
  likelyWithin,
  observeOverdue,
  observeStart,
  type WaitSeries,
} from "./wait-series.ts";

/** A job that waits, as one series sees it. */
export interface Watched {
  readonly submittedAtMs: number;
  /** How many waited when it came. */
  readonly crowd: number;
  /** Neither started nor withdrawn. */
  isWaiting: boolean;
  isOverdue: boolean;
}

/** A series and who waits. */
export interface WatchedSeries {
  readonly series: WaitSeries;
  readonly crowds: Crowds;
  /** In order of submission; those before `next` are overdue or gone. */
  watched: Watched[];
  next: number;
}

const FEW = 64;

/** Of nobody yet. */
export function createWatched(): WatchedSeries {
  return { series: createSeries(), crowds: createCrowds(), watched: [], next: 0 };
}

/** A job begins to wait. */
export function watch(of: WatchedSeries, submittedAtMs: number): Watched {
  const crowd = of.crowds.waiting++;
  const watched = { submittedAtMs, crowd, isWaiting: true, isOverdue: false };
  of.watched.push(watched);
  return watched;
}

/** It waits no more: it has started, or (`hasStarted` false) was withdrawn. */
export function unwatch(of: WatchedSeries, watched: Watched, atMs: number, hasStarted: boolean): void {
  noteOverdue(of, atMs);
  watched.isWaiting = false;
  of.crowds.waiting--;
  if (!hasStarted) return;
  observeStart(of.series, atMs - watched.submittedAtMs, watched.isOverdue);
  noteCrowd(of.crowds, watched.crowd);
  keepCrowds(of.crowds, of.series.waitsMs.length);
}

/** The upper bound of a job submitted now, in ms; undefined where too little is known. */
export function boundNow(of: WatchedSeries, assurance: Assurance, nowMs: number): number | undefined {
  noteOverdue(of, nowMs);
  const boundMs = likelyBound(of.series, assurance);
  return boundMs === undefined ? undefined : Math.ceil(boundMs * crowding(of.crowds));
}

/** The lower bound, in ms: no crowd makes a wait shorter. */
export function lowerBoundNow(of: WatchedSeries, assurance: Assurance, nowMs: number): number | undefined {
  noteOverdue(of, nowMs);
  return likelyLowerBound(of.series, assurance);
}

/** The probability that a job submitted now starts within `limitMs`. */
export function probabilityNow(
  of: WatchedSeries,
  limitMs: number,
  confidence: number,
  nowMs: number,
): number | undefined {
  noteOverdue(of, nowMs);
  return likelyWithin(of.series, limitMs / crowding(of.crowds), confidence);
}

/** Counts who has become overdue by `nowMs`. */
function noteOverdue(of: WatchedSeries, nowMs: number): void {
  for (; of.next < of.watched.length; of.next++) {
    const first = of.watched[of.next];
    if (!first.isWaiting) continue;
    const boundMs = changeBound(of.series);
    if (boundMs === undefined || nowMs - first.submittedAtMs <= boundMs) break;
    first.isOverdue = true;
    observeOverdue(of.series);
  }
  keepCrowds(of.crowds, of.series.waitsMs.length);
  if (of.next < FEW || of.next * 2 < of.watched.length) return;
  of.watched = of.watched.slice(of.next);
  of.next = 0;
}
