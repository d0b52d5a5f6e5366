/**
 * The broker's end of the prediction thread: sends tasks and receives answers, each within its time limit.
 *
 * The thread starts with the first task. When idle it serialises its state and ends; the next one restores
 * that. A thread that does not answer, or ends by itself, is abandoned: pending requests fail, and its owner
 * is notified, because its state is lost.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Fault } from "../../base/index.ts";
import type { Answered, Asked, Tasks } from "./protocol.ts";

/** A thread that does tasks. */
export interface PredictionThread {
  /** True while the thread runs, false while it rests. */
  isThere(): boolean;
  /**
   * Does a task.
   *
   * @throws Fault `predictionTooLong` where it takes more than `withinMs`; it may be done all the same
   */
  ask<Kind extends keyof Tasks>(
    kind: Kind,
    asks: Tasks[Kind]["asks"],
    withinMs: number,
  ): Promise<Tasks[Kind]["answer"]>;
  /** Ends the thread; pending requests fail. */
  stop(): Promise<void>;
}

/** A thread hangs if it has not answered for this long although a task is pending. */
const HUNG_MS = 90_000;
/** Without a task for so long it is packed and ended. */
const REST_AFTER_MS = 120_000;
const PACKING_MS = 60_000;

interface Waiting {
  readonly timer: NodeJS.Timeout;
  resolve(value: unknown): void;
  reject(fault: Fault): void;
}

/** A thread that is started when it is needed; `onLost` hears when what it had learnt is gone. */
export function createPredictionThread(onLost: () => void, restAfterMs = REST_AFTER_MS): PredictionThread {
  return new ThreadOf(onLost, restAfterMs);
}

class ThreadOf implements PredictionThread {
  readonly #onLost: () => void;
  readonly #restAfterMs: number;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  /** State of the last thread. */
  #packed: Uint8Array | undefined;
  #restTimer: NodeJS.Timeout | undefined;
  #lastId = 0;
  #heardAtMs = 0;

  constructor(onLost: () => void, restAfterMs: number) {
    this.#onLost = onLost;
    this.#restAfterMs = restAfterMs;
  }

  isThere(): boolean {
    return this.#worker !== undefined;
  }

  ask<Kind extends keyof Tasks>(
    kind: Kind,
    asks: Tasks[Kind]["asks"],
    withinMs: number,
  ): Promise<Tasks[Kind]["answer"]> {
    this.#worker ??= this.#begin();
    this.#restLater();
    if (this.#waiting.size === 0) this.#heardAtMs = performance.now();
    const id = ++this.#lastId;
    this.#worker.postMessage({ id, kind, asks } as Asked);
    return new Promise<Tasks[Kind]["answer"]>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(tooLong(withinMs));
        this.#giveUpIfHung();
      }, withinMs);
      timer.unref();
      // By the protocol, the answer to this task is of its kind.
      const settle = (value: unknown): void => resolve(value as Tasks[Kind]["answer"]);
      this.#waiting.set(id, { timer, resolve: settle, reject });
    });
  }

  async stop(): Promise<void> {
    const mine = this.#worker;
    this.#worker = undefined;
    clearTimeout(this.#restTimer);
    this.#tellAll("the broker stops");
    await mine?.terminate();
  }

  #begin(): Worker {
    const mine = new Worker(workerFile(), { execArgv: [], name: "stint predictions" });
    mine.unref();
    mine.on("message", (answer: Answered) => this.#take(answer));
    mine.on("error", (error) => this.#lose(mine, error.message));
    mine.on("exit", (code) => this.#lose(mine, `it ended with code ${code}`));
    const asks = this.#packed;
    if (asks !== undefined) mine.postMessage({ id: 0, kind: "unpack", asks } satisfies Asked);
    this.#packed = undefined;
    return mine;
  }

  #take(answer: Answered): void {
    this.#heardAtMs = performance.now();
    const asker = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    clearTimeout(asker?.timer);
    if (answer.ok) asker?.resolve(answer.value);
    else asker?.reject(new Fault(answer.fault));
  }

  #lose(mine: Worker, why: string): void {
    if (this.#worker !== mine) return;
    this.#worker = undefined;
    this.#tellAll(why);
    this.#onLost();
  }

  #tellAll(why: string): void {
    for (const { timer, reject } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(threadEnded(why));
    }
    this.#waiting.clear();
  }

  #giveUpIfHung(): void {
    const mine = this.#worker;
    if (mine === undefined || performance.now() - this.#heardAtMs < HUNG_MS) return;
    void mine.terminate();
    this.#lose(mine, `nothing was heard of it for ${HUNG_MS / 1000} s`);
  }

  #restLater(): void {
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => void this.#rest(), this.#restAfterMs).unref();
  }

  async #rest(): Promise<void> {
    const mine = this.#worker;
    if (mine === undefined) return;
    if (this.#waiting.size > 0) {
      this.#restLater();
      return;
    }
    const bytes = await this.ask("pack", null, PACKING_MS).catch(() => undefined);
    // Somebody asks again already: what was packed is not all any more.
    if (bytes === undefined || this.#worker !== mine || this.#waiting.size > 0) return;
    clearTimeout(this.#restTimer);
    this.#packed = bytes;
    this.#worker = undefined;
    await mine.terminate();
  }
}

/** Threads run compiled code: beside this file, or in dist/ when this file itself runs as TypeScript. */
function workerFile(): URL {
  const beside = new URL("./worker.js", import.meta.url);
  if (existsSync(fileURLToPath(beside))) return beside;
  return new URL("../../../dist/broker/predictions/worker.js", import.meta.url);
}

function tooLong(withinMs: number): Fault {
  return new Fault({
    kind: "failed",
    code: "predictionTooLong",
    what: "the prediction timed out",
    why: `it takes longer than ${withinMs / 1000} s`,
    remedy:
      "try again; predictions are slow while a site's history is being learnt, or when its " +
      "queue is very long",
  });
}

function threadEnded(why: string): Fault {
  return new Fault({
    kind: "failed",
    code: "predictionsEnded",
    what: "the prediction thread has ended",
    why,
    remedy: "try again in a few minutes: the history of the sites is being learnt again",
  });
}
