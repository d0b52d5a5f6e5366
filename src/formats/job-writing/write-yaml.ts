/** A job in YAML: the model's own words, which say everything. */
import { stringify } from "yaml";
import type { JobDescription } from "../../model/index.ts";
import { type WrittenJob, wordsOf } from "./written-job.ts";

/** Writes one document. */
export function yamlOf(description: JobDescription): WrittenJob {
  const text = stringify(Object.fromEntries(wordsOf(description)), {
    ...{ lineWidth: 0, defaultStringType: "PLAIN", version: "1.2", aliasDuplicateObjects: false },
  });
  return { text, unsaid: [] };
}
