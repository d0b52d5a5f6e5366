/** Words for lists and reports of jobs: the instants that they select by, and their order. */

/** Instants of a job by which lists and reports select. */
export const JOB_TIMES = ["submitted", "ended"] as const;

/** An instant of a job. */
export type JobTime = (typeof JOB_TIMES)[number];

/** Columns by which the store sorts jobs. */
export const JOB_SORT_COLUMNS = [
  ...(["submitted", "ended", "id", "name", "state", "site", "consumer", "owner"] as const),
] as const;

/** A column by which the store sorts jobs. */
export type JobSortColumn = (typeof JOB_SORT_COLUMNS)[number];

/** Column by which a list is sorted; with a hyphen before it descending. */
export type JobSortWord = JobSortColumn | `-${JobSortColumn}`;

/** Every word for the order of a list. */
export const JOB_SORT_WORDS: readonly JobSortWord[] = JOB_SORT_COLUMNS.flatMap(
  (column) => [column, `-${column}`] as const,
);

/** Order of a list of jobs: text by code points; what has no value comes before all else. */
export interface JobSort {
  readonly by: JobSortColumn;
  readonly isDescending: boolean;
}

/** The order that a word stands for. */
export function jobSortOf(word: JobSortWord): JobSort {
  const by = JOB_SORT_COLUMNS.find((column) => word === column || word === `-${column}`) ?? "submitted";
  return { by, isDescending: word !== by };
}
