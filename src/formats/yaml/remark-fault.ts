/** Turns a remark on a file into a Fault. */
import { Fault, formatPosition } from "../../base/index.ts";
import type { Remark } from "./remark.ts";
import { readBounded, textOfBytes } from "./text-file.ts";

/** A fault of bad input that begins with its place, `job.yaml:3:12: …`, or with the file alone. */
export function remarkFault(file: string, { code, line, column = 1, what, why, remedy }: Remark): Fault {
  const where = line === undefined ? file : formatPosition({ file, line, column });
  return new Fault({ kind: "badInput", code, what: `${where}: ${what}`, why, remedy });
}

/** The fault of everything that is wrong about a file: the first in full, of the others what and where. */
function remarksFault(file: string, [first, ...others]: readonly Remark[]): Fault {
  const more = others.map((other) => `; line ${other.line}: ${other.what}`).join("");
  return remarkFault(file, { ...first, why: `${first.why}${more}` });
}

/**
 * Reads a small file completely.
 *
 * @throws Fault with everything that is wrong about the file, its first problem first
 */
export async function readWholeFile<Said>(
  file: string,
  read: (text: string) => { readonly said: Said | undefined; readonly problems: readonly Remark[] },
): Promise<Said> {
  const bytes = await readBounded(file);
  const text = bytes.ok ? textOfBytes(bytes.value) : bytes;
  if (!text.ok) throw remarksFault(file, [text.refusal]);
  const { said, problems } = read(text.value);
  if (said === undefined || problems.length > 0) throw remarksFault(file, problems);
  return said;
}
