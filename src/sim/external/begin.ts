/**
 * A replay by the program that a request names.
 */
import { isProgram, type SimulationRequest } from "../../model/index.ts";
import { createMachine, type ReplayListener, type ReplayOperation } from "../../queue/index.ts";
import type { TraceJob } from "../trace-job.ts";
import { wordsOf } from "./command.ts";
import type { ApartProgram } from "./program.ts";
import { beginProgramReplay, type ProgramReplay } from "./program-replay.ts";

/** Long enough for a solver with a limit of its own, short enough that a hang is noticed. */
const DEFAULT_ANSWER_LIMIT_MS = 60_000;

/** What the run knows when its first jobs are there. */
export interface ProgramRun {
  /** Its discipline is a program. */
  readonly request: SimulationRequest;
  readonly hooks: { readonly version: string; readonly writeError?: (text: string) => void };
  readonly procs: number;
  readonly listener: ReplayListener<TraceJob>;
  readonly operations: readonly ReplayOperation[];
  /** Where the program runs apart from this process. */
  readonly apart?: ApartProgram;
}

/** Begins the program on an empty machine; throws a Fault where there is none or it says no hello. */
export function beginReplayBy(run: ProgramRun): Promise<ProgramReplay> {
  const { request, hooks, procs, listener, operations, apart } = run;
  const { discipline, estimates, overrun, answerLimitMs = DEFAULT_ANSWER_LIMIT_MS } = request;
  if (!isProgram(discipline)) throw new Error("what must hold: the discipline is a program");
  return beginProgramReplay({
    program: {
      command: discipline,
      words: wordsOf(discipline),
      answerLimitMs,
      writeError: hooks.writeError ?? (() => {}),
      ...(apart === undefined ? {} : { apart }),
    },
    site: { version: hooks.version, poolProcs: [procs], estimates, overrun },
    machine: createMachine([[procs]], { discipline: "external" }),
    listener,
    operations,
  });
}
