/** `stint plan FILE…`: plans workflows, on the sites of the broker or of a platform file. */
import { Command } from "commander";
import { counted, Fault } from "../base/index.ts";
import { PLANNERS, type PlannerName, type PlanShortfall } from "../plan/index.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { executePlanned, executeSaved, isSavedPlan, startedText } from "./execute-plan.ts";
import { livePlatformOf } from "./live-platform.ts";
import {
  factorValue,
  millionthsOption,
  oneOf,
  positiveInteger,
  suValue,
  wholeNumber,
} from "./option-values.ts";
import { deadlinesValue } from "./plan-deadline.ts";
import { planLines, shortfallText } from "./plan-lines.ts";
import { beginPlanProgress } from "./plan-progress.ts";
import type { PlanAnswer, PlanDeadline, PlanRequest, PlanWorkflow } from "./plan-tools.ts";
import { durationValue } from "./quantity-values.ts";
import { recordedRunsOf } from "./recorded-runs.ts";
import { EXIT_CODES } from "./report-fault.ts";
import { workflowValue } from "./workflow-text.ts";

const FORMATS = ["table", "json"] as const;

const EXAMPLES = `
Examples:
  $ stint plan flow.yaml
  $ stint plan flow.yaml --sites near,far --slack 0.2
  $ stint plan a.yaml b.json c.dax --platform sites.yaml --deadline 2h,6h,6h
  $ stint plan flow.yaml --execute
  $ stint plan trace.json --execute --best-effort --as-sleeps 0.01
  $ stint plan montage.dax --platform sites.yaml
  $ stint plan flow.yaml --platform sites.yaml --planner search --alpha 0.2 --pareto
  $ stint plan flow.json --platform sites.yaml --planner moga --deadline 6h --budget 500 -o json
  $ stint plan flow.yaml --platform sites.yaml --planner search --html plan.html
  $ stint plan flow.yaml --platform sites.yaml --planner search --deadline 2h --surely 0.95
  $ stint plan project.sm --evaluations 1000
  $ stint plan diamond.dag --platform sites.yaml --runtime 10m

Several workflows are planned as one: they share the sites, and each is shown with its makespan and
deadline. Supported formats are WfFormat (JSON), Pegasus DAX and YAML, PSPLIB projects, DAGs of DAGMan and
JDL, and Stint's own YAML; the format is detected from the content. A node of a DAG takes as long as
--runtime states, but not longer than the time limit of its job. On the sites of the broker, tasks without
either take the median of your successful jobs of the same program, if there are three. A workflow is
planned on the free slots that the sites of the broker may still sell you, or those of --sites; --slack and
2 s for the start are added to each runtime. With --platform no broker is needed; that file describes the
sites:

  sites:
    - { name: near, procs: 64 }
    - { name: far, procs: 256, speed: 2, price: 1.5 }
  links: { bandwidth: 10Gbit/s, latency: 5ms }

If a site has slots, tasks are placed only in them. n processors for a duration d cost n·d·price + fixed:

    - { name: far, procs: 64, slots: [{ start: 1h, procs: 16, duration: 4h, price: 2, fixed: 1 }] }

--execute reserves what the plan needs, at all sites or none, and runs its tasks. If a slot has been taken in
the meantime, it plans again, at most five times. stint workflow status shows the progress. Tasks need an
executable:

  tasks:
    - { id: a, runtime: 10m, executable: /shared/fetch.sh }
    - { id: b, runtime: 1h, procs: 8, parents: [a], executable: /shared/sum.sh, arguments: [-v] }

Planners: heft places tasks by rank, each at the site where it ends first; search tries up to --evaluations
combinations of task orders and sites; greedy chooses the best offer for each task according to --alpha; moga
and nsga2 choose slots by genetic algorithms; single makes one reservation; best-effort reserves nothing;
weighted, per-task, cpop, peft, all-slots and random are for comparison. Without --planner
a PSPLIB project is planned by search, other workflows by heft.

Tasks of a YAML file may have uncertain runtimes: spread, the standard deviation, or quantiles. The execution
of the plan is then simulated many times; with --surely, tasks are planned longer until the deadline is met
with that probability.

Costs are in SU (one processor for one hour). A plan that misses the deadline or exceeds the budget is still
shown, with the amount, and the exit code is 5. Ctrl-C ends the search and shows the best plan so far.
`;

interface PlanOptions {
  readonly platform?: string;
  readonly sites?: readonly string[];
  readonly slack: number;
  readonly planner?: PlannerName;
  readonly alpha: number;
  readonly deadline?: readonly PlanDeadline[];
  readonly budget?: number;
  readonly surely?: number;
  readonly seed: number;
  readonly evaluations?: number;
  readonly runtime?: number;
  readonly lenient: boolean;
  readonly execute: boolean;
  readonly bestEffort: boolean;
  readonly asSleeps?: number | true;
  readonly pareto: boolean;
  readonly save?: string;
  readonly html?: string;
  readonly output: (typeof FORMATS)[number];
  readonly progress: boolean;
}

/** Command definition of `stint plan FILE`. */
export function planCommand(
  load: () => Promise<PlanWorkflow>,
  { terminal, endWith, client }: CommandContext,
): Command {
  const command = new Command("plan")
    .summary("plan a workflow on several sites")
    .description(
      "Plans when and where each task of a workflow runs, and what it costs. Only --execute reserves.",
    )
    .argument("<files...>", "workflows, planned together; - for standard input; with --execute a saved plan");
  addWishes(command, terminal.nowMs);
  addExecution(command);
  return command
    .option("--save <file>", "write the plan to a file, as JSON")
    .option("--html <file>", "write an HTML page with charts of the plan")
    .option("-o, --output <format>", FORMATS.join(" or "), oneOf("-o", FORMATS), "table")
    .option("--no-progress", "show no progress")
    .addHelpText("after", EXAMPLES)
    .action(async (files: readonly string[], options: PlanOptions) => {
      const request = requestOf(files, options, client);
      const plan = async () => planned(request, await load(), options.progress, terminal);
      if (options.execute) {
        const [file] = files;
        const isSaved = files.length === 1 && (await isSavedPlan(file));
        const started = isSaved
          ? await executeSaved(file, { client, terminal })
          : await executePlanned(plan, { client, terminal });
        terminal.writeResult(options.output === "json" ? jsonText(started) : startedText(started));
        return;
      }
      const answer = await plan();
      const value = planValue(answer, options.pareto);
      const { execution } = answer;
      const saved = execution === undefined ? value : { ...value, execution };
      if (options.save !== undefined) await save(options.save, jsonText(saved));
      if (options.html !== undefined) await savePage(options.html, answer);
      if (options.output === "json") terminal.writeResult(jsonText(value));
      else terminal.writeResult(planLines(answer, options.pareto, terminal.columns));
      for (const shortfall of answer.shortfalls) {
        terminal.writeError(`stint: ${shortfallText(shortfall, answer)}\n`);
      }
      if (!answer.feasible) endWith(EXIT_CODES.refused);
    });
}

function addWishes(command: Command, nowMs: () => number): void {
  command
    .option("--platform <file>", "the sites and links, in YAML (default: the sites of the broker)")
    .option("--sites <names>", "plan on these sites of the broker", namesValue)
    .option(
      "--slack <fraction>",
      "margin added to runtimes on sites of the broker, as a fraction of them",
      millionthsOption("--slack"),
      0.1,
    )
    .option("--planner <name>", PLANNERS.join(", "), oneOf("--planner", PLANNERS))
    .option(
      "--alpha <fraction>",
      "0 for the fastest plan, 1 for the cheapest",
      millionthsOption("--alpha"),
      0.5,
    )
    .option(
      "--deadline <times>",
      "deadline: an instant, or a duration from the start of the plan; T,T,… for several files",
      deadlinesValue(nowMs),
    )
    .option("--budget <su>", "maximum cost in SU", (text) => suValue("--budget")(text))
    .option(
      "--surely <fraction>",
      "probability with which the deadline must be met",
      millionthsOption("--surely"),
    )
    .option("--seed <n>", "seed of the random numbers", wholeNumber("--seed"), 1)
    .option("--evaluations <n>", "maximum number of plans to try", positiveInteger("--evaluations"))
    .option("--runtime <time>", "runtime of tasks that specify none", durationValue("--runtime"))
    .option("--lenient", "treat negative runtimes and sizes as 0", false)
    .option("--pareto", "show all Pareto-optimal plans in time and cost", false);
}

function addExecution(command: Command): void {
  command
    .option("--execute", "reserve what the plan needs, all or nothing, and run its tasks", false)
    .option("--best-effort", "plan without reservations: tasks are queued like jobs", false)
    .option(
      "--as-sleeps [factor]",
      "run sleep instead of the programs, for the runtime of each task times this factor",
      factorValue("--as-sleeps"),
    );
}

const surelyWithoutDeadline = new Fault({
  kind: "badInput",
  code: "surelyWithoutDeadline",
  what: "--surely needs --deadline",
  why: "it sets the probability of meeting the deadline",
  remedy: "write for instance --deadline 6h --surely 0.95",
});

function wrongDeadlines(deadlines: number, files: number): Fault {
  return new Fault({
    kind: "badInput",
    code: "wrongDeadlines",
    what: `--deadline has ${counted(deadlines, "time")} for ${counted(files, "workflow")}`,
    why: "it must have one time for all of them, or one for each, in the order of the files",
    remedy: "write for instance stint plan a.yaml b.yaml --deadline 2h,6h",
  });
}

/** Names between commas. */
function namesValue(text: string): readonly string[] {
  return text.split(",").map((name) => name.trim());
}

function requestOf(
  files: readonly string[],
  options: PlanOptions,
  client: CommandContext["client"],
): PlanRequest {
  const { platform, planner, alpha, seed, slack, sites, lenient: isLenient } = options;
  const { deadline = [], budget, evaluations, runtime, surely, asSleeps } = options;
  if (surely !== undefined && deadline.length === 0) throw surelyWithoutDeadline;
  if (deadline.length > 1 && deadline.length !== files.length) {
    throw wrongDeadlines(deadline.length, files.length);
  }
  const chosen = options.bestEffort ? "best-effort" : planner;
  return {
    ...{ files, alpha, seed, isLenient, slack, deadlines: deadline },
    livePlatform: async () => livePlatformOf(await client(), sites),
    recordedRuns: async () => recordedRunsOf(await client()),
    ...(chosen === undefined ? {} : { planner: chosen }),
    isExecuted: options.execute,
    ...(asSleeps === undefined ? {} : { sleepFactor: asSleeps === true ? 1 : asSleeps }),
    ...(platform === undefined ? {} : { platform }),
    ...(budget === undefined ? {} : { budgetSu: budget }),
    ...(surely === undefined ? {} : { surely }),
    ...(evaluations === undefined ? {} : { evaluations }),
    ...(runtime === undefined ? {} : { runtimeMs: runtime }),
  };
}

/** Plans with a line of progress; Ctrl-C and SIGTERM ask for the best so far. */
async function planned(
  request: PlanRequest,
  plan: PlanWorkflow,
  wantsProgress: boolean,
  terminal: CommandContext["terminal"],
): Promise<PlanAnswer> {
  const progress = wantsProgress && terminal.showsProgress ? beginPlanProgress() : undefined;
  let isStopped = false;
  const giveBack = terminal.onEndRequest(() => {
    isStopped = true;
  });
  try {
    return await plan(request, {
      onProgress: (at) => progress?.show(at),
      isStopped: () => isStopped,
    });
  } finally {
    giveBack();
    progress?.clear();
  }
}

async function save(file: string, text: string): Promise<void> {
  const { writeSafeFile } = await import("../formats/index.ts");
  await writeSafeFile(file, text);
}

/** Writes the page; the library of charts is loaded only here. */
async function savePage(file: string, answer: PlanAnswer): Promise<void> {
  const { writePlanPage } = await import("./plan-page.ts");
  await writePlanPage(answer, file);
}

function missedValue({ byMs, ...missed }: PlanShortfall & { readonly kind: "deadlineMissed" }): object {
  return { ...missed, bySec: byMs / 1000 };
}

/** The plan as JSON; lengths of time in seconds. */
function planValue(answer: PlanAnswer, isPareto: boolean): object {
  const { front, frontSize, sites: _, execution: __, workflow, workflows, shortfalls, ...plan } = answer;
  const { hypervolume, reference } = frontSize;
  return {
    workflow: workflowValue(workflow),
    ...(workflows === undefined ? {} : { workflows: workflows.map(workflowValue) }),
    ...plan,
    shortfalls: shortfalls.map((one) => (one.kind === "deadlineMissed" ? missedValue(one) : one)),
    ...(isPareto
      ? {
          pareto: front,
          hypervolume: hypervolume / 1000,
          hypervolumeReference: { makespanSec: reference.makespanMs / 1000, costSu: reference.costSu },
        }
      : {}),
  };
}
