/** Studies of policies for the API, in threads. */
import type { PolicyStudies, TriedOnLog } from "../api/index.ts";
import { Fault } from "../base/index.ts";
import type { VerificationView } from "../contract/index.ts";
import { boundedThreads, type ThreadLimits } from "./bounded-threads.ts";
import type { StudyTask } from "./policy-study.ts";

const USUAL_LIMITS: ThreadLimits = { longestMs: 300_000, mostMib: 2048, mostAtOnce: 8 };

/** Studies of the log in a state directory. */
export function policyStudies(directory: string, limits: ThreadLimits = USUAL_LIMITS): PolicyStudies {
  const file = new URL("./policy-study-thread.js", import.meta.url);
  const names = { file, name: "stint policy study" };
  const kind = { ...names, limits, tooLong, tooMany };
  const studied = boundedThreads<StudyTask, TriedOnLog | VerificationView>(kind);
  return {
    // What comes back is of the kind that was asked for.
    tryOnLog: async (trial) => (await studied({ kind: "try", directory, trial })) as TriedOnLog,
    verifyLog: async (question) =>
      (await studied({ kind: "verify", directory, question })) as VerificationView,
  };
}

function tooLong(limit: string): Fault {
  return new Fault({
    kind: "refused",
    code: "studyTooLong",
    what: "the log is too long for this request",
    why: `answering it would take longer than the limit of ${limit}`,
    remedy: "choose a shorter period, or run stint policy verify on a copy of the state directory",
  });
}

function tooMany(waiting: number): Fault {
  return new Fault({
    kind: "refused",
    code: "tooManyStudies",
    what: "too many requests about the log are in progress",
    why: `${waiting} are running or waiting, and they are processed one after the other`,
    remedy: "try again in a minute",
  });
}
