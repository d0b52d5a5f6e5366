/**
 * A remark on a file as the fault that stops whoever needs the file.
 */
import { Fault, formatPosition } from "../../base/index.ts";
import type { Remark } from "./remark.ts";

/** A fault of bad input that begins with its place, `job.yaml:3:12: …`, or with the file alone. */
export function remarkFault(file: string, { code, line, column = 1, what, why, remedy }: Remark): Fault {
  const where = line === undefined ? file : formatPosition({ file, line, column });
  return new Fault({ kind: "badInput", code, what: `${where}: ${what}`, why, remedy });
}
