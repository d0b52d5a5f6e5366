/**
 * A job as a script for sbatch. What sbatch has no option for is a comment; variables and the program are
 * lines of the script.
 *
 * Source: sbatch(1) of Slurm 24.11.
 */
import { type JobDescription, sandboxName } from "../../model/index.ts";
import { type WrittenJob, wordsOf } from "./written-job.ts";

const KIB = 1024;
const MAIL_TYPES = { start: "BEGIN", end: "END", fail: "FAIL" } as const;

/** Writes a script. */
export function sbatchOf(description: JobDescription): WrittenJob {
  const { procs, gpus, name, stdInput, stdOutput, stdError, workingDirectory, array } = description;
  const { preferredQueues, hostNumber, wholeNodes, signalBefore, mail, mailTo } = description;
  const unsaid: string[] = [];
  const options: readonly (readonly [string, string | undefined])[] = [
    ["job-name", name],
    ["ntasks", String(procs)],
    ["mem-per-cpu", memoryOption(description, unsaid)],
    ["gpus", gpus === undefined ? undefined : String(gpus)],
    ["time", timeOption(description, unsaid)],
    ["array", array],
    ["partition", preferredQueues?.join(",")],
    ["nodes", hostNumber === undefined ? undefined : String(hostNumber)],
    ["exclusive", wholeNodes === true ? "" : undefined],
    // The program replaces the shell of the script, so the signal is for the shell.
    ["signal", signalBefore === undefined ? undefined : `B:${signalBefore}`],
    ["mail-type", mail?.map((kind) => MAIL_TYPES[kind]).join(",")],
    ["mail-user", mailTo],
    ["chdir", workingDirectory],
    ["input", stdInput],
    ["output", stdOutput.replaceAll("%", "%%")],
    ["error", stdError.replaceAll("%", "%%")],
  ];
  const lines = options.flatMap(([option, value]) => {
    if (value === undefined) return [];
    const word = optionWord(value);
    if (word === undefined) unsaid.push(`--${option}: ${JSON.stringify(value)}`);
    if (word === undefined) return [];
    return [value === "" ? `#SBATCH --${option}\n` : `#SBATCH --${option}=${word}\n`];
  });
  for (const [word, value] of wordsOf(description)) {
    if (!SAID.has(word)) unsaid.push(`${word}: ${JSON.stringify(value)}`);
  }
  return { text: `${lines.join("")}\n${commandLines(description)}`, unsaid };
}

/** Words that options or the lines of the script say. */
const SAID: ReadonlySet<string> = new Set([
  ...["name", "executable", "arguments", "environment", "stdInput", "stdOutput", "stdError"],
  ...["workingDirectory", "procs", "memory", "gpus", "wallTime", "array"],
  ...["preferredQueues", "hostNumber", "wholeNodes", "signalBefore", "mail", "mailTo"],
]);

function memoryOption({ memoryBytes, procs }: JobDescription, unsaid: string[]): string | undefined {
  if (memoryBytes === undefined) return undefined;
  const perProc = Math.ceil(memoryBytes / procs / KIB);
  if (perProc * procs * KIB !== memoryBytes) unsaid.push("memory is rounded up: sbatch has it per processor");
  return `${perProc}K`;
}

function timeOption({ wallTimeMs }: JobDescription, unsaid: string[]): string | undefined {
  if (wallTimeMs === undefined) return undefined;
  const minutes = Math.ceil(wallTimeMs / 60_000);
  if (minutes * 60_000 !== wallTimeMs) unsaid.push("wallTime is rounded up to whole minutes");
  const two = (part: number) => String(part).padStart(2, "0");
  return `${Math.floor(minutes / 1440)}-${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}:00`;
}

/** A value as sbatch reads it from a line; undefined where it has line ends. */
function optionWord(value: string): string | undefined {
  if (/[\p{Cc}\u2028\u2029]/u.test(value)) return undefined;
  return /^[\w.,:/%+@=-]+$/.test(value) ? value : `"${value.replace(/["\\]/g, "\\$&")}"`;
}

/** A program that the job brings along is named by its path: sbatch sends no files. */
function commandLines({ environment, executable, inputSandbox, ...rest }: JobDescription): string {
  const program = inputSandbox.find((path) => sandboxName(path) === executable) ?? executable;
  const words = rest.arguments;
  const variables = Object.entries(environment).map(
    ([name, value]) => `export ${name}=${shellWord(value)}\n`,
  );
  return `${variables.join("")}exec ${[program, ...words].map(shellWord).join(" ")}\n`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
