/** Problems and remarks on files that users wrote, in the form of errors. */
import { Fault, formatPosition } from "../base/index.ts";
import type { Remark } from "../formats/yaml/index.ts";

/** A problem as an error that begins with its place: `job.yaml:3:12: …`. */
export function problemFault(file: string, remark: Remark): Fault {
  const { code, what, why, remedy } = remark;
  return new Fault({ kind: "badInput", code, what: `${remarkPlace(file, remark)}: ${what}`, why, remedy });
}

/** Place in the form of editors; only the file where the remark is about all of it. */
export function remarkPlace(file: string, { line, column }: Remark): string {
  if (line === undefined) return file;
  return column === undefined ? `${file}:${line}` : formatPosition({ file, line, column });
}
