/**
 * Outcome of a site in one replicate of one run: its numbers, and its series for charts.
 */
import type { JobGroup, ScenarioRow } from "../../model/index.ts";
import type { LevelSeries } from "./policy-facts.ts";
import type { SiteSeries, SlotCourse } from "./site-course.ts";

/** Outcome of a site, small enough to be passed between threads. */
export interface SiteOutcome {
  readonly row: ScenarioRow;
  readonly course: SiteSeries;
  readonly waitCounts: readonly number[];
  /** The counted jobs by user. */
  readonly users: readonly JobGroup[];
  /** Number of slots over time, where slots were sampled. */
  readonly slotCourse?: SlotCourse;
  /** Use against limits over time, where the site has usage policies. */
  readonly levelSeries?: readonly LevelSeries[];
}
