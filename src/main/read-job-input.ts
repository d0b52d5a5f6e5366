/**
 * Job descriptions from a file, or with `-` from stdin; paths in them are relative to the file or the
 * working directory.
 */
import type { JobReading } from "../formats/job-reading/index.ts";
import { MAX_TEXT_BYTES } from "../formats/yaml/index.ts";

/** Reads descriptions; errors in them are part of the result. */
export async function readJobInput(file: string): Promise<JobReading> {
  const { readJobBytes, readJobFile } = await import("../formats/job-languages/index.ts");
  if (file !== "-") return readJobFile(file);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Too much already; the reader says so.
    if (bytes > MAX_TEXT_BYTES) break;
  }
  return readJobBytes(Buffer.concat(chunks), process.cwd());
}
