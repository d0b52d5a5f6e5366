/**
 * Reads the job descriptions of a file, whatever language they are in (rule FO-21).
 */
import { accessSync, constants, createReadStream, statSync } from "node:fs";
import { dirname } from "node:path";
import { readFault } from "../file-fault.ts";
import type { FileState } from "./draft.ts";
import { type JobReading, readJobYaml } from "./read.ts";
import { type JobLanguage, LANGUAGE_NAMES, recogniseJobLanguage } from "./recognise.ts";
import type { Remark } from "./remark.ts";

/** The largest description that is read. */
export const MAX_JOB_FILE_BYTES = 1024 * 1024;

/** What a file says; paths in it are relative to its folder. A file that cannot be read is a problem. */
export async function readJobFile(file: string): Promise<JobReading> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(file, { end: MAX_JOB_FILE_BYTES })) chunks.push(chunk);
  } catch (error) {
    return onlyProblem({ ...readFault(error, file), what: "it cannot be read" });
  }
  return readJobBytes(Buffer.concat(chunks), dirname(file));
}

/** What bytes from anywhere say (a file, stdin, a request); paths are relative to `folder`. */
export function readJobBytes(bytes: Uint8Array, folder: string): JobReading {
  if (bytes.length > MAX_JOB_FILE_BYTES) return onlyProblem(tooLarge);
  const text = decoded(bytes);
  if (text === undefined) return onlyProblem(notText);
  const language = recogniseJobLanguage(text);
  return language === "yaml" ? readJobYaml(text, { folder, fileState }) : onlyProblem(notReadYet(language));
}

/** What this process finds under a path. */
export function fileState(path: string): FileState {
  try {
    if (statSync(path).isDirectory()) return "directory";
    accessSync(path, constants.R_OK);
    return "readable";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    return code === "EACCES" || code === "EPERM" ? "notReadable" : "missing";
  }
}

/** The text of UTF-8 without NUL, a byte order mark taken off; undefined for anything else. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

function onlyProblem({ code, what, why, remedy }: Remark): JobReading {
  return { jobs: [], warnings: [], problems: [{ code, what, why, remedy }] };
}

function notReadYet(language: Exclude<JobLanguage, "yaml">): Remark {
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

const tooLarge = {
  code: "descriptionTooLarge",
  what: "this is too much for a job description",
  why: `it has more than ${MAX_JOB_FILE_BYTES} bytes`,
  remedy: "check that this is the file you mean; split a very long one into several",
};
const notText = {
  code: "notText",
  what: "this is not a text file",
  why: "it has bytes that are not UTF-8, or NUL",
  remedy: "check that this is the file you mean, or save it as UTF-8",
};
