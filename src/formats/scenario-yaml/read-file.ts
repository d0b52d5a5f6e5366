/**
 * Reads a scenario from a file.
 */
import { dirname, resolve } from "node:path";
import { fileState, readBounded, textOfBytes } from "../yaml/index.ts";
import { readScenarioYaml, type ScenarioReading } from "./read.ts";

/** What the file says; paths in it are relative to its folder. Never throws for what it says. */
export async function readScenarioFile(file: string): Promise<ScenarioReading> {
  const bytes = await readBounded(file);
  const text = bytes.ok ? textOfBytes(bytes.value) : bytes;
  if (text.ok) return readScenarioYaml(text.value, { folder: dirname(resolve(file)), fileState });
  return { scenario: undefined, problems: [text.refusal] };
}
