/**
 * The broker's end of the link to the worker thread: questions out, answers in.
 *
 * When the thread ends without having been asked to, everything that waits is told so, and so is whoever
 * asks later.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Fault } from "../../base/index.ts";
import type { Answered, Asked, Opened, OpenOrder, Question, Questions } from "./protocol.ts";

/** An open link. */
export interface StoreLink {
  readonly opened: Opened;
  ask<Kind extends keyof Questions>(
    kind: Kind,
    asks: Questions[Kind]["asks"],
  ): Promise<Questions[Kind]["answer"]>;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(fault: Fault): void;
}

/** Starts the worker and opens the logbook. @throws Fault */
export async function openLink(order: OpenOrder, file = workerFile()): Promise<StoreLink> {
  const worker = new Worker(file, { workerData: order, execArgv: [], name: "stint logbook" });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let ended: Fault | undefined;

  function end(why: string, cause?: unknown): void {
    ended ??= threadEnded(order.directory, why, cause);
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  }
  function take(answer: Answered): void {
    const asker = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.ok) asker?.resolve(answer.value);
    else asker?.reject(new Fault(answer.fault));
  }
  worker.on("message", (answers: readonly Answered[]) => {
    for (const answer of answers) take(answer);
  });
  worker.on("error", (error) => end(error.message, error));
  worker.on("exit", (code) => end(`it ended with code ${code}`));

  function answerTo<Value>(id: number): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      // By the protocol, the answer to this question is a Value.
      waiting.set(id, { resolve: (value) => resolve(value as Value), reject });
    });
  }
  const opened = await answerTo<Opened>(0);
  return {
    opened,
    ask<Kind extends keyof Questions>(kind: Kind, asks: Questions[Kind]["asks"]) {
      if (ended !== undefined) return Promise.reject(ended);
      lastId += 1;
      worker.postMessage({ id: lastId, question: { kind, asks } as Question } satisfies Asked);
      return answerTo<Questions[Kind]["answer"]>(lastId);
    },
  };
}

/** Threads run compiled code: beside this file, or in dist/ when this file itself runs as TypeScript. */
function workerFile(): URL {
  const beside = new URL("./worker.js", import.meta.url);
  if (existsSync(fileURLToPath(beside))) return beside;
  return new URL("../../../dist/store/sqlite/worker.js", import.meta.url);
}

function threadEnded(directory: string, why: string, cause: unknown): Fault {
  return new Fault({
    kind: "failed",
    code: "logbookFailed",
    what: `the logbook in ${directory} stopped working`,
    why,
    remedy: "start the broker again: everything that was acknowledged is there",
    cause,
  });
}
