/** What `stint check` reads: job descriptions, or a workflow, from a file or with `-` from stdin. */
import { dirname } from "node:path";
import { accepted } from "../base/index.ts";
import type { CheckReading } from "../cli/index.ts";
import { readJobBytes } from "../formats/job-languages/index.ts";
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
  const reading = readWorkflowBytes(bytes.value);
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

const NOTHING: CheckReading = { jobs: [], warnings: [], problems: [], translations: [] };
