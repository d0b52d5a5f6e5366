/**
 * The words behind `exec:` (rule FO-28).
 */
import { splitShellWords } from "../../formats/job-yaml/index.ts";
import type { ProgramDiscipline } from "../../model/index.ts";
import { noCommand } from "./program-fault.ts";

/** Splits the command line as a shell would, expanding nothing; throws a Fault where there is none. */
export function wordsOf(discipline: ProgramDiscipline): readonly string[] {
  const command = discipline.slice("exec:".length);
  const split = splitShellWords(command);
  if (!split.ok)
    throw noCommand(command, `the ${split.refusal.mark} at its character ${split.refusal.index + 1} is open`);
  if (split.value.words[0]) return split.value.words;
  throw noCommand(command, "nothing comes after exec:");
}
