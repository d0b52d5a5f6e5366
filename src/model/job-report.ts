/** Reports of jobs: what their sums are grouped by. */

/** Dimensions by which reports group jobs; besides, `tag:KEY` is the value of a tag. */
export const REPORT_DIMENSIONS = [
  ...(["user", "group", "vo", "owner", "site", "name", "state", "day", "week", "month"] as const),
] as const;

/** A dimension of a report. */
export type ReportDimension = (typeof REPORT_DIMENSIONS)[number] | `tag:${string}`;

/** True for a dimension: one of the words, or `tag:` and the key of a tag. */
export function isReportDimension(text: string): text is ReportDimension {
  return REPORT_DIMENSIONS.some((word) => word === text) || /^tag:.+$/.test(text);
}

/** Largest number of dimensions of one report. */
export const MOST_DIMENSIONS = 6;
