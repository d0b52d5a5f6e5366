/**
 * Workflows from files, recognised by their content, also packed by gzip or from standard input.
 *
 * Bounded: files of up to 64 MiB unpacked.
 */
import { gunzipSync } from "node:zlib";
import { Fault } from "../../base/index.ts";
import { type Workflow, workflowOf } from "../../plan/index.ts";
import { type JobLanguage, recogniseJobLanguage } from "../job-languages/index.ts";
import { traceBytes } from "../trace-bytes.ts";
import { firstProblems, type Remark, remarkFault } from "../yaml/index.ts";
import { readDax } from "./dax.ts";
import { readOwnYaml } from "./own-yaml.ts";
import { readPegasusYaml } from "./pegasus-yaml.ts";
import { readPsplib } from "./psplib.ts";
import { type DraftReading, type ReadingRules, ruled, type WorkflowForm } from "./reading.ts";
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
  readonly form: WorkflowForm;
  readonly workflow: Workflow;
}

const FORMS: Readonly<Partial<Record<JobLanguage, WorkflowForm>>> = {
  dax: "Pegasus DAX",
  pegasusYaml: "Pegasus YAML",
  psplib: "PSPLIB",
  wfformat: "WfFormat",
  workflowYaml: "Stint workflow",
};

/** A reading, whose problems are part of it. */
export interface WorkflowReading {
  readonly form: WorkflowForm;
  /** Tasks of the file, in order or not; absent where it could not be read. */
  readonly taskCount: number | undefined;
  /** Absent where there are problems. */
  readonly workflow: Workflow | undefined;
  readonly problems: readonly Remark[];
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
  const text = await textOf(file);
  const reading = readWorkflowText(text, rules);
  if (reading === undefined) throw unknownForm(file);
  const { form, workflow, problems } = reading;
  if (workflow !== undefined) return { form, workflow };
  throw new AggregateError(
    problems.map((problem) => remarkFault(file, problem)),
    "the workflow is not in order",
  );
}

/** The workflow of bytes, plain or packed; undefined where they are none. */
export function readWorkflowBytes(bytes: Uint8Array): WorkflowReading | undefined {
  const unpacked = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipped(bytes) : bytes;
  if (unpacked === undefined || unpacked.length > MOST_WORKFLOW_BYTES) return undefined;
  return readWorkflowText(new TextDecoder().decode(unpacked), {});
}

function readWorkflowText(text: string, rules: ReadingRules): WorkflowReading | undefined {
  const form = workflowForm(text);
  if (form === undefined) return undefined;
  const { draft, problems } = READERS[form](text);
  const checked = draft === undefined ? undefined : workflowOf(ruled(draft, rules));
  const wrong = [...problems, ...(checked === undefined || checked.ok ? [] : checked.refusal)];
  const workflow = wrong.length === 0 && checked?.ok === true ? checked.value : undefined;
  return { form, taskCount: draft?.tasks.length, workflow, problems: firstProblems(wrong) };
}

function gunzipped(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_WORKFLOW_BYTES });
  } catch {
    return undefined;
  }
}

async function textOf(file: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of traceBytes(file)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_WORKFLOW_BYTES) throw tooLarge(file);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function unknownForm(file: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "noWorkflow",
    what: `${file} is not a workflow`,
    why: "by its content it is none of WfFormat, Pegasus DAX or YAML, PSPLIB, and a YAML file with tasks",
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
