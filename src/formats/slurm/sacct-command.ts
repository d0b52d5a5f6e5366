/**
 * The sacct command of an import.
 *
 * Only fields that exist since 20.11, and none that reveals what a job does: no names of jobs, no command
 * lines, no directories. Source: sacct(1) of Slurm 20.11 to 24.11.
 */

/** The fields, in the order in which they are asked for. */
export const SACCT_FIELDS = [
  ...["JobID", "Submit", "Eligible", "Start", "End", "ElapsedRaw", "TimelimitRaw", "State"],
  ...["AllocCPUS", "ReqCPUS", "ReqMem", "AllocTRES", "ReqTRES", "NNodes", "NodeList"],
  ...["Partition", "User", "Account"],
] as const;

/** One of {@link SACCT_FIELDS}. */
export type SacctField = (typeof SACCT_FIELDS)[number];

/** An import can do without these; what it then does not know is in `sacct-run.ts`. */
export const OPTIONAL_FIELDS: readonly SacctField[] = [
  ...(["Eligible", "ReqCPUS", "ReqMem", "AllocTRES", "ReqTRES", "NNodes", "NodeList"] as const),
  ...(["Partition", "User", "Account"] as const),
];

/**
 * The command line that prints what `stint import accounting` reads, for a person to run: every allocation
 * of everybody, each run of a job that was requeued, instants as Unix time. `since` and `until` are written
 * as they were given, in a form that sacct and we both read.
 */
export function sacctCommandLine(since: string, until: string): string {
  const asked = `-S ${since} -E ${until} -o ${SACCT_FIELDS.join(",")}`;
  return `SLURM_TIME_FORMAT=%s sacct -X -P --duplicates --allusers ${asked}`;
}
