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
  return readJobBytes(await standardInput(MAX_TEXT_BYTES), process.cwd());
}

/** Bytes of stdin, up to one chunk more than `limitBytes`: too much already, and the reader says so. */
export async function standardInput(limitBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limitBytes) break;
  }
  return Buffer.concat(chunks);
}
