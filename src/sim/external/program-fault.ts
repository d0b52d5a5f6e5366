/**
 * Faults of a discipline's program, in three sentences each (rule SI-22).
 */
import { Fault, shortened } from "../../base/index.ts";

/** Exit code or signal with which a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

const MAX_ECHO_CHARACTERS = 160;
const ON_STDOUT = "only answers go to stdout, one line each; print everything else to stderr";

/** The program could not be begun. */
export function notBegun(command: string, cause: NodeJS.ErrnoException): Fault {
  const isMissing = cause.code === "ENOENT";
  const isDenied = cause.code === "EACCES";
  return new Fault({
    kind: isMissing ? "notFound" : "failed",
    code: "programNotBegun",
    what: `${command}: this program cannot be started`,
    why: isMissing ? `there is no such file or command (${cause.message})` : cause.message,
    remedy: isDenied
      ? "make it executable (chmod +x), or name its interpreter: exec:python3 NAME"
      : "check the name, and the first line if it is a script; for a program in this directory write ./NAME",
    cause,
  });
}

/** There is nothing behind `exec:`, or a quote is open. */
export function noCommand(command: string, why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "programNotNamed",
    what: `--discipline: "${command}" names no program`,
    why,
    remedy: "write for instance --discipline 'exec:python3 mine.py --window 5'",
  });
}

/** The program ended while an answer was due. */
export function endedEarly(where: string, end: ProcessEnd | undefined, lastErrors: string): Fault {
  return new Fault({
    kind: "failed",
    code: "programEnded",
    what: `${where}: the program gave no response`,
    why: `${howItEnded(end)}${lastErrors}`,
    remedy: "a program must read line by line, respond to each, and exit after the message goodbye",
  });
}

/** The program ended with an error after the goodbye. */
export function endedBadly(command: string, end: ProcessEnd, lastErrors: string): Fault {
  return new Fault({
    kind: "failed",
    code: "programFailed",
    what: `${command}: the program failed after the message goodbye`,
    why: `${howItEnded(end)}${lastErrors}`,
    remedy: "a program that has succeeded exits with code 0",
  });
}

/** No answer came in time. */
export function noAnswerInTime(where: string, limitMs: number, lastErrors: string): Fault {
  return new Fault({
    kind: "failed",
    code: "programSilent",
    what: `${where}: the program gave no response within ${limitMs / 1000} s`,
    why: `it is still running, and its output may be buffered${lastErrors}`,
    remedy: "flush stdout after each response (in Python print(…, flush=True)), or raise --answer-timeout",
  });
}

/** The program sent something that is no answer. */
export function noAnswer(where: string, said: string, why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "programAnswerUnreadable",
    what: `${where}: ${quoted(said)} is not a valid response`,
    why,
    remedy: ON_STDOUT,
  });
}

/** The program sent something without a question. */
export function spokeUnasked(where: string, said: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "programSpokeUnasked",
    what: `${where}: ${quoted(said)} was sent without a request`,
    why: "each line except goodbye must get exactly one line in response",
    remedy: ON_STDOUT,
  });
}

/** The program sent an impossible decision. */
export function wrongDecision(where: string, what: string, why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "programDecisionWrong",
    what: `${where}: ${what}`,
    why,
    remedy: "correct the program; docs/guides/external-discipline.md describes messages and decisions",
  });
}

/** Nothing will happen any more, and jobs still wait. */
export function jobsLeft(command: string, count: number, firstId: number): Fault {
  const jobs = count === 1 ? "1 job was" : `${count} jobs were`;
  return new Fault({
    kind: "badInput",
    code: "programLeftJobs",
    what: `${command}: ${jobs} never started, the first is ${firstId}`,
    why: "all started jobs have ended, no more will arrive, and the program starts none of those that wait",
    remedy: "start them when they fit, or set wakeAt to be called again",
  });
}

/** Fault of two jobs at the site with one id, which answers could not distinguish. */
export function idInUse(command: string, id: number): Fault {
  return new Fault({
    kind: "badInput",
    code: "jobIdInUse",
    what: `${command}: two jobs at the site have the id ${id}`,
    why: "the program identifies jobs by the trace's job numbers, and these are not unique",
    remedy: "give each job of the trace its own number, in field 1 of its line",
  });
}

function howItEnded(end: ProcessEnd | undefined): string {
  if (end === undefined) return "it closed its output";
  return end.signal === null ? `it ended with exit code ${end.code}` : `it was ended by ${end.signal}`;
}

function quoted(said: string): string {
  return JSON.stringify(shortened(said, MAX_ECHO_CHARACTERS));
}
