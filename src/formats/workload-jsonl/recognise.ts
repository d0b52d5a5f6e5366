/**
 * Distinguishes workloads in JSON lines from traces: by the end of the name, else by the first characters.
 */
import { createReadStream, statSync } from "node:fs";

/** Enough to see past blank lines. */
const LOOKED_AT_BYTES = 1024;

/**
 * True for a workload in JSON lines (rule FO-21); an unreadable file is left to the next reader, which
 * reports why.
 */
export async function isWorkloadFile(file: string): Promise<boolean> {
  if (/\.jsonl(\.gz)?$/i.test(file)) return true;
  // What has another known name is that, and a pipe would lose what is looked at.
  if (/\.(swf|gz|ya?ml|json)$/i.test(file) || /^(-|\/dev\/.*|\/proc\/.*)$/.test(file)) return false;
  try {
    if (!statSync(file).isFile()) return false;
    let begin = "";
    for await (const chunk of createReadStream(file, { end: LOOKED_AT_BYTES - 1, encoding: "utf8" })) {
      begin += chunk;
    }
    return /^\uFEFF?\s*\{\s*"(pool|job|cancel|down|reservation|period)"\s*:/.test(begin);
  } catch {
    return false;
  }
}
