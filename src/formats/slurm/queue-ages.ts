/**
 * Waiting jobs with an age: those that Slurm's scheduler has considered since their submission.
 *
 * The age counts from the begin-time that a job has at that moment; a later change of it has no effect
 * (22.05).
 */
import { eachMarkedRow } from "./rows.ts";
import { FIELD_END, instantMs, ROW_END } from "./words.ts";

/** The command that asks for the ages of all that wait. */
export const QUEUE_AGES_COMMAND: readonly string[] = [
  ...["squeue", "--all", "--noheader", "--states=PENDING", "--array-unique"],
  `--Format=JobArrayID:${FIELD_END},AccrueTime:${ROW_END}`,
];

/** Reads what {@link QUEUE_AGES_COMMAND} printed: the rows whose jobs have an age. */
export function rowsWithAge(text: string): ReadonlySet<string> {
  const aged = new Set<string>();
  eachMarkedRow(text, 2, ([row, since]) => {
    if (instantMs(since) !== null) aged.add(row);
  });
  return aged;
}
