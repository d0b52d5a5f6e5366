/**
 * Past waits of a class, together with its waiting jobs.
 *
 * A job that has waited longer than the bound is an observation from that instant on, once; its later start
 * is no other. Jobs are submitted in order of time, so the first of the list has waited longest: overdue jobs
 * are found from the front, each once.
 * Cost: amortised O(log n) an event.
 */
import { type Crowds, createCrowds, crowding, recordCrowd, trimCrowds } from "./crowds.ts";
import type { Assurance } from "./ranks.ts";
import {
  changeBound,
  correlatedBound,
  correlatedLowerBound,
  correlatedProbability,
  createSeries,
  observeOverdue,
  observeStart,
  type WaitSeries,
} from "./wait-series.ts";

/** A waiting job in one series. */
export interface Watched {
  readonly submittedAtMs: number;
  /** Number of waiting jobs at its submission. */
  readonly crowd: number;
  /** False once the job has started or was withdrawn. */
  isWaiting: boolean;
  isOverdue: boolean;
}

/** A series and its waiting jobs. */
export interface WatchedSeries {
  readonly series: WaitSeries;
  readonly crowds: Crowds;
  /** Jobs in order of submission; those before `next` are overdue or gone. */
  watched: Watched[];
  next: number;
}

const FEW = 64;

/** A series without waits and jobs. */
export function createWatched(): WatchedSeries {
  return { series: createSeries(), crowds: createCrowds(), watched: [], next: 0 };
}

/** Adds a waiting job. */
export function watch(of: WatchedSeries, submittedAtMs: number): Watched {
  const crowd = of.crowds.waiting++;
  const watched = { submittedAtMs, crowd, isWaiting: true, isOverdue: false };
  of.watched.push(watched);
  return watched;
}

/** Removes a job that has started or (`hasStarted` false) was withdrawn; a withdrawn one leaves no wait. */
export function unwatch(of: WatchedSeries, watched: Watched, atMs: number, hasStarted: boolean): void {
  countOverdue(of, atMs);
  watched.isWaiting = false;
  of.crowds.waiting--;
  if (!hasStarted) return;
  observeStart(of.series, atMs - watched.submittedAtMs, watched.isOverdue);
  recordCrowd(of.crowds, watched.crowd);
  trimCrowds(of.crowds, of.series.waitsMs.length);
}

/** The upper bound for a job submitted now, in ms; undefined with too few waits. */
export function boundNow(of: WatchedSeries, assurance: Assurance, nowMs: number): number | undefined {
  countOverdue(of, nowMs);
  const boundMs = correlatedBound(of.series, assurance);
  return boundMs === undefined ? undefined : Math.ceil(boundMs * crowding(of.crowds));
}

/** The lower bound, in ms; the number of waiting jobs does not change it. */
export function lowerBoundNow(of: WatchedSeries, assurance: Assurance, nowMs: number): number | undefined {
  countOverdue(of, nowMs);
  return correlatedLowerBound(of.series, assurance);
}

/** The probability that a job submitted now starts within `limitMs`. */
export function probabilityNow(
  of: WatchedSeries,
  limitMs: number,
  confidence: number,
  nowMs: number,
): number | undefined {
  countOverdue(of, nowMs);
  return correlatedProbability(of.series, limitMs / crowding(of.crowds), confidence);
}

function countOverdue(of: WatchedSeries, nowMs: number): void {
  for (; of.next < of.watched.length; of.next++) {
    const first = of.watched[of.next];
    if (!first.isWaiting) continue;
    const boundMs = changeBound(of.series);
    if (boundMs === undefined || nowMs - first.submittedAtMs <= boundMs) break;
    first.isOverdue = true;
    observeOverdue(of.series);
  }
  trimCrowds(of.crowds, of.series.waitsMs.length);
  if (of.next < FEW || of.next * 2 < of.watched.length) return;
  of.watched = of.watched.slice(of.next);
  of.next = 0;
}
