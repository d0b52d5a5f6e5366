/**
 * Reads the job descriptions of a file, whatever language they are in (rule FO-21).
 */
import { dirname } from "node:path";
import { fileState, readBounded, textOfBytes, type Words } from "../yaml/index.ts";
import { type JobReading, readJobYaml } from "./read.ts";
import { type JobLanguage, LANGUAGE_NAMES, recogniseJobLanguage } from "./recognise.ts";

/** What a file says; paths in it are relative to its folder. A file that cannot be read is a problem. */
export async function readJobFile(file: string): Promise<JobReading> {
  const bytes = await readBounded(file);
  return bytes.ok ? readJobBytes(bytes.value, dirname(file)) : onlyProblem(bytes.refusal);
}

/** What bytes from anywhere say (a file, stdin, a request); paths are relative to `folder`. */
export function readJobBytes(bytes: Uint8Array, folder: string): JobReading {
  const text = textOfBytes(bytes);
  if (!text.ok) return onlyProblem(text.refusal);
  const language = recogniseJobLanguage(text.value);
  if (language !== "yaml") return onlyProblem(notReadYet(language));
  return readJobYaml(text.value, { folder, fileState });
}

function onlyProblem(problem: Words): JobReading {
  return { jobs: [], warnings: [], problems: [problem] };
}

function notReadYet(language: Exclude<JobLanguage, "yaml">): Words {
  return {
    code: "languageNotRead",
    what: `this looks like ${LANGUAGE_NAMES[language]}, which is not read yet`,
    why: "today job descriptions are read in YAML",
    remedy:
      language === "script" || language === "batchScript"
        ? "describe it: executable: with the script's name, and inputSandbox: with its path"
        : "write it in YAML: executable:, arguments:, …; stint check --help shows one",
  };
}
