/**
 * Says which spool has changed: at once where the system tells, and all of them every so often.
 *
 * One watch for the whole site (inotify gives a user 128 of them by default). It can fail to be had and,
 * under load, lose events; the slow look at everything makes up for both, and finds dead wrappers.
 */
import { type FSWatcher, watch } from "node:fs";
import { tokenOfSpool } from "./places.ts";

/** What a watch calls. */
export interface SpoolWatchOptions {
  readonly spool: string;
  readonly pollMs: number;
  changed(token: string): void;
  poll(): void;
}

/** Watches until it is closed; keeps the process alive as long. */
export class SpoolWatch {
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | undefined;

  constructor({ spool, pollMs, changed, poll }: SpoolWatchOptions) {
    this.#timer = setInterval(poll, pollMs);
    try {
      this.#watcher = watch(spool, (_, name) => {
        const token = name === null ? undefined : tokenOfSpool(name);
        if (token !== undefined) changed(token);
      });
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      // No watch to be had (ENOSPC, EMFILE): reports come with the slow look.
    }
  }

  /** Calls nobody any more. */
  close(): void {
    clearInterval(this.#timer);
    this.#watcher?.close();
  }
}
