/** The one job that a file describes, for a prediction or a match. */
import type { JobMatchRequest } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { asSubmitted } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { problemFault } from "./remark-text.ts";
import { translationWarnings } from "./translation-lines.ts";

/** Reason why a command takes only one job, and the remedy. */
interface AskedOfOne {
  readonly why: string;
  readonly remedy: string;
}

/** The job, without its input sandbox, as nothing is run. @throws Fault for several jobs, or none */
export async function readOneJob(
  file: string,
  context: CommandContext,
  { why, remedy }: AskedOfOne,
): Promise<JobMatchRequest> {
  const read = await context.readJobFile();
  const { jobs, problems, translations } = await read(file);
  if (problems.length > 0) {
    const faults = problems.map((problem) => problemFault(file, problem));
    throw new AggregateError(faults, `${file} has problems`);
  }
  for (const text of translationWarnings(file, translations)) context.terminal.writeError(text);
  const [job] = jobs;
  if (job !== undefined && jobs.length === 1) return { ...asSubmitted(job.description), inputSandbox: [] };
  const what = `${file} describes ${jobs.length} jobs`;
  throw new Fault({ kind: "badInput", code: "notOneJob", what, why, remedy });
}
