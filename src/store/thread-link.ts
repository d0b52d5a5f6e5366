/**
 * The broker's side of a link to a thread that owns a database: questions out, answers in.
 *
 * If the thread ends unexpectedly, all pending and later questions fail with that reason.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Fault, type FaultFacts } from "../base/index.ts";

/** Response to the request with this number; 0 is the opening of the store. */
export type ThreadAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly fault: FaultFacts };

/** Start parameters of a thread. */
export interface ThreadStart {
  /** File of the compiled code. */
  readonly file: URL;
  /** Name in listings of a process's threads. */
  readonly name: string;
  /** Parameters for the thread; plain data. */
  readonly order: unknown;
  /** Fault of pending and later questions if the thread ends by itself. */
  readonly ended: (why: string, cause?: unknown) => Fault;
}

/** An open link. The protocol ensures that an answer has the type that the caller names. */
export interface ThreadLink<Opened> {
  readonly opened: Opened;
  ask<Answer>(question: unknown): Promise<Answer>;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(fault: Fault): void;
}

/** Starts the thread and waits until its database is open. @throws Fault */
export async function openThread<Opened>(start: ThreadStart): Promise<ThreadLink<Opened>> {
  const worker = new Worker(start.file, { workerData: start.order, execArgv: [], name: start.name });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let ended: Fault | undefined;

  function end(why: string, cause?: unknown): void {
    ended ??= start.ended(why, cause);
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  }
  function take(answer: ThreadAnswer): void {
    const asker = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.ok) asker?.resolve(answer.value);
    else asker?.reject(new Fault(answer.fault));
  }
  worker.on("message", (answers: readonly ThreadAnswer[]) => {
    for (const answer of answers) take(answer);
  });
  worker.on("error", (error) => end(error.message, error));
  worker.on("exit", (code) => end(`it ended with code ${code}`));

  function answerTo<Value>(id: number): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      waiting.set(id, { resolve: (value) => resolve(value as Value), reject });
    });
  }
  const opened = await answerTo<Opened>(0);
  return {
    opened,
    ask<Answer>(question: unknown) {
      if (ended !== undefined) return Promise.reject(ended);
      lastId += 1;
      worker.postMessage({ id: lastId, question });
      return answerTo<Answer>(lastId);
    },
  };
}

/**
 * A file of compiled code: beside the module that names it, or in dist/ if that module runs as TypeScript.
 *
 * @param beside its address relative to that module
 *
 * @param inDist its address in dist/
 */
export function compiledFile(beside: URL, inDist: URL): URL {
  return existsSync(fileURLToPath(beside)) ? beside : inDist;
}
