/**
 * Attempts of ours in the queue, asked before their files are removed. One reading serves all removals of
 * some seconds: without it, a purge of 10,000 jobs would ask the controller 10,000 times.
 */
import type { Clock } from "../../runtime/index.ts";
import { fetchQueue } from "./fetch-queue.ts";
import type { TokenOf } from "./own-jobs.ts";
import type { RunCommand } from "./run-command.ts";

/** For how long a reading holds, unless something is submitted meanwhile. */
const HOLDS_MS = 10_000;

interface QueueWorld {
  readonly run: RunCommand;
  readonly clock: Pick<Clock, "nowMs">;
  readonly tokenOf: TokenOf;
}

/** Attempts in the queue of a cluster. */
export function queuedTokens({ run, clock, tokenOf }: QueueWorld): QueuedTokens {
  return new QueuedTokens(async () => {
    const { jobs } = await fetchQueue(run);
    return new Set(jobs.flatMap((job) => tokenOf(job) ?? []));
  }, clock);
}

/** Answers whether an attempt is in the queue. */
export class QueuedTokens {
  readonly #read: () => Promise<ReadonlySet<string>>;
  readonly #clock: Pick<Clock, "nowMs">;
  #last: { readonly atMs: number; readonly tokens: Promise<ReadonlySet<string>> } | undefined;

  constructor(read: () => Promise<ReadonlySet<string>>, clock: Pick<Clock, "nowMs">) {
    this.#read = read;
    this.#clock = clock;
  }

  /** Drops the last reading, because of a submission that it does not show. */
  outdate(): void {
    this.#last = undefined;
  }

  /**
   * True if the attempt is in the queue. Jobs do not return to the queue, so an older reading without the
   * attempt is sufficient; one with it may be out of date, and the queue is read again.
   */
  async has(token: string): Promise<boolean> {
    const atMs = this.#clock.nowMs();
    const last = this.#last;
    const isOfNow = last === undefined || last.atMs === atMs;
    if (!(await this.#tokens(atMs)).has(token)) return false;
    if (isOfNow) return true;
    if (this.#last === last) this.outdate();
    return (await this.#tokens(atMs)).has(token);
  }

  async #tokens(atMs: number): Promise<ReadonlySet<string>> {
    const ageMs = atMs - (this.#last?.atMs ?? Number.NEGATIVE_INFINITY);
    if (this.#last === undefined || ageMs < 0 || ageMs > HOLDS_MS)
      this.#last = { atMs, tokens: this.#read() };
    const used = this.#last;
    try {
      return await used.tokens;
    } catch (error) {
      if (this.#last === used) this.outdate();
      throw error;
    }
  }
}
