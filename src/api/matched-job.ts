/** A job that is matched without being submitted. */
import type { JobMatchRequest, JobMatchView } from "../contract/index.ts";
import type { AnswerTo } from "../engine/index.ts";
import { type MatchedJob, problemOfDescription } from "../match/index.ts";
import { refusalProblem } from "./problem.ts";
import { completeDescription } from "./submit-jobs.ts";

/** The job for matching. @throws Problem where an expression cannot be read, or can never be true */
export function matchedJob(
  request: JobMatchRequest,
  { consumer, owner }: { readonly consumer: string; readonly owner: string },
): MatchedJob {
  const description = completeDescription({ executable: "true", ...request });
  const job = { id: "", description, consumer, owner };
  const problem = problemOfDescription(job);
  if (problem !== undefined) throw refusalProblem(problem);
  return job;
}

/** Which sites match a job, as JSON for people. */
export function matchView({ sites, ...table }: AnswerTo<"matchTable">): JobMatchView {
  return {
    ...table,
    sites: sites.map(({ data, ...site }) => {
      if (data === undefined) return site;
      const { transferMs, ...same } = data;
      return { ...site, data: { ...same, transferSec: transferMs / 1000 } };
    }),
  };
}
