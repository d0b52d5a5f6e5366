/** Scripts as they are submitted: recognised by `#!`, run as they are. */
import { open } from "node:fs/promises";

/** True if the file begins with `#!`. A file that cannot be read is none: its reader says why. */
export async function isScript(path: string): Promise<boolean> {
  return (await beginning(path, 2)) === "#!";
}

const HEAD_BYTES = 65_536;

/** True if the script has directives of a batch system, which describe the job. */
export async function hasDirectives(path: string): Promise<boolean> {
  const { isBatchScript } = await import("../formats/job-languages/index.ts");
  return isBatchScript(await beginning(path, HEAD_BYTES));
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
