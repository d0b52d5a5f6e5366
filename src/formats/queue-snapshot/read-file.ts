/**
 * Reads a queue that somebody wrote down from the disk.
 */
import { Fault, formatPosition } from "../../base/index.ts";
import type { QueueSnapshot } from "../../model/index.ts";
import { type Remark, readBounded, textOfBytes } from "../yaml/index.ts";
import { readQueueSnapshot } from "./read.ts";

/**
 * The snapshot of a file.
 *
 * @throws Fault with everything that is wrong about the file, its first problem first
 */
export async function readQueueSnapshotFile(file: string): Promise<QueueSnapshot> {
  const bytes = await readBounded(file);
  const text = bytes.ok ? textOfBytes(bytes.value) : bytes;
  if (!text.ok) throw faultOf(file, [text.refusal]);
  const { snapshot, problems } = readQueueSnapshot(text.value);
  if (snapshot === undefined) throw faultOf(file, problems);
  return snapshot;
}

function faultOf(file: string, [first, ...others]: readonly Remark[]): Fault {
  const { code, line, column = 1, what, why, remedy } = first;
  const where = line === undefined ? file : formatPosition({ file, line, column });
  const more = others.map((other) => `; line ${other.line}: ${other.what}`).join("");
  return new Fault({ kind: "badInput", code, what: `${where}: ${what}`, why: `${why}${more}`, remedy });
}
