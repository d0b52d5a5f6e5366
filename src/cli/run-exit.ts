/**
 * What `stint run` ends with, and what it says, once its job is over (rule CL-7).
 */
import { constants } from "node:os";
import type { JobView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { faultText, RUN_FAILED } from "./report-fault.ts";

const SIGNAL_BASE = 128;

/** An exit code, and what goes to stderr; empty where the program has said all. */
export interface RunExit {
  readonly code: number;
  readonly text: string;
}

/** The exit of a job that is over. */
export function runExit(job: JobView): RunExit {
  const { id, state, exitCode, signal } = job;
  if (state !== "DONE") return { code: RUN_FAILED, text: faultText(notRun(job)) };
  if (job.result === "imitated") return { code: RUN_FAILED, text: faultText(imitated(job)) };
  if (job.timeLimit) {
    const text = `stint: job ${id} was ended at its time limit; -t asks for more\n`;
    return { code: SIGNAL_BASE + constants.signals.SIGTERM, text };
  }
  if (exitCode !== null) return { code: exitCode, text: "" };
  const number = numberOf(signal);
  const text = `stint: job ${id} was ended by ${signal ?? "a signal that is not known"}\n`;
  return { code: number === undefined ? RUN_FAILED : SIGNAL_BASE + number, text };
}

/** Of `SIGTERM`, and of `SIG34` as real-time signals are written. */
function numberOf(signal: string | null): number | undefined {
  if (signal === null) return undefined;
  const known: Readonly<Record<string, number | undefined>> = constants.signals;
  const written = /^SIG(\d{1,2})$/.exec(signal)?.[1];
  return written === undefined ? known[signal] : Number(written);
}

function imitated({ id, site }: JobView): Fault {
  return new Fault({
    kind: "failed",
    code: "jobImitated",
    what: `job ${id} was imitated: nothing ran`,
    why: `at ${site ?? "its site"} jobs only take time`,
    remedy: "to have it run, name no site, or one whose jobs are run",
  });
}

function notRun({ id, state, reason, reservation }: JobView): Fault {
  if (state === "CANCELLED") {
    const howFar = `stint status ${id} tells how far it was`;
    const more = `reserve for longer, or stint extend ${reservation} before it ends; ${howFar}`;
    return new Fault({
      kind: "failed",
      code: "jobCancelled",
      what: `job ${id} was cancelled`,
      why: reason ?? "somebody asked for it",
      // There is a reason only where its reservation ended with it.
      remedy: reason === null ? howFar : more,
    });
  }
  return new Fault({
    kind: "failed",
    code: "jobAborted",
    what: `job ${id} could not be run`,
    why: reason ?? "no reason is known",
    remedy: `mend that and run it again; stint status ${id} tells more`,
  });
}
