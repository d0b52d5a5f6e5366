/**
 * Reads policy files from the disk; one that cannot be read is a problem like any other.
 */
import { readFile } from "node:fs/promises";
import { readFault } from "../file-fault.ts";
import { readBounded, textOfBytes } from "../yaml/index.ts";
import type { KnownNames } from "./known.ts";
import { type PolicyReading, readPolicies } from "./read.ts";
import { type RequestsReading, readRequests } from "./read-requests.ts";

/** Reads files as one set. */
export async function readPolicyFiles(files: readonly string[], known?: KnownNames): Promise<PolicyReading> {
  const texts = await Promise.all(
    files.map(async (file) => {
      const bytes = await readBounded(file);
      return bytes.ok ? textOfBytes(bytes.value) : bytes;
    }),
  );
  const reading = readPolicies(
    texts.flatMap((text) => (text.ok ? [text.value] : [])),
    known,
  );
  const read = [...reading.remarks];
  const remarks = texts.map((text) =>
    text.ok ? (read.shift() ?? NONE) : { problems: [text.refusal], warnings: [] },
  );
  return { ...reading, remarks };
}

const NONE = { problems: [], warnings: [] };

/** The requests of a file, which may be long: a program writes them. */
export async function readRequestsFile(file: string): Promise<RequestsReading> {
  try {
    return readRequests(await readFile(file, "utf8"));
  } catch (error) {
    const { code, why, remedy } = readFault(error, file);
    return { requests: [], problems: [{ code, what: "it cannot be read", why, remedy }] };
  }
}
