/** Messages between broker and pilots: orders as shell text, reports as lines. */
import type { MissingFile, WorkflowRecord, WorkflowTask, WrittenFile } from "../../model/index.ts";
import type { CommandOf } from "../broker-commands.ts";
import { quoted } from "../quoted.ts";

type TaskReport = CommandOf<"reportTasks">["reports"][number];

/** Largest part of a pilot's reports that is read at once. */
export const MOST_REPORT_BYTES = 256 * 1024;

/** A file that a task reads, as its pilot finds it. */
export interface InputPlace {
  readonly file: number;
  readonly name: string;
  /** Path from the directory of the pilot. */
  readonly path: string;
  /** SHA-256; null where it is not known. */
  readonly checksum: string | null;
}

/** A task with its files. */
export interface OrderedTask {
  readonly task: WorkflowTask;
  readonly inputs: readonly InputPlace[];
  readonly outputs: readonly { readonly file: number; readonly name: string }[];
}

/** An order to run tasks, for the shell of a pilot. */
export function orderText(
  tasks: readonly OrderedTask[],
  { id, directory }: Pick<WorkflowRecord, "id" | "directory">,
): string {
  return tasks
    .map(({ task: { at, attempt, tries, procs, memoryBytes = 0, gpus = 0, program }, inputs, outputs }) => {
      const variables = Object.entries({
        ...{ STINT_WORKFLOW: id, STINT_DAG_TRY: String(tries) },
        ...program.environment,
      });
      const words = [
        ...["env", "--", ...variables.map(([name, value]) => `${name}=${value}`)],
        ...[program.executable, ...program.arguments],
      ];
      const reads = inputs.map(
        ({ file, name, path, checksum }) =>
          `reads ${at}.${attempt} ${file} ${[path, checksum ?? "-", name].map(quoted).join(" ")}\n`,
      );
      const writes = outputs.map(({ file, name }) => `writes ${at}.${attempt} ${file} ${quoted(name)}\n`);
      const run = `task ${at} ${attempt} ${procs} ${[directory ?? "", ...words].map(quoted).join(" ")}\n`;
      const needs = memoryBytes === 0 && gpus === 0 ? "" : `needs ${memoryBytes} ${gpus}\n`;
      return [...reads, ...writes, needs, run].join("");
    })
    .join("");
}

/** The order to end with the last task. */
export const DISMISSAL = "dismiss\n";

/** Reports in whole lines, and the number of bytes that these take. */
interface PilotReports {
  readonly reports: readonly TaskReport[];
  readonly written: readonly WrittenFile[];
  readonly missing: readonly MissingFile[];
  readonly bytes: number;
}

const COUNT = "(\\d{1,7})";
const LINE = new RegExp(`^(b|e) ${COUNT} ${COUNT} (\\d{1,16})(?: (\\d{1,3}))?$`);
const WRITTEN = new RegExp(`^o ${COUNT} ${COUNT} ${COUNT} (\\d{1,15}) ([0-9a-f]{64})$`);
const MISSING = new RegExp(`^m ${COUNT} ${COUNT} \\d{1,16} ${COUNT}$`);

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
  const written = lines.flatMap((line): WrittenFile[] => {
    const [, task, attempt, file, size, checksum] = WRITTEN.exec(line) ?? [];
    if (checksum === undefined) return [];
    return [{ ...numbers({ task, attempt, file, bytes: size }), checksum }];
  });
  const missing = lines.flatMap((line): MissingFile[] => {
    const [, task, attempt, file] = MISSING.exec(line) ?? [];
    return file === undefined ? [] : [numbers({ task, attempt, file })];
  });
  return { reports, written, missing, bytes: end };
}

function numbers<Name extends string>(texts: Readonly<Record<Name, string>>): Record<Name, number> {
  const entries = Object.entries<string>(texts).map(([name, text]) => [name, Number(text)]);
  return Object.fromEntries(entries);
}
