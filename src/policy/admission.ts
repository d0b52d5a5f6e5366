/**
 * Admission of a request under policies and capacity; a request is a rectangle: an amount from a start until
 * an end.
 *
 * Every limit is tested over the whole rectangle, beside existing bookings, at every level (rule PO-7), and
 * exactly: amounts and instants are BigInt in units that the caller chooses so that its numbers are whole,
 * and shares are multiplied down the path without rounding.
 * Cost: O(n log n) in the bookings within a window of the request.
 */
import type { AdmissionRefusal, SharedResource } from "../model/index.ts";
import { calendarExcess, type SeriesQuestion, slidingExcess, sumExcess } from "./admission-series.ts";
import { type ExactRatio, exactShares } from "./admission-shares.ts";
import { hasShare, levelsOf, pathsTo, type ShareTree } from "./share-tree.ts";

/** Capacity, policies and clock of an admission. */
export interface AdmissionRules {
  readonly tree: ShareTree;
  readonly resource: SharedResource;
  /** Capacity of the place, in the unit of the amounts. */
  readonly capacity: bigint;
  /** Units of an instant per millisecond. */
  readonly ticksPerMs: bigint;
}

/** A requested or booked rectangle. */
export interface Booking {
  readonly consumer: string;
  readonly amount: bigint;
  readonly start: bigint;
  /** The first instant after the rectangle; null: it never ends. */
  readonly end: bigint | null;
}

/** Bookings by the levels at which they count; the place itself is the level "". */
export type BookedByLevel = Map<string, Booking[]>;

/** Bookings by level, sorted for {@link admits}. */
export function bookedByLevel(bookings: readonly Booking[]): BookedByLevel {
  const booked: BookedByLevel = new Map();
  for (const booking of bookings) book(booked, booking);
  return booked;
}

/** Adds a rectangle to the bookings. */
export function book(booked: BookedByLevel, booking: Booking): void {
  for (const level of ["", ...pathsTo(booking.consumer)]) {
    const its = booked.get(level);
    if (its === undefined) booked.set(level, [booking]);
    else its.push(booking);
  }
}

/** The first limit that the request would exceed beside the bookings; undefined where it is admitted. */
export function admits(
  rules: AdmissionRules,
  booked: BookedByLevel,
  request: Booking,
): AdmissionRefusal | undefined {
  const { tree, resource } = rules;
  const { place } = tree;
  const { consumer } = request;
  if (!hasShare(tree, consumer)) return { kind: "noPolicy", place, consumer };
  const levels = levelsOf(tree, resource, consumer).filter(({ policy }) => policy !== null);
  for (const { path } of levels) {
    const limit = exactShares(tree, resource, path).burst;
    const excess = sumExcess(questionOf(rules, booked, request, path), limit);
    if (excess !== undefined) return { kind: "burst", place, level: path, ...excess };
  }
  for (const { path, window } of levels) {
    const limit = exactShares(tree, resource, path).epoch;
    const question = questionOf(rules, booked, request, path);
    const excess =
      window.kind === "sliding"
        ? slidingExcess(question, limit, window.lengthMs)
        : calendarExcess(question, limit, window);
    if (excess !== undefined) return { kind: "epoch", place, level: path, window, ...excess };
  }
  const excess = sumExcess(questionOf(rules, booked, request, ""), WHOLE);
  return excess === undefined ? undefined : { kind: "capacity", place, ...excess };
}

/** Tests requests one after the other; each admitted one is booked before the next is tested. */
export function admitInOrder(
  rules: AdmissionRules,
  requests: readonly Booking[],
): readonly (AdmissionRefusal | undefined)[] {
  const booked: BookedByLevel = new Map();
  return requests.map((request) => {
    const refusal = admits(rules, booked, request);
    if (refusal === undefined) book(booked, request);
    return refusal;
  });
}

const WHOLE: ExactRatio = { parts: 1n, whole: 1n };

function questionOf(
  { capacity, ticksPerMs }: AdmissionRules,
  booked: BookedByLevel,
  request: Booking,
  level: string,
): SeriesQuestion {
  return { booked: booked.get(level) ?? [], request, capacity, ticksPerMs };
}
