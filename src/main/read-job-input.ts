/**
 * Job descriptions from a file, or with `-` from stdin; paths in those are relative to where one is.
 */
import type { JobReading } from "../formats/job-yaml/index.ts";

/** Reads them; what is wrong with them is part of the answer. */
export async function readJobInput(file: string): Promise<JobReading> {
  const jobYaml = await import("../formats/job-yaml/index.ts");
  if (file !== "-") return jobYaml.readJobFile(file);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > jobYaml.MAX_JOB_FILE_BYTES) return tooLarge;
  }
  const text = Buffer.concat(chunks).toString("utf8");
  return jobYaml.readJobYaml(text, { folder: process.cwd(), fileState: jobYaml.fileState });
}

const tooLarge: JobReading = {
  jobs: [],
  warnings: [],
  problems: [
    {
      code: "descriptionTooLarge",
      what: "it is larger than a description may be",
      why: "at most 1 MiB is read",
      remedy: "split it into several",
    },
  ],
};
