/**
 * Candidate starts of a slot (rule MK-3): now, the requested instant, every instant at which something starts
 * or ends at the site, and the instants at which a price rule changes c or f₀.
 */
import { distinctOf, jobState, type TriedMachine } from "../queue/index.ts";
import type { WantedStart } from "./priced-slot.ts";
import { priceChanges, type Tariff } from "./tariff.ts";

/** Least span from the first candidate in which price changes count, however soon the queue ends. */
const LEAST_CALENDAR_MS = 86_400_000;
/** Most price changes that count: beside a long queue they would otherwise be most of the list. */
const MOST_OF_CALENDAR = 64;

/** The candidates of a request, ascending; none lies in the past. */
export function candidatesFor(tried: TriedMachine, wanted: WantedStart, tariff: Tariff): Float64Array {
  const { nowMs } = tried.machine;
  if (wanted.kind === "at") return Float64Array.from(wanted.startMs < nowMs ? [] : [wanted.startMs]);
  const firstMs = wanted.kind === "from" ? Math.max(nowMs, wanted.fromMs) : nowMs;
  const changes = changesOf(tried);
  let untilMs = firstMs + LEAST_CALENDAR_MS;
  for (const atMs of changes) untilMs = Math.max(untilMs, atMs);
  const calendar = [...calendarOf(tariff, firstMs, untilMs)];
  const all = new Float64Array(1 + changes.length + calendar.length);
  all[0] = firstMs;
  all.set(changes, 1);
  all.set(calendar, 1 + changes.length);
  const instants = distinctOf(all);
  const first = instants.indexOf(firstMs);
  return instants.subarray(first);
}

function* calendarOf(tariff: Tariff, firstMs: number, untilMs: number): Generator<number> {
  let left = MOST_OF_CALENDAR;
  for (const atMs of priceChanges(tariff, firstMs, untilMs)) {
    if (left-- === 0) return;
    yield atMs;
  }
}

/** Every instant at which a job or reservation starts or ends at the site, unordered. */
function changesOf({ machine, present }: TriedMachine): Float64Array {
  const { jobs, reservations } = machine;
  const { handles, startMs: startsMs } = present;
  const changes = new Float64Array(jobs.size + 2 * (handles.length + reservations.size));
  let count = 0;
  for (let handle = 0; handle < jobs.size; handle++) {
    if (jobs.state[handle] === jobState.running) {
      changes[count++] = jobs.startMs[handle] + jobs.estimateMs[handle];
    }
  }
  for (let i = 0; i < handles.length; i++) {
    changes[count++] = startsMs[i];
    changes[count++] = startsMs[i] + jobs.estimateMs[handles[i]];
  }
  for (const { startMs, durationMs } of reservations.values()) {
    changes[count++] = startMs;
    changes[count++] = startMs + durationMs;
  }
  return changes.subarray(0, count);
}
