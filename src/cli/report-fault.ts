/**
 * Errors as people see them: what happened, why, what to do (rules CL-2, CL-3).
 */
import { Fault, type FaultKind } from "../base/index.ts";
import { errorColours } from "./colours.ts";

/** Exit codes (rule CL-3). */
export const EXIT_CODES: Readonly<Record<FaultKind, number>> = {
  failed: 1,
  badInput: 2,
  notFound: 3,
  notAllowed: 4,
  refused: 5,
  unreachable: 69,
};

/** The exit code of `stint run` when Stint itself failed or refused (rule CL-7). */
export const RUN_FAILED = 125;

/** The three lines of an error. */
export function faultText(fault: Fault): string {
  const first = `${errorColours.red("stint:")} ${fault.what}`;
  return `${first}\n  why: ${fault.why}\n  do:  ${fault.remedy}\n`;
}

/** Turns whatever was thrown into a fault; what is none is a mistake of ours and says so. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new Fault({
    kind: "failed",
    code: "internalError",
    what: "Stint met an error of its own",
    why,
    remedy: "run it again with STINT_DEBUG=1 and report what it prints, with the command you gave",
    cause: error,
  });
}
