/** Scripts as they are submitted: recognised by `#!`, run as they are. */
import { open } from "node:fs/promises";
import type { Terminal } from "./terminal.ts";

/** True if the file begins with `#!`. A file that cannot be read is none: its reader says why. */
export async function isScript(path: string): Promise<boolean> {
  return (await beginning(path, 2)) === "#!";
}

const HEAD_BYTES = 65_536;

/** Warns of lines for another batch system, on which nothing acts. */
export async function tellUnreadLines(
  file: string,
  { directory, writeError }: Pick<Terminal, "directory" | "writeError">,
): Promise<void> {
  const head = await beginning(file.startsWith("/") ? file : `${directory}/${file}`, HEAD_BYTES);
  const [, mark] = /^#(SBATCH|PBS|BSUB|MSUB|\$)[ \t]/m.exec(head) ?? [];
  if (mark === undefined) return;
  writeError(
    `stint: warning: ${file}: its #${mark} lines are comments to Stint; give -n, -t, --mem, --gpus instead\n`,
  );
}

async function beginning(path: string, bytes: number): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      // A pipe would keep us waiting, and could be read only once.
      if (!(await file.stat()).isFile()) return "";
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
      return buffer.subarray(0, bytesRead).toString("latin1");
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}
