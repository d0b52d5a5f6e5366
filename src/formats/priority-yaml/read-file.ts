/**
 * Reads the rules of a priority from the disk.
 */
import { Fault, formatPosition } from "../../base/index.ts";
import type { PriorityName, PriorityRules } from "../../model/index.ts";
import { type Remark, readBounded, textOfBytes } from "../yaml/index.ts";
import { readPriorityYaml } from "./read.ts";

/**
 * The rules of this priority: those of the file, completed; without one what is usual.
 *
 * @throws Fault with everything that is wrong about the file, its first problem first
 */
export async function readPriorityFile(name: PriorityName, file?: string): Promise<PriorityRules> {
  if (file === undefined) return readPriorityYaml("", name).rules;
  const bytes = await readBounded(file);
  const text = bytes.ok ? textOfBytes(bytes.value) : bytes;
  if (!text.ok) throw faultOf(file, [text.refusal]);
  const { rules, problems } = readPriorityYaml(text.value, name);
  if (problems.length > 0) throw faultOf(file, problems);
  return rules;
}

function faultOf(file: string, [first, ...others]: readonly Remark[]): Fault {
  const { code, line, column = 1, what, why, remedy } = first;
  const where = line === undefined ? file : formatPosition({ file, line, column });
  const more = others.map((other) => `; line ${other.line}: ${other.what}`).join("");
  return new Fault({ kind: "badInput", code, what: `${where}: ${what}`, why: `${why}${more}`, remedy });
}
