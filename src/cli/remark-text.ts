/**
 * What is wrong or odd about a file that somebody wrote, in the words of an error.
 */
import { Fault, formatPosition } from "../base/index.ts";
import type { Remark } from "../formats/yaml/index.ts";

/** A problem as an error that begins with its place: `job.yaml:3:12: …`. */
export function problemFault(file: string, remark: Remark): Fault {
  const { code, what, why, remedy } = remark;
  return new Fault({ kind: "badInput", code, what: `${remarkPlace(file, remark)}: ${what}`, why, remedy });
}

/** Where it is, as editors write it; the file alone where it is about the whole of it. */
export function remarkPlace(file: string, { line, column }: Remark): string {
  return line === undefined || column === undefined ? file : formatPosition({ file, line, column });
}
