/**
 * What a wrapper has to complain about, for whoever reads its log.
 *
 * Imported by the wrapper: Node's own modules only.
 */
import { writeSync } from "node:fs";

const STDERR = 2;

/** Writes a line. A disk that is full takes no complaint about that, and nobody may die of it. */
export function complain(line: string): void {
  try {
    writeSync(STDERR, `${line}\n`);
  } catch {
    // Nobody is left to be told.
  }
}
