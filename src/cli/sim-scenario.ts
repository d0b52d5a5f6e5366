/** `stint sim SCENARIO.yaml`: simulates a scenario in several threads and writes a directory of results. */
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import type { Command } from "commander";
import { Fault } from "../base/index.ts";
import type { RunScenario, Scenario, ScenarioSummary } from "../model/index.ts";
import { outColours } from "./colours.ts";
import { positiveInteger } from "./option-values.ts";
import { problemFault } from "./remark-text.ts";

/** Signals that stop the program, with the exit codes that shells show for them. */
const EXIT_OF_REQUEST = { interrupt: 130, terminate: 143, readerGone: 141 } as const;
type EndRequest = keyof typeof EXIT_OF_REQUEST;

/** Options of a scenario. */
export interface ScenarioOptions {
  readonly workers?: number;
  readonly out?: string;
  readonly force: boolean;
  readonly output: "table" | "json";
  readonly progress: boolean;
}

/** Terminal and process of a scenario. */
export interface ScenarioTerminal {
  readonly writeResult: (text: string) => void;
  readonly writeError: (text: string) => void;
  readonly showsProgress: boolean;
  readonly onEndRequest: (listener: (request: EndRequest) => void) => () => void;
  readonly endWith: (exitCode: number) => void;
}

/** Simulator of scenarios. */
export interface ScenarioSurroundings {
  readonly loadScenario: () => Promise<RunScenario>;
  readonly terminal: ScenarioTerminal;
}

/** Options that a scenario accepts; a trace refuses those of `OF_SCENARIOS`. */
const OF_BOTH: readonly string[] = ["output", "progress"];
const OF_SCENARIOS: readonly string[] = ["workers", "out", "force"];

/** Adds the options of scenarios to `stint sim`. */
export function addScenarioOptions(command: Command): Command {
  return command
    .option(
      "--workers <n>",
      "for a scenario: simulation threads (default: processors minus one)",
      positiveInteger("--workers"),
    )
    .option("--out <directory>", "for a scenario: directory of the results (default: NAME-results)")
    .option("--force", "for a scenario: write into a directory that is not empty", false);
}

/**
 * True for a scenario, false for a trace. @throws Fault `optionMisplaced` where an option of the one was
 * given for the other
 */
export async function isScenario(file: string, command: Command): Promise<boolean> {
  const is = !/\.swf(\.gz)?$/i.test(file) && (await looksLikeScenario(file));
  for (const option of command.options) {
    const name = option.attributeName();
    const isFit = OF_BOTH.includes(name) || OF_SCENARIOS.includes(name) === is;
    if (!isFit && command.getOptionValueSource(name) === "cli")
      throw misplaced(file, option.long ?? name, is);
  }
  return is;
}

async function looksLikeScenario(file: string): Promise<boolean> {
  const { isScenarioFile } = await import("../formats/scenario-yaml/index.ts");
  return isScenarioFile(file);
}

function misplaced(file: string, option: string, isOfScenario: boolean): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: `${option} has no effect here`,
    why: isOfScenario
      ? `${file} is a scenario, which contains every setting`
      : `${file} is a trace, not a scenario`,
    remedy: isOfScenario ? "write it into the scenario" : "take it out, or name a scenario (YAML)",
  });
}

/**
 * Reads, simulates, and prints the results. Ctrl-C keeps the finished simulations. @throws an AggregateError
 * of Faults for problems with the file; errors of the simulation
 */
export async function simulateScenario(
  file: string,
  options: ScenarioOptions,
  { loadScenario, terminal }: ScenarioSurroundings,
): Promise<void> {
  const scenario = await readScenario(file);
  const run = await loadScenario();
  const directory = options.out ?? `${basename(file).replace(/\.(ya?ml|json)$/i, "")}-results`;
  const stop = new AbortController();
  let asked: EndRequest | undefined;
  const giveBack = terminal.onEndRequest((request) => {
    asked = request;
    stop.abort();
  });
  const order = {
    scenario,
    directory,
    isOverwriting: options.force,
    workers: options.workers ?? Math.max(1, availableParallelism() - 1),
  };
  const showsProgress = options.progress && terminal.showsProgress;
  const line = showsProgress ? (await import("./scenario-progress.ts")).beginScenarioProgress() : undefined;
  try {
    const summary = await run(order, {
      stop: stop.signal,
      ...(line === undefined ? {} : { onProgress: line.show }),
    });
    line?.clear();
    await tell(summary, { directory, output: options.output, terminal });
    if (asked !== undefined && summary.simulationsDone < summary.simulationsPlanned) {
      terminal.endWith(EXIT_OF_REQUEST[asked]);
    }
  } finally {
    line?.clear();
    giveBack();
  }
}

async function readScenario(file: string): Promise<Scenario> {
  const { readScenarioFile } = await import("../formats/scenario-yaml/index.ts");
  const { scenario, problems } = await readScenarioFile(file);
  if (scenario !== undefined) return scenario;
  const faults = problems.map((problem) => problemFault(file, problem));
  throw new AggregateError(faults, "the scenario has problems");
}

interface Telling {
  readonly directory: string;
  readonly output: "table" | "json";
  readonly terminal: ScenarioTerminal;
}

async function tell(summary: ScenarioSummary, { directory, output, terminal }: Telling): Promise<void> {
  const { simulationsDone, simulationsPlanned } = summary;
  if (output === "json") terminal.writeResult(`${JSON.stringify(summary, undefined, 2)}\n`);
  else {
    const { scenarioTable } = await import("./scenario-table.ts");
    terminal.writeResult(scenarioTable(summary));
    terminal.writeResult(
      `\n${outColours.bold(`${directory}/report.html`)} shows it; runs.csv has each run\n`,
    );
  }
  if (simulationsDone === simulationsPlanned) return;
  terminal.writeError(
    `stint: stopped after ${simulationsDone} of ${simulationsPlanned} simulations; ` +
      `their results are in ${directory}\n`,
  );
}
