/** `stint sim TRACE`: simulates a recorded workload under a queue discipline. */
import { Command } from "commander";
import { Fault } from "../base/index.ts";
import {
  type Describe,
  DISCIPLINES,
  type Discipline,
  ESTIMATE_RULES,
  type EstimateRule,
  type Generate,
  OVERRUN_RULES,
  type OverrunRule,
  PRIORITY_NAMES,
  type PriorityName,
  type ProgramDiscipline,
  type RunScenario,
  type Simulate,
  type SimulationOutcome,
  type SimulationRequest,
  type WhatIf,
} from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { addGroupOptions, type GroupOptions, groupPart, ungrouped } from "./group-options.ts";
import { meaningless } from "./meaningless-option.ts";
import { oneOf, positiveInteger } from "./option-values.ts";
import { addPowerOption, type PowerOptions, powerPart } from "./power-option.ts";
import { durationValue } from "./quantity-values.ts";
import { type DescribeTerminal, simDescribeCommand } from "./sim-describe.ts";
import { simGenerateCommand, type WorkloadTerminal } from "./sim-generate.ts";
import {
  addScenarioOptions,
  isScenario,
  type ScenarioOptions,
  type ScenarioTerminal,
  simulateScenario,
} from "./sim-scenario.ts";
import { type SimulateStreams, simStreamsCommand } from "./sim-streams.ts";
import type { ProgressOutput } from "./terminal.ts";
import { addWhatIfOptions, compareStarts, isComparison, type WhatIfOptions } from "./what-if-options.ts";
import { addWorkloadOptions, type WorkloadOptions, workloadPart } from "./workload-options.ts";

interface SimulateOptions
  extends Omit<ScenarioOptions & WhatIfOptions & GroupOptions, "output">,
    WorkloadOptions,
    PowerOptions {
  readonly procs?: number;
  readonly discipline: Discipline | ProgramDiscipline;
  readonly answerTimeout?: number;
  readonly priority?: PriorityName;
  readonly priorityConfig?: string;
  readonly estimates: EstimateRule;
  readonly overrun: OverrunRule;
  readonly reservations?: string;
  readonly lenient: boolean;
  readonly output: "table" | "json" | "csv";
  readonly jobsOut?: string;
  readonly sampleSlots?: number;
  readonly slotsOut?: string;
  readonly policies?: readonly string[];
  readonly owners?: string;
  readonly pep?: (typeof PEP_FORMS)[number];
  readonly progress: boolean;
  readonly fromLive?: string;
  readonly liveOut?: string;
}

/** Variants of a discipline: ours on resource vectors, or the source's logic line by line. */
const PEP_FORMS = ["ours", "literal"] as const;

const EXAMPLES = `
Examples:
  $ stint sim examples/poisson.swf --discipline conservative
  $ stint sim CTC-SP2.swf.gz --procs 430 --discipline easy --estimates requested -o json
  $ stint sim trace.swf --discipline fcfs --jobs-out jobs.csv
  $ stint sim trace.swf --by class --by user
  $ stint sim trace.swf --power idle=60,busy=150,off-after=30m,boot=3m
  $ stint sim trace.swf --discipline easy --reservations maintenance.csv --overrun kill
  $ stint sim trace.swf --discipline easy --priority slurm --priority-config slurm.yaml
  $ stint sim trace.swf --discipline 'exec:python3 mine.py --window 5'
  $ stint sim trace.swf --discipline conservative --sample-slots 1h --slots-out slots.csv
  $ stint sim trace.swf --discipline fcfs --policies west.policy.yaml --owners owners.yaml
  $ stint sim examples/scenarios/disciplines.yaml --workers 4 --out results
  $ stint sim examples/two-pools.workload.jsonl --discipline conservative --reservations maintenance.csv
  $ stint sim march.workload.jsonl --baseline
  $ stint sim march.workload.jsonl --what-if discipline=conservative --report what-if.html
  $ stint sim --from-live west --what-if discipline=fcfs --jobs-out starts.csv
  $ stint sim streams examples/streams/pool.yaml
  $ stint sim describe trace.swf
  $ stint sim generate --model lublin --jobs 10000 --load 0.8 -o synthetic.swf
  $ stint sim generate --model lublin --jobs 10000 | stint sim - --discipline conservative

A reservations file has the columns id,start,duration,procs, in seconds from the first simulated
job's submission, and optionally nodes: equal parts on that many nodes of the workload. A priority takes
users, groups, queues and partitions from the trace; all have equal shares unless its rules say otherwise
(docs/schemas/priority.schema.json). Traces are in the Standard Workload Format (SWF 2.2), plain or gzip, or
in JSON lines with memory, GPUs, pools, nodes, cancellations and outages (docs/guides/workload-format.md);
for a trace with the name of a subcommand write its path, as in ./describe.
A record of a site (stint import accounting) can be replayed under today's rules and under others
(docs/guides/what-if.md). So can the current queue of a cluster (--from-live), if every job is assumed to
use its whole time limit and no more jobs arrive.
`;

/** Capabilities of the command and its subcommands, each loaded on first use. */
export interface SimulationCapabilities {
  readonly simulate: () => Promise<Simulate>;
  readonly generate: () => Promise<Generate>;
  readonly describe: () => Promise<Describe>;
  readonly scenario: () => Promise<RunScenario>;
  readonly whatIf: () => Promise<WhatIf>;
  readonly simulateStreams?: () => Promise<SimulateStreams>;
  /** Opens a client of the broker, only for a live queue. */
  readonly client: CommandContext["client"];
}

/** The command, with its subcommands for making and describing workloads. */
export function simulateCommand(
  capabilities: SimulationCapabilities,
  terminal: ProgressOutput & WorkloadTerminal & DescribeTerminal & ScenarioTerminal,
): Command {
  const { simulateStreams } = capabilities;
  const replay = addLiveOptions(addPolicyOptions(replayCommand(capabilities, terminal)));
  const sim = addScenarioOptions(
    addWhatIfOptions(addPowerOption(addGroupOptions(addWorkloadOptions(replay)))),
  );
  if (simulateStreams !== undefined) sim.addCommand(simStreamsCommand(simulateStreams, terminal));
  return sim
    .enablePositionalOptions()
    .addCommand(simGenerateCommand(capabilities.generate, terminal))
    .addCommand(simDescribeCommand(capabilities.describe, terminal));
}

function replayCommand(
  capabilities: SimulationCapabilities,
  terminal: ProgressOutput & ScenarioTerminal,
): Command {
  return new Command("sim")
    .summary("simulate a recorded workload under a queue discipline")
    .description(
      "Simulates a trace job by job on one machine in virtual time, exactly, and prints waits, " +
        "utilisation, and the jobs that ran.",
    )
    .argument(
      "[trace]",
      "a workload in SWF or JSON lines, plain or gzip, - for standard input; or a scenario in YAML",
    )
    .option(
      "--procs <n>",
      "processors of the machine (default: the trace's MaxProcs)",
      positiveInteger("--procs"),
    )
    .option(
      "--discipline <name>",
      `${DISCIPLINES.join(", ")}, or exec:COMMAND for a program that decides which jobs start`,
      disciplineValue,
      "easy",
    )
    .option(
      "--answer-timeout <time>",
      "with exec:COMMAND: time limit for each response of the program (default: 60 s)",
      durationValue("--answer-timeout"),
    )
    .option(
      "--priority <name>",
      `priority that orders the queue: ${PRIORITY_NAMES.join(", ")} (default: order of arrival)`,
      oneOf("--priority", PRIORITY_NAMES),
    )
    .option("--priority-config <file>", "YAML file with the settings of --priority")
    .option(
      "--estimates <rule>",
      ESTIMATE_RULES.join(" or "),
      oneOf("--estimates", ESTIMATE_RULES),
      "requested",
    )
    .option(
      "--overrun <rule>",
      "treatment of jobs that run longer than requested",
      oneOf("--overrun", OVERRUN_RULES),
      "extend",
    )
    .option("--reservations <file>", "a CSV file of reservations that every discipline respects")
    .option("--lenient", "skip and count malformed lines instead of stopping at the first", false)
    .option(
      "-o, --output <format>",
      "table or json; with --by also csv",
      oneOf("-o", ["table", "json", "csv"] as const),
      "table",
    )
    .option("--jobs-out <file>", "write a row per job: .csv or .swf, each also with .gz")
    .option(
      "--sample-slots <time>",
      "sample the site's free slots at this interval of virtual time, and report them",
      durationValue("--sample-slots"),
    )
    .option("--slots-out <file>", "write a row per sampled slot: .csv or .csv.gz")
    .option("--no-progress", "show no progress on the terminal")
    .addHelpText("after", EXAMPLES)
    .action((given: string | undefined, options: SimulateOptions, command: Command) =>
      simulateWhatIsGiven(traceOf(given, options), options, { capabilities, terminal, command }),
    );
}

const IN_SCENARIOS = "a scenario writes classes.csv and users.csv into its results";
const IN_COMPARISONS = "a comparison reports its errors by queue, group, user and size itself";

async function simulateWhatIsGiven(
  trace: string | undefined,
  options: SimulateOptions,
  surroundings: ReplaySurroundings,
): Promise<void> {
  const { capabilities, terminal, command } = surroundings;
  const { simulate: loadSimulate, scenario: loadScenario, whatIf: loadWhatIf } = capabilities;
  const { writeResult } = terminal;
  if (trace === undefined) await simulateLive(options, surroundings);
  else if (await isScenario(trace, command))
    await simulateScenario(trace, ungrouped(options, IN_SCENARIOS), { loadScenario, terminal });
  else if (isComparison(options))
    await compareStarts(requestFrom(trace, options), ungrouped(options, IN_COMPARISONS), {
      loadWhatIf,
      writeResult,
    });
  else await simulate(requestFrom(trace, options), options, { loadSimulate, terminal });
}

function addPolicyOptions(command: Command): Command {
  return command
    .option("--policies <file...>", "enforce these usage policies (of one site) on the jobs")
    .option("--owners <file>", "YAML file that maps users to consumers (default: user 12 is u12)")
    .option(
      "--pep <form>",
      "enforcer of the policies: ours (Stint's) or literal (the published one) (default: ours)",
      oneOf("--pep", PEP_FORMS),
    );
}

function addLiveOptions(command: Command): Command {
  return command
    .option("--from-live <site>", "simulate from the current queue of a cluster instead of a trace")
    .option("--live-out <file>", "save that queue as a workload in JSON lines");
}

/** The trace; undefined where a live queue replaces it. @throws Fault where both or neither are given */
function traceOf(trace: string | undefined, { fromLive, liveOut }: SimulateOptions): string | undefined {
  if (fromLive === undefined && liveOut !== undefined) throw meaningless("--live-out", "--from-live SITE");
  if ((trace === undefined) !== (fromLive === undefined)) return trace;
  throw new Fault({
    kind: "badInput",
    code: trace === undefined ? "traceMissing" : "traceTwice",
    what: trace === undefined ? "no trace was given" : `both ${trace} and --from-live ${fromLive}`,
    why: "one workload is simulated: a file, or the current queue of a cluster",
    remedy: "write stint sim TRACE or stint sim --from-live SITE",
  });
}

interface ReplaySurroundings {
  readonly capabilities: SimulationCapabilities;
  readonly terminal: ProgressOutput & ScenarioTerminal;
  readonly command: Command;
}

/** Simulates a live queue, under its own discipline unless another is given. */
async function simulateLive(
  options: SimulateOptions,
  { capabilities, terminal, command }: ReplaySurroundings,
) {
  const { fromLive: site = "", liveOut: keepAt } = options;
  const isToldHow = command.getOptionValueSource("discipline") === "cli";
  const { withLiveQueue } = await import("./from-live.ts");
  const world = { client: capabilities.client, writeError: terminal.writeError };
  await withLiveQueue(world, { site, keepAt }, async ({ file, name, view }) => {
    const discipline = isToldHow ? options.discipline : view.discipline;
    await compareStarts(
      requestFrom(file, { ...options, discipline }),
      { ...ungrouped(options, IN_COMPARISONS), live: name },
      { loadWhatIf: capabilities.whatIf, writeResult: terminal.writeResult },
    );
  });
}

const oneOfOurs = oneOf("--discipline", DISCIPLINES);

const disciplineValue = Object.assign(
  (text: string): Discipline | ProgramDiscipline =>
    text.startsWith("exec:") ? `exec:${text.slice("exec:".length)}` : oneOfOurs(text),
  { words: DISCIPLINES },
);

function requestFrom(trace: string, options: SimulateOptions): SimulationRequest {
  const { discipline, answerTimeout, estimates, overrun, lenient, procs, reservations, jobsOut } = options;
  const { priority, priorityConfig, sampleSlots, slotsOut } = options;
  return {
    trace,
    discipline,
    estimates,
    overrun,
    lenient,
    ...workloadPart(options),
    ...groupPart(options),
    ...powerPart(options),
    ...(answerTimeout === undefined ? {} : { answerLimitMs: answerTimeout }),
    ...(priority === undefined ? {} : { priority }),
    ...(priorityConfig === undefined ? {} : { priorityConfig }),
    ...(procs === undefined ? {} : { procs }),
    ...(reservations === undefined ? {} : { reservations }),
    ...(jobsOut === undefined ? {} : { jobsOut }),
    ...(sampleSlots === undefined ? {} : { sampleSlotsMs: sampleSlots }),
    ...(slotsOut === undefined ? {} : { slotsOut }),
    ...policiesPart(options),
  };
}

function policiesPart({
  policies,
  owners,
  pep,
  whatIf = [],
}: SimulateOptions): Pick<SimulationRequest, "policies"> {
  if (policies === undefined && !whatIf.some((change) => /^ *policies *=/.test(change))) {
    const option = owners === undefined ? "--pep" : "--owners";
    if (owners !== undefined || pep !== undefined) throw meaningless(option, "--policies FILE");
    return {};
  }
  const files = policies ?? [];
  return { policies: { files, form: pep ?? "ours", ...(owners === undefined ? {} : { owners }) } };
}

interface Surroundings {
  readonly loadSimulate: () => Promise<Simulate>;
  readonly terminal: ProgressOutput;
}

async function simulate(
  request: SimulationRequest,
  { output, progress }: SimulateOptions,
  { loadSimulate, terminal }: Surroundings,
): Promise<void> {
  const run = await loadSimulate();
  const showsProgress = progress && terminal.showsProgress;
  const line = showsProgress ? (await import("./simulation-progress.ts")).beginProgress() : undefined;
  try {
    const outcome = await run(request, line?.show);
    line?.clear();
    terminal.writeResult(await resultText(outcome, output));
  } finally {
    line?.clear();
  }
}

async function resultText(outcome: SimulationOutcome, output: SimulateOptions["output"]): Promise<string> {
  const { report } = outcome;
  if (output === "json") return `${JSON.stringify(report, undefined, 2)}\n`;
  if (output === "csv") return (await import("./group-table.ts")).groupCsv(report);
  const table = (await import("./simulation-table.ts")).simulationTable(outcome);
  if (report.grouped === undefined) return table;
  return table + (await import("./group-table.ts")).groupTables(report);
}
