/**
 * The wrapper's pen: writes reports in order, and keeps trying when the disk is full.
 *
 * A job that has ended is told about when there is room again; until then its wrapper waits.
 */
import { closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { complain } from "./complain.ts";
import { appendJsonLine } from "./json-lines.ts";
import type { ReportLine } from "./reports.ts";

const RETRY_MS = 1000;

/** Writes the lines of one spool. */
export class ReportWriter {
  readonly #spool: string;
  readonly #waiting: ReportLine[] = [];
  #isRetrying = false;
  #hasComplained = false;

  constructor(spool: string) {
    this.#spool = spool;
  }

  /** Writes at once when that is possible. The end is forced to the disk. */
  write(line: ReportLine): void {
    this.#waiting.push(line);
    if (!this.#isRetrying) this.#flush();
  }

  #flush(): void {
    this.#isRetrying = false;
    try {
      for (let line = this.#waiting[0]; line !== undefined; line = this.#waiting[0]) {
        appendJsonLine(this.#spool, line, line.kind === "ended");
        if (line.kind === "ended") syncDirectory(dirname(this.#spool));
        this.#waiting.shift();
      }
      this.#hasComplained = false;
    } catch (error) {
      this.#isRetrying = true;
      setTimeout(() => this.#flush(), RETRY_MS);
      // Once: a full disk needs no more lines.
      if (!this.#hasComplained) complain(`cannot write to ${this.#spool}, trying again: ${error}`);
      this.#hasComplained = true;
    }
  }
}

/** A file's name is on the disk when its directory is; not every file system can do that. */
function syncDirectory(path: string): void {
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } catch {
    // The file itself was forced to the disk; more cannot be had here.
  } finally {
    closeSync(directory);
  }
}
