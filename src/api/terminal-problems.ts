/** Problems of terminals: who may write, and to what. */
import { isFinal, type JobRecord } from "../model/index.ts";
import { MOST_INPUT_BYTES } from "../runtime/index.ts";
import { ProblemError } from "./problem.ts";

/** Problem for a job without a terminal. */
export function notInteractive(job: string): ProblemError {
  return new ProblemError({
    ...{ status: 409, code: "notInteractive", what: `job ${job} has no terminal` },
    why: "it was submitted without one",
    remedy: `follow its output: \`stint logs ${job} -f\`; for a terminal submit it by \`stint run -i\``,
    facts: { job },
  });
}

/** Problem for somebody else than the owner of the job. */
export function terminalNotYours({ id, owner }: JobRecord): ProblemError {
  return new ProblemError({
    ...{ status: 403, code: "terminalNotYours", what: `only ${owner} may type into job ${id}` },
    why: "its input runs under its owner's name",
    remedy: `watch it: \`stint attach ${id} --watch\``,
    facts: { job: id, owner },
  });
}

/** Problem for a terminal that does not exist yet, or no longer. */
export function terminalNotOpen({ id, state }: JobRecord): ProblemError {
  const isOver = isFinal(state);
  return new ProblemError({
    ...{ status: 409, code: "terminalNotOpen", what: `the terminal of job ${id} is not open` },
    why: isOver ? "the job has ended" : "the job's program has not started",
    remedy: isOver
      ? `show its output: \`stint logs ${id}\``
      : `try again when it runs; \`stint why ${id}\` tells what it waits for`,
    facts: { job: id, state },
  });
}

/** Problem for a second writer. */
export function terminalTaken(job: string): ProblemError {
  return new ProblemError({
    ...{ status: 409, code: "terminalTaken", what: `another session is typing into job ${job}` },
    why: "only one session at a time may type; it counts as ended after 15 s without input",
    remedy: `watch it with \`stint attach ${job} --watch\`, or take over with \`stint attach ${job} --take\``,
    facts: { job },
  });
}

/** Problem for bytes whose place is not where the input ends. */
export function inputOutOfStep(job: string, inputBytes: number): ProblemError {
  return new ProblemError({
    ...{
      status: 409,
      code: "inputOutOfStep",
      what: `the input does not continue what was typed into job ${job}`,
    },
    why: `${inputBytes} bytes have been received, and this input begins at another offset`,
    remedy: "attach again",
    facts: { job, inputBytes },
  });
}

/** Problem for a terminal into which enough has been typed. */
export function inputFull(job: string): ProblemError {
  return new ProblemError({
    ...{ status: 409, code: "inputFull", what: `nothing more can be typed into job ${job}` },
    why: `a job's terminal takes ${MOST_INPUT_BYTES / 1024 ** 2} MiB in all`,
    remedy: "send large files with the job: --input",
    facts: { job },
  });
}

/** Problem for a site that runs no programs, or whose files are not to be written. */
export function siteWithoutTerminals({ id, site }: JobRecord): ProblemError {
  return new ProblemError({
    ...{ status: 409, code: "siteWithoutTerminals", what: `nothing can be typed into job ${id}` },
    why: `${site ?? "its site"} cannot pass input to the program`,
    remedy: "submit it with --site to a site that runs programs",
    facts: { job: id, site },
  });
}
