/**
 * What comes of a site in one replicate of one run: its numbers, and what is drawn of it.
 */
import type { ScenarioRow } from "../../model/index.ts";
import type { LevelCourse } from "./policy-facts.ts";
import type { SiteCourse, SlotCourse } from "./site-course.ts";

/** Small enough to be handed between threads. */
export interface SiteOutcome {
  readonly row: ScenarioRow;
  readonly course: SiteCourse;
  readonly waitCounts: readonly number[];
  /** Where slots were sampled. */
  readonly slotCourse?: SlotCourse;
  /** Where the site has usage policies. */
  readonly levelCourses?: readonly LevelCourse[];
}
