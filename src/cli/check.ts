/** `stint check FILE…`: shows how job descriptions are read, with every problem in them. */

import { Command } from "commander";
import { counted, Fault, formatDuration, formatSize } from "../base/index.ts";
import { absoluteInput } from "../formats/input-files/index.ts";
import type { DescribedJob, JobReading } from "../formats/job-reading/index.ts";
import type { JobForm } from "../formats/job-writing/index.ts";
import { asSubmitted, jobsOfSweep } from "../model/index.ts";
import type { StreamSpec } from "../stream/index.ts";
import { outColours } from "./colours.ts";
import { oneOf } from "./option-values.ts";
import type { UnderstoodWorkflow } from "./plan-tools.ts";
import { problemFault, remarkPlace } from "./remark-text.ts";
import { EXIT_CODES, faultText } from "./report-fault.ts";
import { streamText, streamValue } from "./stream-text.ts";
import { printable } from "./text-table.ts";
import { translationTable } from "./translation-lines.ts";
import { workflowText, workflowValue } from "./workflow-text.ts";

/** Reads the descriptions of one file; problems are part of the result. */
export type ReadJobFile = (file: string) => Promise<JobReading>;

/** A workflow as far as it was understood. */
export interface CheckedWorkflow {
  /** Name of its format. */
  readonly form: string;
  /** Tasks of the file; absent where it could not be read. */
  readonly taskCount: number | undefined;
  /** Absent where the workflow has problems. */
  readonly understood?: UnderstoodWorkflow;
}

/** A stream as far as it was understood. */
interface CheckedStream {
  /** Name of its format. */
  readonly form: string;
  /** Absent where the stream has problems. */
  readonly understood?: StreamSpec;
}

/** Jobs, a workflow, or a stream. */
export interface CheckReading extends JobReading {
  readonly workflow?: CheckedWorkflow;
  readonly stream?: CheckedStream;
}

/** Reads one file of jobs, of a workflow or of a stream; problems are part of the result. */
export type CheckFile = (file: string) => Promise<CheckReading>;

/** Terminal and exit code of the command. */
export interface CheckSurroundings {
  /** Where relative paths of the command line begin. */
  readonly directory: string;
  readonly writeResult: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Sets the exit code of a command that completed. */
  readonly endWith: (exitCode: number) => void;
}

interface CheckOptions {
  readonly output: (typeof FORMATS)[number];
}

const FORMATS = ["table", "json", "yaml", "jdl", "sbatch"] as const;

/** A file with its descriptions and problems. */
interface Checked extends CheckReading {
  readonly file: string;
}

const EXAMPLES = `
Examples:
  $ stint check examples/count-lines.yaml
  $ stint check jobs/*.yaml -o json
  $ stint check old.jdl -o yaml
  $ stint check montage.dax
  $ stint check examples/streams/ligo.xml

A description in YAML, of which only the executable is mandatory:
  executable: wc
  arguments: -l data.txt
  inputSandbox: data.txt
  memory: 512M
  wallTime: 1h30m

For a workflow (WfFormat, Pegasus DAX or YAML, a PSPLIB project, YAML with tasks) it shows tasks, edges,
levels, width (most tasks of one level), critical path, bytes transferred and
work. If there is a cycle, its tasks are named. For a stream (YAML under
stream:, or XML) it shows minima, utility and sources.

-o yaml, jdl and sbatch convert the jobs to that form from any other. What was not translated, or cannot be
expressed in that form, is written as a comment.

Exit codes: 0 no problems (warnings do not count), 2 at least one problem.
`;

/** Command definition of `stint check FILE…`. */
export function checkCommand(load: () => Promise<CheckFile>, surroundings: CheckSurroundings): Command {
  return new Command("check")
    .summary("check job descriptions and show how they are read")
    .description(
      "Checks job descriptions, workflows and streams without a broker: prints how each was read, " +
        "warnings, every error with its position, and lines of other languages that have no equivalent. " +
        "Submits nothing.",
    )
    .argument("<files...>", "job descriptions, workflows or streams in any supported language; - for stdin")
    .option("-o, --output <format>", `${FORMATS.join(", ")}`, oneOf("-o", FORMATS), "table")
    .addHelpText("after", EXAMPLES)
    .action(async (files: string[], options: CheckOptions) => {
      const read = await load();
      const checked: Checked[] = [];
      for (const file of files) checked.push({ file, ...(await read(file)) });
      const { output } = options;
      if (output === "json") surroundings.writeResult(checkedJson(checked));
      else if (output === "table" || !checked.every(isFine)) tell(checked, surroundings);
      else surroundings.writeResult(await converted(checked, output, surroundings));
      if (!checked.every(isFine)) surroundings.endWith(EXIT_CODES.badInput);
    });
}

/** The jobs in another form; their input files by absolute paths, since the text may go anywhere. */
async function converted(
  checked: readonly Checked[],
  form: JobForm,
  { directory }: CheckSurroundings,
): Promise<string> {
  for (const { file, workflow, stream } of checked) {
    if (workflow !== undefined) throw unwritten(file, "workflow", form);
    if (stream !== undefined) throw unwritten(file, "stream", form);
  }
  const { writeJobs } = await import("../formats/job-writing/index.ts");
  const readings = checked.map((one) => ({
    ...one,
    jobs: one.jobs.map((job) => ({
      ...job,
      description: {
        ...job.description,
        inputSandbox: job.description.inputSandbox.map((path) => absoluteInput(directory, path)),
      },
    })),
  }));
  const written = writeJobs(readings, form);
  if (written.ok) return written.value;
  throw new Fault({ kind: "badInput", ...written.refusal });
}

function unwritten(file: string, kind: "workflow" | "stream", form: JobForm): Fault {
  return new Fault({
    kind: "badInput",
    code: `${kind}Unwritten`,
    what: `${file} is a ${kind}, which is not written as ${form}`,
    why: "-o yaml, jdl and sbatch write jobs",
    remedy: "leave it out, or see what was understood of it with -o json",
  });
}

function isFine({ problems }: JobReading): boolean {
  return problems.length === 0;
}

function checkedJson(checked: readonly Checked[]): string {
  const documents = checked.map((one) => ({
    file: one.file,
    ok: isFine(one),
    ...(one.whole === undefined ? {} : { whole: one.whole }),
    ...(one.workflow === undefined ? {} : { workflow: checkedWorkflowValue(one.workflow) }),
    ...(one.stream === undefined ? {} : { stream: checkedStreamValue(one.stream) }),
    jobs: one.jobs.map(({ description, node }) => ({
      ...asSubmitted(description),
      ...(node === undefined ? {} : { node }),
    })),
    warnings: one.warnings,
    problems: one.problems,
    translations: one.translations,
  }));
  return `${JSON.stringify(documents, undefined, 2)}\n`;
}

function checkedWorkflowValue({ form, taskCount, understood: whole }: CheckedWorkflow): unknown {
  return whole === undefined ? { form, tasks: taskCount } : workflowValue(whole);
}

function checkedStreamValue({ form, understood: whole }: CheckedStream): unknown {
  return whole === undefined ? { form } : { form, understood: streamValue(whole) };
}

function tell(checked: readonly Checked[], { writeResult, writeError }: CheckSurroundings): void {
  const rows = checked.flatMap((one) => rowsOf(one));
  const width = Math.max(...rows.map(({ place }) => place.length));
  for (const { verdict, place, understood, notes } of rows) {
    writeResult(`${verdict} ${place.padEnd(width)}  ${understood}\n${notes.join("")}`);
  }
  for (const { file, problems } of checked) {
    for (const problem of problems) writeError(faultText(problemFault(file, problem)));
  }
}

interface Row {
  readonly verdict: string;
  readonly place: string;
  readonly understood: string;
  readonly notes: readonly string[];
}

/** Rows of the table: one per job, and one per file with problems; below are warnings and translations. */
function rowsOf(checked: Checked): Row[] {
  const { file, jobs, problems, warnings, translations, whole, workflow, stream } = checked;
  const rows: Row[] = jobs.map((job) => ({
    verdict: outColours.green("ok "),
    place: `${file}:${job.line}`,
    understood: understood(job),
    notes: [],
  }));
  if (whole !== undefined) {
    rows.unshift({ verdict: "   ", place: file, understood: printable(whole), notes: [] });
  }
  if (workflow?.understood !== undefined) {
    rows.push({
      ...{ verdict: outColours.green("ok "), place: file, notes: [] },
      understood: workflowText(workflow.understood),
    });
  }
  if (stream?.understood !== undefined) {
    rows.push({
      ...{ verdict: outColours.green("ok "), place: file, notes: [] },
      understood: streamText(stream.form, stream.understood),
    });
  }
  if (!isFine(checked)) {
    const beginning = stream === undefined ? beginningOf(workflow) : `${stream.form}: `;
    const count = `${beginning}${counted(problems.length, "problem")}`;
    rows.push({ verdict: outColours.red("bad"), place: file, understood: count, notes: [] });
  }
  const notes = warnings.map(
    (it) => `    ${outColours.yellow("warning")} ${remarkPlace(file, it)}: ${it.what}; ${it.remedy}\n`,
  );
  const table = translationTable(translations);
  const below = table === "" ? notes : [...notes, table];
  return rows.map((row, at) => (at === rows.length - 1 ? { ...row, notes: below } : row));
}

/** Of a workflow with problems: its format, and how many tasks were found. */
function beginningOf(workflow: CheckedWorkflow | undefined): string {
  if (workflow === undefined) return "";
  const { form, taskCount } = workflow;
  return taskCount === undefined ? `${form}: ` : `${form}, ${counted(taskCount, "task")}: `;
}

/**
 * A description in short: `wc -l data.txt: procs 1, memory 512M, wallTime 1h30m, sends 1 file, brings home
 * 1`.
 */
function understood({ description, node }: DescribedJob): string {
  const { executable, procs, memoryBytes, gpus, wallTimeMs, site, reservation } = description;
  const { inputSandbox, outputSandbox, delayCostSuPerHour, array, sweep } = description;
  const command = [executable, ...description.arguments].map(asShellWord).join(" ");
  const said = [
    sweep === undefined ? "" : `sweep of ${counted(jobsOfSweep(sweep), "point")}`,
    sweep !== undefined || array === undefined ? "" : `array ${array}`,
    `procs ${procs}`,
    memoryBytes === undefined ? "" : `memory ${formatSize(memoryBytes)}`,
    gpus === undefined ? "" : `gpus ${gpus}`,
    `wallTime ${wallTimeMs === undefined ? "of the site" : formatDuration(wallTimeMs)}`,
    delayCostSuPerHour === undefined ? "" : `delayCost ${delayCostSuPerHour}`,
    site === undefined ? "" : `site ${site}`,
    reservation === undefined ? "" : `reservation ${reservation}`,
    inputSandbox.length === 0 ? "" : `sends ${counted(inputSandbox.length, "file")}`,
    outputSandbox.length === 0 ? "" : `brings home ${counted(outputSandbox.length, "name")}`,
  ];
  const name = node === undefined ? "" : `${printable(node)}: `;
  return `${name}${shortened(command)}: ${said.filter((part) => part !== "").join(", ")}`;
}

/** The word in shell syntax, without characters that a terminal interprets. */
function asShellWord(word: string): string {
  const harmless = printable(word);
  return /^[\w@%+=:,./-]+$/.test(harmless) ? harmless : `'${harmless.replaceAll("'", "'\\''")}'`;
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
