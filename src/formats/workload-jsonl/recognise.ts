/**
 * Distinguishes workloads in JSON lines from traces: by the end of the name, else by the first characters.
 */
import { statSync } from "node:fs";
import { STANDARD_INPUT } from "../standard-input.ts";
import { traceBytes } from "../trace-bytes.ts";

/** Enough to see past blank lines. */
const LOOKED_AT_BYTES = 1024;

/**
 * True for a workload in JSON lines, plain or gzip (rule FO-21); an unreadable file is left to the next
 * reader, which reports why.
 */
export async function isWorkloadFile(file: string): Promise<boolean> {
  if (/\.jsonl(\.gz)?$/i.test(file)) return true;
  // What has another known name is that, and a pipe would lose what is looked at.
  if (/\.(swf(\.gz)?|ya?ml|json)$/i.test(file) || /^\/(dev|proc)\//.test(file)) return false;
  try {
    if (file !== STANDARD_INPUT && !statSync(file).isFile()) return false;
    return /^\uFEFF?\s*\{\s*"(pool|job|cancel|down|reservation|period)"\s*:/.test(await beginningOf(file));
  } catch {
    return false;
  }
}

async function beginningOf(file: string): Promise<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let begin = "";
  for await (const chunk of traceBytes(file, { chunkBytes: LOOKED_AT_BYTES })) {
    begin += decoder.decode(chunk, { stream: true });
    if (begin.length >= LOOKED_AT_BYTES) break;
  }
  return begin;
}
