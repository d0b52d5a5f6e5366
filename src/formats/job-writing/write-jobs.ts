/** Writes descriptions, from whatever language they came, in another one; comments say what it cannot say. */
import { accepted, type Result, refused } from "../../base/index.ts";
import type { JobReading } from "../job-reading/index.ts";
import type { Words } from "../yaml/index.ts";
import { jdlOf } from "./write-jdl.ts";
import { sbatchOf } from "./write-sbatch.ts";
import { yamlOf } from "./write-yaml.ts";
import { commentLines, type WrittenJob } from "./written-job.ts";

/** Forms in which descriptions are written. */
export type JobForm = "yaml" | "jdl" | "sbatch";

const VERDICTS = {
  ...{ translated: "Translated", noEffect: "No effect", notTranslated: "Not translated" },
} as const;

const WRITERS = { yaml: yamlOf, jdl: jdlOf, sbatch: sbatchOf } as const;

/** The text of all jobs; refused where a form holds one alone. */
export function writeJobs(readings: readonly JobReading[], form: JobForm): Result<string, Words> {
  const jobs = readings.flatMap(({ jobs: some }) => some);
  if (form === "sbatch" && jobs.length > 1) return refused(oneScript(jobs.length));
  const written = jobs.map(({ description }) => WRITERS[form](description));
  const lost = readings.flatMap(({ translations }) =>
    translations.flatMap(({ line, written: directive, verdict, why }) =>
      why === undefined ? [] : [`${VERDICTS[verdict]}, line ${line}: ${directive}: ${why}`],
    ),
  );
  const comments = [
    ...lost,
    ...written.flatMap(({ unsaid }) => unsaid.map((text) => `Not said here: ${text}`)),
  ];
  return accepted(joinedText(written, form, commentLines(comments)));
}

function joinedText(written: readonly WrittenJob[], form: JobForm, comments: string): string {
  const texts = written.map(({ text }) => text);
  if (form === "sbatch") return `#!/bin/sh\n${comments}${texts.join("")}`;
  if (form === "yaml") return `${comments}${texts.join("---\n")}`;
  if (texts.length === 1) return `${comments}${texts.join("")}`;
  const nodes = texts.map((text) => text.trimEnd().replace(/^/gm, "    "));
  return `${comments}[\n  Type = "Collection";\n  Nodes = {\n${nodes.join(",\n")}\n  };\n]\n`;
}

function oneScript(count: number): Words {
  return {
    code: "severalJobs",
    what: `there are ${count} jobs`,
    why: "a script for sbatch is one job",
    remedy: "write them one by one, or all of them with -o yaml or -o jdl",
  };
}
