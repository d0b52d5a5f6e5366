/** Errors for people: what happened, why, what to do. */
import { Fault, type FaultKind, messageOf } from "../base/index.ts";
import { errorColours } from "./colours.ts";
import { localTimes } from "./instant-text.ts";

/** Exit codes of the program, by kind of fault. */
export const EXIT_CODES: Readonly<Record<FaultKind, number>> = {
  failed: 1,
  badInput: 2,
  notFound: 3,
  notAllowed: 4,
  refused: 5,
  unreachable: 69,
};

/** Exit code of `stint run` when Stint itself failed or refused. */
export const RUN_FAILED = 125;

/** Three lines of an error. */
export function faultText(fault: Fault): string {
  const first = `${errorColours.red("stint:")} ${localTimes(fault.what)}`;
  return `${first}\n  why: ${localTimes(fault.why)}\n  do:  ${localTimes(fault.remedy)}\n`;
}

/** Fault of whatever was thrown; other errors are reported as internal errors. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const why = messageOf(error);
  return new Fault({
    kind: "failed",
    code: "internalError",
    what: "Stint met an internal error",
    why,
    remedy: "run it again with STINT_DEBUG=1, and report the output with your command",
    cause: error,
  });
}
