/**
 * The plain profile and the plain slots: one array entry per unit of time, nothing clever.
 *
 * They are oracles: the fast versions must give the same answers.
 * Written from the specification alone. Meant for small integers.
 * Cost: O(units × duration) per question.
 */
import { strict as assert } from "node:assert";

/** Where a rectangle does not fit or was never reserved, and by how much, per column. */
export interface PlainShortage {
  readonly at: number;
  readonly shortage: readonly number[];
}

/** Free capacity on [now, ∞), written down unit by unit (PR-1). */
export class PlainProfile {
  readonly capacity: readonly number[];
  /** The instant of the first entry. */
  private begin: number;
  /** Entry i is the free amount on [begin + i, begin + i + 1); the last entry holds for ever. */
  private entries: number[][];

  private constructor(capacity: readonly number[], begin: number, entries: number[][]) {
    this.capacity = capacity;
    this.begin = begin;
    this.entries = entries;
  }

  /** Everything free from `from` on; amounts may differ on [from, from + span) and are constant after it. */
  static create(capacity: readonly number[], from: number, span: number): PlainProfile {
    assert(Number.isInteger(from) && Number.isInteger(span) && span >= 0, "small integers");
    const entries = Array.from({ length: span + 1 }, () => [...capacity]);
    return new PlainProfile([...capacity], from, entries);
  }

  /** A copy that shares nothing: what a checkpoint remembers. */
  clone(): PlainProfile {
    return new PlainProfile(
      this.capacity,
      this.begin,
      this.entries.map((entry) => [...entry]),
    );
  }

  /** PR-1 The free amount at an instant, per column. */
  free(t: number): number[] {
    return [...this.entryAt(t)];
  }

  /** Whether the need is free in every column on [start, start + duration). */
  fits(need: readonly number[], duration: number, start: number): boolean {
    return this.firstProblem(need, duration, start, (free, column) => need[column] - free) === undefined;
  }

  /** PR-2 The smallest s ≥ from at which it fits; Infinity when there is none. */
  earliest(need: readonly number[], duration: number, from: number): number {
    const last = Math.max(from, this.constantFrom());
    for (let s = from; s <= last; s++) {
      if (this.fits(need, duration, s)) return s;
    }
    return Infinity;
  }

  /** Takes need × [start, start + duration) out, or says where it does not fit and changes nothing. */
  reserve(need: readonly number[], duration: number, start: number): PlainShortage | undefined {
    const problem = this.firstProblem(need, duration, start, (free, column) => need[column] - free);
    if (problem === undefined) this.change(need, duration, start, -1);
    return problem;
  }

  /** Puts need × [start, start + duration) back, or says where free would pass the capacity. */
  release(need: readonly number[], duration: number, start: number): PlainShortage | undefined {
    const excess = (free: number, column: number) => free + need[column] - this.capacity[column];
    const problem = this.firstProblem(need, duration, start, excess);
    if (problem === undefined) this.change(need, duration, start, 1);
    return problem;
  }

  /** Forgets what was before now. */
  advance(now: number): void {
    assert(now >= this.begin, "time does not go back");
    this.entries = this.entries.slice(Math.min(now - this.begin, this.entries.length - 1));
    this.begin = now;
  }

  /** PR-6 The first instant, and every later one at which a column differs from the instant before. */
  breakpoints(): number[] {
    const times = [this.begin];
    for (let t = this.begin + 1; t <= this.constantFrom(); t++) {
      const before = this.free(t - 1);
      if (this.free(t).some((amount, column) => amount !== before[column])) times.push(t);
    }
    return times;
  }

  private entryAt(t: number): readonly number[] {
    assert(t >= this.begin, "the past is forgotten");
    return this.entries[Math.min(t - this.begin, this.entries.length - 1)];
  }

  /** From this instant on the free amount never changes. */
  private constantFrom(): number {
    return this.begin + this.entries.length - 1;
  }

  /** The first instant of [start, start + duration) at which some column has a positive problem. */
  private firstProblem(
    need: readonly number[],
    duration: number,
    start: number,
    problem: (free: number, column: number) => number,
  ): PlainShortage | undefined {
    assert(need.length === this.capacity.length, "one amount per column");
    const last = Math.max(start, this.constantFrom());
    for (let t = start; t < start + duration && t <= last; t++) {
      const free = this.entryAt(t);
      if (!free.some((amount, column) => problem(amount, column) > 0)) continue;
      return { at: t, shortage: free.map((amount, column) => Math.max(0, problem(amount, column))) };
    }
    return undefined;
  }

  private change(need: readonly number[], duration: number, start: number, sign: 1 | -1): void {
    const end = start + duration;
    const inside = end === Infinity ? start <= this.constantFrom() : end <= this.constantFrom();
    assert(inside, "the span given to create() must cover every change");
    for (const [i, entry] of this.entries.entries()) {
      const t = this.begin + i;
      if (t < start || t >= end) continue;
      for (let column = 0; column < entry.length; column++) entry[column] += sign * need[column];
    }
  }
}

/** A free rectangle; its id is its place in the list, counted from 1. */
export interface PlainTile {
  readonly start: number;
  readonly procs: number;
  readonly duration: number;
  /** nothing scheduled ends it. Divisible means the same here. */
  readonly extensible: boolean;
}

/**
 * SL-1, the slots of the profile's first column on [now, horizon), level by level.
 * `horizon` is the one asked for; `margin` is what must lie between the last scheduled end and the horizon.
 */
export function plainSlots(
  profile: PlainProfile,
  now: number,
  horizon: number,
  margin = 300_000,
): PlainTile[] {
  const lastScheduledEnd = Math.max(now, ...profile.breakpoints());
  const end = Math.max(horizon, lastScheduledEnd + margin);
  const free: number[] = [];
  for (let t = now; t < end; t++) free.push(profile.free(t)[0]);

  const tiles: { start: number; end: number; procs: number; topLevel: number }[] = [];
  for (let level = 1; level <= Math.max(0, ...free); level++) {
    for (const interval of intervalsAtLevel(free, level)) {
      const below = tiles.find(
        (tile) => tile.topLevel === level - 1 && tile.start === interval.start && tile.end === interval.end,
      );
      if (below === undefined) {
        tiles.push({ ...interval, procs: 1, topLevel: level });
      } else {
        below.procs += 1;
        below.topLevel = level;
      }
    }
  }
  return tiles
    .map((tile) => ({
      start: now + tile.start,
      procs: tile.procs,
      duration: tile.end - tile.start,
      extensible: now + tile.end === end,
    }))
    .sort((a, b) => a.start - b.start || a.duration - b.duration || a.procs - b.procs);
}

/** The maximal intervals (indices, end exclusive) on which free ≥ level. */
function intervalsAtLevel(free: readonly number[], level: number): { start: number; end: number }[] {
  const intervals: { start: number; end: number }[] = [];
  for (let start = 0; start < free.length; start++) {
    const beginsHere = free[start] >= level && (start === 0 || free[start - 1] < level);
    if (!beginsHere) continue;
    let end = start;
    while (end < free.length && free[end] >= level) end++;
    intervals.push({ start, end });
  }
  return intervals;
}
