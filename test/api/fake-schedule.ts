/** The schedule of a site that a broker without a round answers. */
import { type Bar, barsSeen, placeBars } from "../../src/engine/index.ts";
import type { ScheduleQuestion, SiteSchedule } from "../../src/runtime/index.ts";

/** What is at every site of the fake. */
interface FakeSchedule {
  readonly barsThere: readonly Bar[];
  readonly promisesThere: SiteSchedule["promises"];
  readonly areJobsPrivate: boolean;
  readonly siteViews: { has(site: string): boolean };
}

/** Bars of the fake, as somebody may see them. */
export function scheduleOf(
  { barsThere, promisesThere, areJobsPrivate, siteViews }: FakeSchedule,
  { site, sinceMs, untilMs, asOfMs, sees }: ScheduleQuestion,
): SiteSchedule | undefined {
  if (!siteViews.has(site)) return undefined;
  const place = { nowMs: 0, procs: 8, nodes: [], before: new Map() };
  return {
    ...{ site, atMs: asOfMs ?? 0, sinceMs, untilMs, isPartial: false, discipline: "easy" },
    ...{ seenAtMs: null, trouble: null },
    ...{ procs: 8, rows: 8, nodes: [], areJobsPrivate, leftOut: { past: false, later: 0 } },
    promises: promisesThere,
    free: [{ startMs: 0, endMs: Number.POSITIVE_INFINITY, procs: 8 }],
    bars: placeBars(barsSeen(barsThere, { sees, areJobsPrivate }), place),
  };
}
