/**
 * Reads a `stint.yaml` from the disk; one that cannot be read is a problem like any other.
 */
import { dirname, resolve } from "node:path";
import { type FileState, readBounded, textOfBytes } from "../yaml/index.ts";
import { type ConfigurationReading, readStintYaml } from "./read.ts";

/** What the file says; paths in it are relative to its folder. */
export async function readStintFile(
  file: string,
  fileState: (path: string) => FileState,
): Promise<ConfigurationReading> {
  const bytes = await readBounded(file);
  const text = bytes.ok ? textOfBytes(bytes.value) : bytes;
  if (text.ok) return readStintYaml(text.value, { folder: dirname(resolve(file)), fileState });
  return { configuration: { server: {}, sites: [] }, problems: [text.refusal] };
}
