/**
 * The instants at which a slot may begin (rules MK-3, MK-36).
 */
import { jobState, type TriedMachine } from "../queue/index.ts";
import type { WantedStart } from "./priced-slot.ts";
import { priceChanges, type Tariff } from "./tariff.ts";

/** For so long from the first candidate on the calendar counts, however soon the queue comes to its end. */
const LEAST_CALENDAR_MS = 86_400_000;
/** A busy calendar beside a long queue would otherwise be most of the list. */
const MOST_OF_CALENDAR = 64;

/** The candidates for a question, ascending; none lies in the past. */
export function candidatesFor(tried: TriedMachine, wanted: WantedStart, tariff: Tariff): Float64Array {
  const { nowMs } = tried.machine;
  if (wanted.kind === "at") return Float64Array.from(wanted.startMs < nowMs ? [] : [wanted.startMs]);
  const firstMs = wanted.kind === "from" ? Math.max(nowMs, wanted.fromMs) : nowMs;
  const instants = new Set([firstMs]);
  let untilMs = firstMs + LEAST_CALENDAR_MS;
  for (const atMs of changesOf(tried)) {
    if (atMs < firstMs) continue;
    instants.add(atMs);
    untilMs = Math.max(untilMs, atMs);
  }
  for (const atMs of calendarOf(tariff, firstMs, untilMs)) instants.add(atMs);
  return Float64Array.from(instants).sort();
}

function* calendarOf(tariff: Tariff, firstMs: number, untilMs: number): Generator<number> {
  let left = MOST_OF_CALENDAR;
  for (const atMs of priceChanges(tariff, firstMs, untilMs)) {
    if (left-- === 0) return;
    yield atMs;
  }
}

/** Every instant at which something starts or ends at the site, in no order. */
export function* changesOf({ machine, present }: TriedMachine): Generator<number> {
  const { jobs, reservations } = machine;
  for (let handle = 0; handle < jobs.size; handle++) {
    if (jobs.state[handle] === jobState.running) yield jobs.startMs[handle] + jobs.estimateMs[handle];
  }
  for (let i = 0; i < present.handles.length; i++) {
    yield present.startMs[i];
    yield present.startMs[i] + jobs.estimateMs[present.handles[i]];
  }
  for (const { startMs, durationMs } of reservations.values()) {
    yield startMs;
    yield startMs + durationMs;
  }
}
