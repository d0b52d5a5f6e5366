/**
 * Slurm's commands as a script: what they are asked is noted, what they answer is in a table.
 */
import { FIELD_END, ROW_END } from "../src/formats/slurm/index.ts";
import type { RunCommand } from "../src/sites/slurm/index.ts";

type CommandRequest = Parameters<RunCommand>[0];
type CommandResult = Awaited<ReturnType<RunCommand>>;

/** A cluster whose commands answer from a table, by their first words. */
export function scripted(answers: Readonly<Record<string, Partial<CommandResult> | string>>) {
  const asked: string[] = [];
  const run = async ({ words }: CommandRequest): Promise<CommandResult> => {
    // A submission makes its directory first, in the same command.
    const line = words.slice(words[0] === "sh" ? 5 : 0).join(" ");
    asked.push(line);
    const key = Object.keys(answers).find((it) => line.startsWith(it)) ?? "";
    const answer = answers[key] ?? "";
    return typeof answer === "string" ? result({ stdout: Buffer.from(answer) }) : result(answer);
  };
  return { asked, run };
}

/** What came of a command; it went well, unless something else is said. */
export function result(said: Partial<CommandResult>): CommandResult {
  const nothing = { stdout: Buffer.alloc(0), stderr: "", isTimedOut: false, notStarted: null };
  return { code: 0, ...nothing, ...said };
}

/** One that failed with these words. */
export const failed = (stderr: string, code = 1) => result({ code, stderr });

/** A row of squeue with these fields; the others say nothing. */
export function row(fields: Readonly<Record<string, string>>): string {
  const names =
    "JobID JobArrayID ArrayJobID ArrayTaskID State Reason UserName Account Partition QOS PriorityLong Nice " +
    "SubmitTime EligibleTime StartTime EndTime TimeLimit TimeUsed NumCPUs NumNodes NumTasks NodeList " +
    "SchedNodes MinMemory tres-alloc tres-per-node tres-per-job Dependency Reservation Feature " +
    "OverSubscribe RestartCnt Licenses NTPerNode exit_code Comment WorkDir Name";
  return `${names
    .split(" ")
    .map((name) => fields[name] ?? "N/A")
    .join(FIELD_END)}${ROW_END}\n`;
}
