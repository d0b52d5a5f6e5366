/**
 * The source's usage-versus-policy charts: use now against the burst line, use over the epoch against the
 * epoch line; gaps hatched, violations marked below.
 */
import type { LevelFindings, Stretch, UseSeries } from "../policy/index.ts";
import { type UsePanel, usePicture } from "./use-panels.ts";

/** What is drawn of a level. */
export interface LevelPicture {
  readonly level: LevelFindings;
  readonly course: UseSeries;
  readonly period: Stretch;
  /** Nothing is known of these, or they are left out. */
  readonly gaps: readonly Stretch[];
}

/** The two panels of a level, one below the other. */
export function levelPicture({ level, course, period, gaps }: LevelPicture): string {
  const panels: readonly UsePanel[] = [
    {
      ...{ name: "in use now", lineName: "burst", values: course.inUse },
      ...{ limit: level.burstShare, marks: level.stretches.aboveBurst },
    },
    {
      ...{ name: "used over the epoch", lineName: "epoch", values: course.overEpoch },
      ...{ limit: level.epochShare, marks: level.stretches.aboveEpoch },
    },
  ];
  const title = `Use of ${level.resource} by ${level.consumer} against its policy`;
  const description = "Above: in use now and the burst line; below: used over the epoch and the epoch line.";
  return usePicture({ title, description }, panels, { period, gaps, partMs: course.partMs });
}
