/** What `stint check` reads: job descriptions, a workflow or a stream, from a file or with `-` from stdin. */
import { dirname } from "node:path";
import { accepted } from "../base/index.ts";
import type { CheckReading } from "../cli/index.ts";
import { readJobBytes } from "../formats/job-languages/index.ts";
import { readStreamText, streamForm } from "../formats/stream/index.ts";
import { MOST_WORKFLOW_BYTES, readWorkflowBytes } from "../formats/workflow/index.ts";
import { readBounded } from "../formats/yaml/index.ts";
import { measuresOf } from "../plan/index.ts";
import { standardInput } from "./read-job-input.ts";

/** Reads one file; errors in it are part of the result. */
export async function checkInput(file: string): Promise<CheckReading> {
  const isStdin = file === "-";
  const bytes = isStdin
    ? accepted(await standardInput(MOST_WORKFLOW_BYTES))
    : await readBounded(file, MOST_WORKFLOW_BYTES);
  if (!bytes.ok) return { ...NOTHING, problems: [bytes.refusal] };
  const stream = streamIn(bytes.value);
  if (stream !== undefined) return stream;
  const reading = readWorkflowBytes(bytes.value, file);
  if (reading === undefined) {
    return isStdin
      ? readJobBytes(bytes.value, process.cwd())
      : readJobBytes(bytes.value, dirname(file), file);
  }
  const { form, taskCount, workflow: whole, problems } = reading;
  if (whole === undefined) return { ...NOTHING, problems, workflow: { form, taskCount } };
  const { name, capacities } = whole;
  const resources = capacities === undefined ? {} : { resources: capacities };
  const understood = { name, form, ...measuresOf(whole), ...resources };
  return { ...NOTHING, workflow: { form, taskCount, understood } };
}

/** The stream of bytes; undefined where they are none. */
function streamIn(bytes: Uint8Array): CheckReading | undefined {
  const text = new TextDecoder().decode(bytes);
  const form = streamForm(text);
  if (form === undefined) return undefined;
  const { stream, problems } = readStreamText(text, form);
  const understood = stream === undefined ? {} : { understood: stream };
  return { ...NOTHING, problems, stream: { form, ...understood } };
}

const NOTHING: CheckReading = { jobs: [], warnings: [], problems: [], translations: [] };
