/** `/jobs/check`: reads a text of job descriptions as `stint check` reads a file; submits nothing. */
import { jobCheckRequestSchema } from "../../contract/index.ts";
import { readJobText } from "../../formats/job-languages/index.ts";
import type { JobSurroundings } from "../../formats/job-reading/index.ts";
import type { Remark } from "../../formats/yaml/index.ts";
import { asSubmitted } from "../../model/index.ts";
import { type Api, answers, forThoseWhoMay, urlOf } from "./api.ts";

/** Warning of a program that is a file beside the description: a text has no files beside it. */
const OF_A_NEIGHBOUR = "executableNotSent";

/** Registers the route. */
export function addCheckJobs(api: Api): void {
  api.post(
    urlOf("checkJobs"),
    {
      config: forThoseWhoMay("assess"),
      schema: {
        summary: "Parse and check a text of job descriptions; submits nothing",
        tags: ["jobs"],
        body: jobCheckRequestSchema,
        response: answers("JobCheck", 200),
      },
    },
    async (request) => {
      // Whether a file of the broker's machine exists is not for everybody to learn: the submission tells.
      const surroundings: JobSurroundings = { folder: "/", fileState: () => "readable" };
      const reading = await readJobText(request.body.text, surroundings);
      const { jobs, problems, translations } = reading;
      const warnings = reading.warnings.filter(({ code }) => code !== OF_A_NEIGHBOUR);
      return {
        ok: problems.length === 0,
        findings: [
          ...problems.map((remark) => finding("error", remark)),
          ...warnings.map((remark) => finding("warning", remark)),
        ],
        jobs: jobs.map(({ description }) => asSubmitted(description)),
        translations,
      };
    },
  );
}

function finding(severity: "error" | "warning", { line, column, ...words }: Remark) {
  return { severity, line: line ?? null, column: column ?? null, ...words };
}
