/**
 * Workflows from files, recognised by their content, also packed by gzip or from standard input.
 *
 * DAGs of DAGMan and JDL are read as jobs, with the files that they name, and then taken as workflows.
 *
 * Bounded: files of up to 64 MiB unpacked.
 */
import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { Fault } from "../../base/index.ts";
import { type Workflow, wantsRecords, withRecordedRuntimes, workflowOf } from "../../plan/index.ts";
import { type JobLanguage, readJobBytes, recogniseJobLanguage } from "../job-languages/index.ts";
import { traceBytes } from "../trace-bytes.ts";
import { firstProblems, type Remark, remarkFault } from "../yaml/index.ts";
import { readDax } from "./dax.ts";
import { readDescribedDag } from "./described-dag.ts";
import { inputProblems } from "./file-problems.ts";
import { readOwnYaml } from "./own-yaml.ts";
import { readPegasusYaml } from "./pegasus-yaml.ts";
import { readPsplib } from "./psplib.ts";
import { type DagForm, type DraftReading, type ReadingRules, ruled, type WorkflowForm } from "./reading.ts";
import { readWfFormat } from "./wfformat.ts";

/** The largest workflow that is read, unpacked. */
export const MOST_WORKFLOW_BYTES = 64 * 2 ** 20;

const READERS: Readonly<Record<WorkflowForm, (text: string) => DraftReading>> = {
  WfFormat: readWfFormat,
  "Pegasus DAX": readDax,
  "Pegasus YAML": readPegasusYaml,
  PSPLIB: readPsplib,
  "Stint workflow": readOwnYaml,
};

/** A workflow and the format that it was in. */
export interface ReadWorkflow {
  readonly form: WorkflowForm | DagForm;
  readonly workflow: Workflow;
  /** What was assumed or left out, a sentence each. */
  readonly remarks: readonly string[];
}

const FORMS: Readonly<Partial<Record<JobLanguage, WorkflowForm>>> = {
  dax: "Pegasus DAX",
  pegasusYaml: "Pegasus YAML",
  psplib: "PSPLIB",
  wfformat: "WfFormat",
  workflowYaml: "Stint workflow",
};

const DAG_FORMS: Readonly<Partial<Record<JobLanguage, DagForm>>> = { dagman: "DAGMan", jdl: "JDL" };

/** A reading, whose problems are part of it. */
export interface WorkflowReading {
  readonly form: WorkflowForm;
  /** Tasks of the file, in order or not; absent where it could not be read. */
  readonly taskCount: number | undefined;
  /** Absent where there are problems. */
  readonly workflow: Workflow | undefined;
  readonly problems: readonly Remark[];
  readonly remarks: readonly string[];
}

/** The format of a text; undefined where it looks like no workflow. */
export function workflowForm(text: string): WorkflowForm | undefined {
  return FORMS[recogniseJobLanguage(text)];
}
/**
 * The workflow of a file.
 *
 * @throws AggregateError of Faults with everything that is wrong about it, or a Fault where nothing is read
 */
export async function readWorkflowFile(file: string, rules: ReadingRules = {}): Promise<ReadWorkflow> {
  const bytes = await bytesOf(file);
  const text = new TextDecoder().decode(bytes);
  const form = DAG_FORMS[recogniseJobLanguage(text)];
  const read =
    form === undefined ? draftReading(text) : { form, reading: await dagReading(bytes, file, rules) };
  if (read === undefined) throw unknownForm(file);
  const reading = await recordedReading(read.reading, rules);
  const inputs = form === undefined && rules.demandsInputs === true ? folderOf(file) : undefined;
  const { workflow, problems, remarks } = checkedReading(reading, rules, inputs);
  if (workflow !== undefined) return { form: read.form, workflow: withPaths(workflow, file), remarks };
  throw new AggregateError(
    problems.map((problem) => remarkFault(file, problem)),
    "the workflow is not in order",
  );
}

/**
 * Files of the user lie beside the file of the workflow: their paths become absolute, and their sizes are
 * those of the files that exist.
 */
function withPaths(workflow: Workflow, file: string): Workflow {
  const folder = folderOf(file);
  const written = new Set(workflow.tasks.flatMap(({ files }) => files?.writes ?? []));
  const tasks = workflow.tasks.map((task) => {
    if (task.files === undefined) return task;
    const reads = task.files.reads.map((name) => (written.has(name) ? name : resolve(folder, name)));
    const own = [...new Set(reads)].filter((name) => !written.has(name));
    const inputs = own.flatMap((path) => sizeOf(path) ?? []).map((bytes) => ({ bytes }));
    return {
      ...{ ...task, files: { ...task.files, reads } },
      ...(inputs.length === 0 ? {} : { inputs }),
    };
  });
  return { ...workflow, tasks };
}

/** Size of a file; undefined where there is none that can be read, which a plan does not need. */
function sizeOf(path: string): number | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}

function folderOf(file: string): string {
  return file === "-" ? process.cwd() : dirname(file);
}

/** A DAG with the files that it names, which are relative to it, or to the working directory. */
async function dagReading(bytes: Uint8Array, file: string, rules: ReadingRules): Promise<DraftReading> {
  if (file === "-") return readDescribedDag(await readJobBytes(bytes, process.cwd()), "DAG", rules);
  const name = basename(file).replace(/\.[^.]+$/, "");
  return readDescribedDag(await readJobBytes(bytes, dirname(file), file), name, rules);
}

/**
 * The workflow in bytes, plain or compressed; undefined if they are not a workflow. The user's files are
 * looked up relative to the folder of `file` (`-`: the working directory).
 */
export function readWorkflowBytes(bytes: Uint8Array, file: string): WorkflowReading | undefined {
  const unpacked = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipped(bytes) : bytes;
  if (unpacked === undefined || unpacked.length > MOST_WORKFLOW_BYTES) return undefined;
  const read = draftReading(new TextDecoder().decode(unpacked));
  return read && { form: read.form, ...checkedReading(read.reading, {}, folderOf(file)) };
}

/** The workflow of a text, without other files; undefined where it is none, or a DAG, which names some. */
export function readWorkflowText(text: string, rules: ReadingRules): WorkflowReading | undefined {
  const read = draftReading(text);
  return read && { form: read.form, ...checkedReading(read.reading, rules) };
}

function draftReading(
  text: string,
): { readonly form: WorkflowForm; readonly reading: DraftReading } | undefined {
  const form = workflowForm(text);
  return form && { form, reading: READERS[form](text) };
}

/** The reading with runtimes from records, where tasks state none and nobody gave one for all of them. */
async function recordedReading(reading: DraftReading, rules: ReadingRules): Promise<DraftReading> {
  const { draft, remarks = [] } = reading;
  const { recordedRuns, runtimeMs } = rules;
  if (draft === undefined || recordedRuns === undefined || runtimeMs !== undefined) return reading;
  if (!draft.tasks.some(wantsRecords)) return reading;
  const recorded = withRecordedRuntimes(draft, await recordedRuns());
  return { ...reading, draft: recorded.draft, remarks: [...remarks, ...recorded.remarks] };
}

/** @param inputs folder from which the user's files are looked for; absent: they are not */
function checkedReading(
  { draft, problems, remarks = [] }: DraftReading,
  rules: ReadingRules,
  inputs?: string,
): Omit<WorkflowReading, "form"> {
  const checked = draft === undefined ? undefined : workflowOf(ruled(draft, rules));
  const wrong = [
    ...problems,
    ...(checked === undefined || checked.ok ? [] : checked.refusal),
    ...(draft === undefined || inputs === undefined ? [] : inputProblems(draft, inputs)),
  ].sort(({ line: one = 0 }, { line: other = 0 }) => one - other);
  const workflow = wrong.length === 0 && checked?.ok === true ? checked.value : undefined;
  return { taskCount: draft?.tasks.length, workflow, problems: firstProblems(wrong), remarks };
}

function gunzipped(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_WORKFLOW_BYTES });
  } catch {
    return undefined;
  }
}

async function bytesOf(file: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of traceBytes(file)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_WORKFLOW_BYTES) throw tooLarge(file);
  }
  return Buffer.concat(chunks);
}

function unknownForm(file: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "noWorkflow",
    what: `${file} is not a workflow`,
    why:
      "its content is none of WfFormat, Pegasus DAX or YAML, PSPLIB, DAGMan, JDL, " +
      "and a YAML file with tasks",
    remedy: "check that this is the file you mean",
  });
}

function tooLarge(file: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "workflowTooLarge",
    what: `${file} is too large`,
    why: "unpacked it has more than 64 MiB",
    remedy: "check that this is the file you mean; split a very large workflow",
  });
}
