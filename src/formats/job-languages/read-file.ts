/** Reads the job descriptions of a file, whatever language they are in (rule FO-21). */
import { dirname } from "node:path";
import { expandInput } from "../input-files/index.ts";
import type { JobReading, JobSurroundings } from "../job-reading/index.ts";
import { fileState, readBounded, readText, textOfBytes, type Words } from "../yaml/index.ts";
import { LANGUAGES, readLanguages } from "./languages.ts";
import { type JobLanguage, recogniseJobLanguage } from "./recognise.ts";

/** Reads a file; its paths are relative to its folder. An unreadable file is a problem. */
export async function readJobFile(file: string): Promise<JobReading> {
  const bytes = await readBounded(file);
  return bytes.ok ? readBytes(bytes.value, { folder: dirname(file), file }) : onlyProblem(bytes.refusal);
}

/** Reads bytes of stdin, a request, or a file that is read already; paths are relative to `folder`. */
export function readJobBytes(bytes: Uint8Array, folder: string, file?: string): Promise<JobReading> {
  return readBytes(bytes, { folder, ...(file === undefined ? {} : { file }) });
}

async function readBytes(
  bytes: Uint8Array,
  from: Pick<JobSurroundings, "folder" | "file">,
): Promise<JobReading> {
  const text = textOfBytes(bytes);
  if (!text.ok) return onlyProblem(text.refusal);
  return readJobText(text.value, { ...from, fileState, expandInput, readText });
}

/** Reads a text in whatever language it is. */
export async function readJobText(text: string, surroundings: JobSurroundings): Promise<JobReading> {
  const language = recogniseJobLanguage(text);
  const { load, isWorkflow } = LANGUAGES[language];
  if (isWorkflow) return onlyProblem(isOfPlan(language));
  if (language === "stream") return onlyProblem(IS_STREAM);
  return load === undefined ? onlyProblem(notReadYet(language)) : (await load())(text, surroundings);
}

function onlyProblem(problem: Words): JobReading {
  return { jobs: [], warnings: [], problems: [problem], translations: [] };
}

function isOfPlan(language: JobLanguage): Words {
  return {
    code: "isWorkflow",
    what: `this is a workflow (${LANGUAGES[language].name}), and not a job`,
    why: "the tasks of a workflow are planned before they run",
    remedy: "plan it: stint plan FILE, and with --execute it runs; stint check FILE shows how it is read",
  };
}

const IS_STREAM: Words = {
  code: "isStream",
  what: "this is a stream, and not a job",
  why: "a stream is admitted when its processors, bandwidth and storage are free at the same time",
  remedy: "submit it: stint stream submit FILE; stint check FILE shows how it is read",
};

function notReadYet(language: JobLanguage): Words {
  return {
    code: "languageNotRead",
    what: `this looks like ${LANGUAGES[language].name}, which is not supported yet`,
    why: `supported job descriptions are ${readLanguages()}`,
    remedy:
      language === "script"
        ? "run it: stint submit SCRIPT ARGUMENTS…, the script as the first file and no description beside it"
        : "write it in YAML: executable:, arguments:, …; stint check --help shows one",
  };
}
