/**
 * Studies of policies in threads of their own, one at a time, within bounds of time and memory: the broker
 * answers other requests meanwhile.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { PolicyStudies, TriedOnLog } from "../api/index.ts";
import { Fault } from "../base/index.ts";
import type { VerificationView } from "../contract/index.ts";
import type { StudyTask } from "./policy-study.ts";
import type { StudyAnswer } from "./policy-study-thread.ts";

/** Limits on studies. */
interface StudyLimits {
  /** Longest run of one, in ms. */
  readonly longestMs: number;
  /** Memory of its thread, in MiB. */
  readonly mostMib: number;
  /** Largest number that run or wait. */
  readonly mostAtOnce: number;
}

const USUAL_LIMITS: StudyLimits = { longestMs: 300_000, mostMib: 2048, mostAtOnce: 8 };

/** Studies of the log in a state directory. */
export function policyStudies(directory: string, limits: StudyLimits = USUAL_LIMITS): PolicyStudies {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  async function inTurn(task: StudyTask): Promise<TriedOnLog | VerificationView> {
    if (waiting >= limits.mostAtOnce) throw tooMany(waiting);
    waiting++;
    const mine = last.then(() => runOne(task, limits));
    last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      waiting--;
    }
  }
  return {
    // What comes back is of the kind that was asked for.
    tryOnLog: async (trial) => (await inTurn({ kind: "try", directory, trial })) as TriedOnLog,
    verifyLog: async (question) =>
      (await inTurn({ kind: "verify", directory, question })) as VerificationView,
  };
}

async function runOne(
  task: StudyTask,
  { longestMs, mostMib }: StudyLimits,
): Promise<TriedOnLog | VerificationView> {
  const thread = new Worker(threadFile(), {
    ...{ workerData: task, execArgv: [], name: "stint policy study" },
    resourceLimits: { maxOldGenerationSizeMb: mostMib },
  });
  thread.unref();
  let timer: NodeJS.Timeout | undefined;
  try {
    const answer = await new Promise<StudyAnswer>((resolve, reject) => {
      thread.on("message", resolve);
      thread.on("error", (error: Error & { readonly code?: string }) => {
        reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooLong(`${mostMib} MiB of memory`) : error);
      });
      timer = setTimeout(() => reject(tooLong(`${longestMs / 1000} s`)), longestMs).unref();
    });
    if ("fault" in answer) throw new Fault(answer.fault);
    return answer.found;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}

function tooLong(limit: string): Fault {
  return new Fault({
    kind: "refused",
    code: "studyTooLong",
    what: "the log is too long for this question to be answered here",
    why: `it would take more than ${limit}, which is the limit`,
    remedy: "ask about a shorter period, or ask stint policy verify on a copy of the state directory",
  });
}

function tooMany(waiting: number): Fault {
  return new Fault({
    kind: "refused",
    code: "tooManyStudies",
    what: "too many questions about the log are in progress",
    why: `${waiting} run or wait, and they are answered one after the other`,
    remedy: "ask again in a minute",
  });
}

/** Threads run compiled code: beside this file, or in dist/ when this file itself runs as TypeScript. */
function threadFile(): URL {
  const beside = new URL("./policy-study-thread.js", import.meta.url);
  if (existsSync(fileURLToPath(beside))) return beside;
  return new URL("../../dist/main/policy-study-thread.js", import.meta.url);
}
