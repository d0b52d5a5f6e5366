/** What broker and pilots tell each other: orders as shell text, reports as lines. */
import type { WorkflowRecord, WorkflowTask } from "../../model/index.ts";
import type { CommandOf } from "../broker-commands.ts";

type TaskReport = CommandOf<"reportTasks">["reports"][number];

/** Largest part of a pilot's reports that is read at once. */
export const MOST_REPORT_BYTES = 256 * 1024;

/** An order to run tasks, for the shell of a pilot. */
export function orderText(
  tasks: readonly WorkflowTask[],
  { id, directory }: Pick<WorkflowRecord, "id" | "directory">,
): string {
  return tasks
    .map(({ at, attempt, procs, program }) => {
      const variables = Object.entries({ STINT_WORKFLOW: id, ...program.environment });
      const words = [
        ...["env", "--", ...variables.map(([name, value]) => `${name}=${value}`)],
        ...[program.executable, ...program.arguments],
      ];
      return `task ${at} ${attempt} ${procs} ${[directory ?? "", ...words].map(quoted).join(" ")}\n`;
    })
    .join("");
}

/** The order to end with the last task. */
export const DISMISSAL = "dismiss\n";

/** A text in single quotes, in which a shell changes nothing. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Reports in whole lines, and the number of bytes that these take. */
interface PilotReports {
  readonly reports: readonly TaskReport[];
  readonly bytes: number;
}

const LINE = /^(b|e) (\d{1,7}) (\d{1,7}) (\d{1,16})(?: (\d{1,3}))?$/;

/** Reads reports; a line that is none is passed over, the last one waits until it is whole. */
export function readReports(bytes: Uint8Array): PilotReports {
  const end = bytes.lastIndexOf(0x0a) + 1;
  const lines = new TextDecoder().decode(bytes.subarray(0, end)).split("\n");
  const reports = lines.flatMap((line): TaskReport[] => {
    const [, kind, task, attempt, atMs, code] = LINE.exec(line) ?? [];
    if (kind === undefined || (kind === "e") !== (code !== undefined)) return [];
    const report = { task: Number(task), attempt: Number(attempt), atMs: Number(atMs) };
    return [code === undefined ? report : { ...report, exitCode: Number(code) }];
  });
  return { reports, bytes: end };
}
