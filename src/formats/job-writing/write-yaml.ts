/** A job in YAML: the model's own words, which say everything. */
import { Document, visit } from "yaml";
import type { JobDescription } from "../../model/index.ts";
import { type WrittenJob, wordsOf } from "./written-job.ts";

/** Writes one document. */
export function yamlOf(description: JobDescription): WrittenJob {
  const document = new Document(Object.fromEntries(wordsOf(description)), {
    ...{ version: "1.2", aliasDuplicateObjects: false },
  });
  visit(document, {
    Scalar: (_, node) => {
      if (isBlankLines(node.value)) node.type = "QUOTE_DOUBLE";
    },
  });
  return { text: document.toString({ lineWidth: 0, defaultStringType: "PLAIN" }), unsaid: [] };
}

/** True for a text of blanks and line ends only, of which a block scalar would lose some. */
function isBlankLines(value: unknown): boolean {
  return typeof value === "string" && value.includes("\n") && value.trim() === "";
}
