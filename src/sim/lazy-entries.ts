/**
 * Entry points with large dependencies, each loaded when it is first called.
 *
 * A simulation of a recorded trace takes less time than loading the code of scenarios, pages and policies,
 * which it does not need.
 */

import type { describeTrace as DescribeTrace } from "./describe/describe-trace.ts";
import type { affectedBy as AffectedBy } from "./enforcing/affected.ts";
import type { affectedUse as AffectedUse } from "./enforcing/use-trial.ts";
import type { generateWorkload as GenerateWorkload } from "./generate/generate-workload.ts";
import type { openSimulations as OpenSimulations } from "./runs/open-simulations.ts";
import type { runScenario as RunScenario } from "./scenario/run-scenario.ts";
import type { simulateFile as SimulateFile } from "./simulate.ts";
import type { simulateStreams as SimulateStreams } from "./streams/simulate-streams.ts";
import type { whatIf as WhatIf } from "./what-if/what-if.ts";

/** See `enforcing/affected.ts`. */
export const affectedBy: typeof AffectedBy = async (...words) =>
  (await import("./enforcing/affected.ts")).affectedBy(...words);

/** See `enforcing/use-trial.ts`. */
export const affectedUse = async (...words: Parameters<typeof AffectedUse>) =>
  (await import("./enforcing/use-trial.ts")).affectedUse(...words);

/** See `describe/describe-trace.ts`. */
export const describeTrace: typeof DescribeTrace = async (...words) =>
  (await import("./describe/describe-trace.ts")).describeTrace(...words);

/** See `generate/generate-workload.ts`. */
export const generateWorkload: typeof GenerateWorkload = async (...words) =>
  (await import("./generate/generate-workload.ts")).generateWorkload(...words);

/** See `runs/open-simulations.ts`. */
export const openSimulations: typeof OpenSimulations = async (...words) =>
  (await import("./runs/open-simulations.ts")).openSimulations(...words);

/** See `scenario/run-scenario.ts`. */
export const runScenario: typeof RunScenario = async (...words) =>
  (await import("./scenario/run-scenario.ts")).runScenario(...words);

/** See `simulate.ts`. */
export const simulateFile: typeof SimulateFile = async (...words) =>
  (await import("./simulate.ts")).simulateFile(...words);

/** See `streams/simulate-streams.ts`. */
export const simulateStreams: typeof SimulateStreams = async (...words) =>
  (await import("./streams/simulate-streams.ts")).simulateStreams(...words);

/** See `what-if/what-if.ts`. */
export const whatIf: typeof WhatIf = async (...words) =>
  (await import("./what-if/what-if.ts")).whatIf(...words);
