/** Reads submit files with the files that `queue … from FILE` names. */
import { readFileSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { JobReading, JobSurroundings } from "../job-reading/index.ts";
import { MAX_TEXT_BYTES } from "../yaml/index.ts";
import { readSubmitFile } from "./read.ts";

/** Reads a submit file; never throws on its content. @param variables macros that a DAG sets */
export function readCondorSubmit(
  text: string,
  surroundings: JobSurroundings,
  variables: ReadonlyMap<string, string> = new Map(),
): JobReading {
  const linesIn = (name: string) => {
    if (surroundings.file === undefined) return "a list in a file is read only for a description in a file";
    return linesOf(isAbsolute(name) ? name : join(surroundings.folder, name));
  };
  return readSubmitFile(text, surroundings, { linesOf: linesIn, variables });
}

/** Lines of a file that have something in them; a text says why there are none. */
function linesOf(path: string): readonly string[] | string {
  try {
    const state = statSync(path);
    if (!state.isFile()) return `${path} is not a file`;
    if (state.size > MAX_TEXT_BYTES) return `${path} has more than ${MAX_TEXT_BYTES} bytes`;
    const lines = readFileSync(path, "utf8").split("\n");
    return lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    return `${path} cannot be read (${code})`;
  }
}
