/**
 * The program that a request names, at a site that it decides for.
 */
import { isProgram, type SimulationRequest } from "../../model/index.ts";
import type { DrivenSite, ReplayJob } from "../../queue/index.ts";
import { wordsOf } from "./command.ts";
import { beginDecidingProgram, type DecidingProgram } from "./deciding-program.ts";
import type { ApartProgram } from "./program.ts";
import type { PoolFacts, SiteEvent } from "./protocol.ts";

/** Long enough for a solver with a limit of its own, short enough that a hang is noticed. */
const DEFAULT_ANSWER_LIMIT_MS = 60_000;

/** Facts on a run once its first jobs are read. */
export interface ProgramRun<Job extends ReplayJob> {
  /** Request whose discipline is a program. */
  readonly request: SimulationRequest;
  readonly hooks: { readonly version: string; readonly writeError?: (text: string) => void };
  readonly pools: readonly PoolFacts[];
  readonly site: DrivenSite<Job>;
  /** Event that reports a submitted job to the program. */
  readonly submitted: (job: Job) => SiteEvent;
  /** Where the program runs apart from this process. */
  readonly apart?: ApartProgram;
}

/** Starts the program at an empty site; throws a Fault where it is missing or sends no hello. */
export function beginProgramAt<Job extends ReplayJob>(run: ProgramRun<Job>): Promise<DecidingProgram<Job>> {
  const { request, hooks, pools, site, submitted, apart } = run;
  const { discipline, estimates, overrun, answerLimitMs = DEFAULT_ANSWER_LIMIT_MS } = request;
  if (!isProgram(discipline)) throw new Error("what must hold: the discipline is a program");
  return beginDecidingProgram({
    program: {
      command: discipline,
      words: wordsOf(discipline),
      answerLimitMs,
      writeError: hooks.writeError ?? (() => {}),
      ...(apart === undefined ? {} : { apart }),
    },
    facts: { version: hooks.version, pools, estimates, overrun },
    ...{ site, submitted },
  });
}
