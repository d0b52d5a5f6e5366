/**
 * Workflows from files, recognised by their content, also packed by gzip or from standard input.
 *
 * Bounded: files of up to 64 MiB unpacked.
 */
import { Fault } from "../../base/index.ts";
import { type Workflow, workflowOf } from "../../plan/index.ts";
import { traceBytes } from "../trace-bytes.ts";
import { remarkFault } from "../yaml/index.ts";
import { readDax } from "./dax.ts";
import { readOwnYaml } from "./own-yaml.ts";
import { readPegasusYaml } from "./pegasus-yaml.ts";
import { readPsplib } from "./psplib.ts";
import { type DraftReading, type ReadingRules, ruled, type WorkflowForm } from "./reading.ts";
import { readWfFormat } from "./wfformat.ts";

const MOST_BYTES = 64 * 2 ** 20;

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

/** The format of a text; undefined where it looks like no workflow. */
export function workflowForm(text: string): WorkflowForm | undefined {
  const beginning = text.slice(0, 4096).trimStart();
  if (/^(<\?xml|<!--|<(\w+:)?adag\b)/.test(beginning)) {
    return /<(\w+:)?adag\b/.test(text) ? "Pegasus DAX" : undefined;
  }
  if (/^PRECEDENCE RELATIONS:/m.test(text)) return "PSPLIB";
  if (beginning.startsWith("{") && /"workflow"\s*:\s*\{/.test(text)) return "WfFormat";
  if (/^(x-)?pegasus\s*:/m.test(text)) return "Pegasus YAML";
  return /^\s*\{?\s*["']?(workflow|tasks)["']?\s*:/m.test(text) ? "Stint workflow" : undefined;
}

/**
 * The workflow of a file.
 *
 * @throws AggregateError of Faults with everything that is wrong about it, or a Fault where nothing is read
 */
export async function readWorkflowFile(file: string, rules: ReadingRules = {}): Promise<ReadWorkflow> {
  const text = await textOf(file);
  const form = workflowForm(text);
  if (form === undefined) throw unknownForm(file);
  const { draft, problems } = READERS[form](text);
  const checked = draft === undefined ? undefined : workflowOf(ruled(draft, rules));
  const wrong = [...problems, ...(checked === undefined || checked.ok ? [] : checked.refusal)];
  if (wrong.length === 0 && checked?.ok === true) return { form, workflow: checked.value };
  throw new AggregateError(
    wrong.map((problem) => remarkFault(file, problem)),
    "the workflow is not in order",
  );
}

async function textOf(file: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of traceBytes(file)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw tooLarge(file);
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
