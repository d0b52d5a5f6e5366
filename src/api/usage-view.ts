/**
 * The history of use and hosts as JSON for people.
 */
import type { HostJobView, HostView as HostJson, StepsView, UsageHistoryView } from "../contract/index.ts";
import type { SampledPart, SeriesGrid } from "../policy/index.ts";
import { SLOT_MS } from "../policy/index.ts";
import type { HostView, SampledSeries, UsageHistory } from "../runtime/index.ts";
import { isoInstant } from "./iso-instant.ts";

/** Use over a period. */
export function usageHistoryView({ site, grid, covered, ...same }: UsageHistory): UsageHistoryView {
  return { site, ...stepsView(grid, covered), ...same };
}

/** A sensor is silent after this number of its intervals … */
const INTERVALS = 3;
/** … but not before. */
const AT_LEAST_MS = 60_000;

/** A host from its last report, with the jobs that the reader may see. */
export function hostView(seen: HostView, jobs: HostView["reading"]["jobs"], nowMs: number): HostJson {
  const { host, sensor, reading, droppedInAll, course } = seen;
  const { atMs, overMs, unreadable } = reading;
  const used = reading.jobs.reduce((sum, { usedMs }) => sum + (usedMs ?? 0), 0);
  const silentAfterMs = Math.max(AT_LEAST_MS, INTERVALS * (overMs ?? 0));
  return {
    ...{ host, sensor, at: isoInstant(atMs), isSilent: nowMs - atMs > silentAfterMs },
    procs: rate(used, overMs),
    memoryBytes: reading.jobs.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
    ...{ unreadable, dropped: droppedInAll },
    jobs: jobs.map((job): HostJobView => {
      const { cpuMs, usedMs, ...same } = job;
      return { ...same, cpuSec: cpuMs / 1000, procs: usedMs === null ? null : rate(usedMs, overMs) };
    }),
    course: course === null ? null : courseView(course),
  };
}

/** Rounded to the thousandth of a processor. */
function rate(usedMs: number, overMs: number | null): number | null {
  return overMs === null || overMs === 0 ? null : Math.round((usedMs * 1000) / overMs) / 1000;
}

function courseView({ grid, covered, values }: SampledSeries): NonNullable<HostJson["course"]> {
  const steps = (grid.untilMs - grid.fromMs) / grid.stepMs;
  const each = covered.length === 0 ? Array<number>(steps).fill(0) : covered;
  const nothing = each.map((slots) => (slots === 0 ? null : { mean: 0, min: 0, max: 0 }));
  const partsOf = (name: string) => values.find((it) => it.name === name)?.parts ?? nothing;
  return {
    ...stepsView(grid, each),
    procs: partsOf("procsMilli").map(thousandths),
    memoryBytes: partsOf("memoryBytes"),
    jobs: partsOf("jobs"),
  };
}

function thousandths(part: SampledPart | null): SampledPart | null {
  if (part === null) return null;
  return { mean: part.mean / 1000, min: part.min / 1000, max: part.max / 1000 };
}

function stepsView({ fromMs, untilMs, stepMs }: SeriesGrid, covered: readonly number[]): StepsView {
  return {
    ...{ since: isoInstant(fromMs), until: isoInstant(untilMs), everySec: stepMs / 1000 },
    sampledSec: covered.map((slots) => (slots * SLOT_MS) / 1000),
  };
}
