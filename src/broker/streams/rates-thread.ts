/**
 * Rates by the genetic algorithm in a thread of its own: a thousand streams take it tens of milliseconds,
 * and other requests are served meanwhile.
 *
 * The thread starts with the first question. It has no state: where it fails, the rates are undefined and
 * the next question starts another.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Session } from "../../stream/index.ts";

/** A question to the thread. */
export interface RatesAsked {
  readonly id: number;
  readonly sessions: readonly Session[];
  readonly inboundBytesPerSec: number;
}

/** Answer of the thread: rates in the order of the sessions. */
export interface RatesFound {
  readonly id: number;
  readonly bytesPerSec: readonly number[];
}

/** Searches of rates. */
export interface RateSearch {
  /** Rates in the order of the sessions; undefined where the thread failed. */
  readonly find: (asked: Omit<RatesAsked, "id">) => Promise<readonly number[] | undefined>;
  readonly stop: () => Promise<void>;
}

/** Creates the search; no thread yet. */
export function createRateSearch(): RateSearch {
  const waiting = new Map<number, (rates: readonly number[] | undefined) => void>();
  let worker: Worker | undefined;
  let lastId = 0;
  const answer = (id: number, rates: readonly number[] | undefined): void => {
    waiting.get(id)?.(rates);
    waiting.delete(id);
  };
  const lose = (lost: Worker): void => {
    if (worker !== lost) return;
    worker = undefined;
    for (const id of [...waiting.keys()]) answer(id, undefined);
  };
  const begin = (): Worker => {
    const mine = new Worker(workerFile(), { execArgv: [], name: "stint stream rates" });
    mine.unref();
    mine.on("message", ({ id, bytesPerSec }: RatesFound) => answer(id, bytesPerSec));
    mine.on("error", () => lose(mine));
    mine.on("exit", () => lose(mine));
    return mine;
  };
  return {
    find: (asked) => {
      worker ??= begin();
      const id = ++lastId;
      worker.postMessage({ id, ...asked } satisfies RatesAsked);
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    stop: async () => {
      const mine = worker;
      if (mine !== undefined) lose(mine);
      await mine?.terminate();
    },
  };
}

/** Threads run compiled code: beside this file, or in dist/ when this file itself runs as TypeScript. */
function workerFile(): URL {
  const beside = new URL("./rates-worker.js", import.meta.url);
  if (existsSync(fileURLToPath(beside))) return beside;
  return new URL("../../../dist/broker/streams/rates-worker.js", import.meta.url);
}
