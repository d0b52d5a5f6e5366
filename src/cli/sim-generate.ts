/** `stint sim generate`: draws a workload from a model, or rescales a recorded one to a load. */

import { Command, Option } from "commander";
import { Fault, lengthText } from "../base/index.ts";
import {
  type Generate,
  LOAD_SCALES,
  type LoadScale,
  LUBLIN_SETS,
  type LublinSet,
  REQUEST_RULES,
  type RequestRule,
  WORKLOAD_MODELS,
  type WorkloadModelName,
  type WorkloadRequest,
  type WorkloadSummary,
} from "../model/index.ts";
import { oneOf, positiveInteger } from "./option-values.ts";
import { printable } from "./text-table.ts";

/** Streams for the workload and its summary. */
export interface WorkloadTerminal {
  readonly writeResult: (text: string) => void;
  readonly writeBytes: (stream: "stdout", bytes: Uint8Array) => Promise<void>;
}

interface GenerateOptions {
  readonly model?: WorkloadModelName;
  readonly from?: string;
  readonly variant?: LublinSet;
  readonly jobs?: number;
  readonly procs?: number;
  readonly load?: number;
  readonly scale: LoadScale;
  readonly requests?: RequestRule;
  readonly set?: Readonly<Record<string, number>>;
  readonly seed: number;
  readonly lenient: boolean;
  readonly output?: string;
}

const DEFAULT_JOBS = 10_000;
const DEFAULT_PROCS = 128;

const EXAMPLES = `
Examples:
  $ stint sim generate --model lublin --jobs 1000000 --procs 512 --load 0.8 --seed 1 -o big.swf.gz
  $ stint sim generate --model lublin --variant batch --requests popular --set serialProb=0.1 -o batch.swf
  $ stint sim generate --model poisson --jobs 440 --procs 64 --load 0.9 | head
  $ stint sim generate --from CTC-SP2.swf.gz --load 0.8 --scale overlay -o busier.swf.gz

Load is the work of the jobs (processors times runtime) over the processors of the machine times the time
from the first to the last submission. --scale says what is changed to reach it: arrivals or runtimes; of a
recorded workload also overlay (a second copy a week later, of which some jobs are kept) or duplicate (some
jobs are submitted twice). The header of the output describes the model.
`;

/** Command definition of `stint sim generate`. */
export function simGenerateCommand(
  loadGenerate: () => Promise<Generate>,
  terminal: WorkloadTerminal,
): Command {
  return addOptions(new Command("generate"))
    .summary("generate a synthetic workload, or rescale a recorded one")
    .description(
      "Writes a workload in SWF: generated from a model (Lublin & Feitelson's model of rigid parallel " +
        "jobs, or Poisson arrivals), or a recorded one rescaled to another load. The same seed gives the " +
        "same file.",
    )
    .addHelpText("after", EXAMPLES)
    .action(async (options: GenerateOptions) => {
      const request = requestFrom(options);
      const generate = await loadGenerate();
      const toStdout = (text: string) => terminal.writeBytes("stdout", Buffer.from(text));
      const summary = await generate(request, options.output ?? toStdout);
      if (options.output !== undefined) terminal.writeResult(`${options.output}: ${said(summary)}\n`);
    });
}

function addOptions(command: Command): Command {
  return command
    .option("--model <name>", WORKLOAD_MODELS.join(" or "), oneOf("--model", WORKLOAD_MODELS))
    .addOption(new Option("--from <trace>", "a recorded workload to rescale").conflicts(["model", "jobs"]))
    .option(
      "--variant <name>",
      `for lublin: ${LUBLIN_SETS.join(", ")} (default: combined)`,
      oneOf("--variant", LUBLIN_SETS),
    )
    .option("--jobs <n>", `jobs to draw (default: ${DEFAULT_JOBS})`, positiveInteger("--jobs"))
    .option(
      "--procs <n>",
      `processors of the machine (default: ${DEFAULT_PROCS}, or the trace's)`,
      positiveInteger("--procs"),
    )
    .option("--load <share>", "target load (default: the model's own)", loadValue)
    .option("--scale <what>", LOAD_SCALES.join(", "), oneOf("--scale", LOAD_SCALES), "arrivals")
    .option(
      "--requests <rule>",
      `requested times: ${REQUEST_RULES.join(", ")} (default: the model's own)`,
      oneOf("--requests", REQUEST_RULES),
    )
    .option("--set <name=value>", "a parameter of the model; may be repeated", parameterValue)
    .option("--seed <n>", "seed of the random numbers", seedValue, 1)
    .option("--lenient", "with --from: skip malformed lines instead of stopping at the first", false)
    .option("-o, --output <file>", "output file: .swf, compressed with .gz (default: stdout)");
}

function requestFrom(options: GenerateOptions): WorkloadRequest {
  const { from, model, load, scale, seed, procs, requests, lenient } = options;
  if (from !== undefined) {
    const modelOnly = (["variant", "requests", "set"] as const).find((name) => options[name] !== undefined);
    if (modelOnly !== undefined) {
      throw usage(
        `--${modelOnly} is of models, and --from takes a recorded workload`,
        "leave one of them out",
      );
    }
    if (load === undefined) throw usage("--from without --load", "say which load to reach: --load 0.8");
    return { kind: "rescale", from, load, scale, seed, lenient, ...(procs === undefined ? {} : { procs }) };
  }
  if (model === undefined) {
    throw usage("neither --model nor --from is given", "write --model lublin, or --from TRACE --load 0.8");
  }
  if (options.variant !== undefined && model !== "lublin") {
    throw usage("--variant is of the model lublin", "leave it out, or write --model lublin");
  }
  return {
    kind: "draw",
    model,
    set: options.variant ?? "combined",
    jobs: options.jobs ?? DEFAULT_JOBS,
    procs: procs ?? DEFAULT_PROCS,
    seed,
    scale,
    parameters: options.set ?? {},
    ...(load === undefined ? {} : { load }),
    ...(requests === undefined ? {} : { requests }),
  };
}

function said({ jobs, procs, load, spanSec }: WorkloadSummary): string {
  return `${jobs} jobs for ${procs} processors over ${lengthText(spanSec)}, load ${load.toFixed(3)}`;
}

function usage(what: string, remedy: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "usage",
    what,
    why: "no workload to generate was given",
    remedy,
  });
}

const MOST_LOAD = 100;

/** A load: a number above 0, 0.8 for four fifths of the machine. */
function loadValue(text: string): number {
  const load = /^\d*\.?\d+$/.test(text) ? Number(text) : 0;
  if (load > 0 && load <= MOST_LOAD) return load;
  throw wrong("--load", text, {
    why: `it is a fraction of the machine above 0 and at most ${MOST_LOAD}`,
    remedy: "write for instance --load 0.8",
  });
}

/** A seed: a whole number from 0 to 2^32 − 1. */
function seedValue(text: string): number {
  const seed = /^\d{1,10}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (seed < 2 ** 32) return seed;
  throw wrong("--seed", text, {
    why: "it is a whole number from 0 to 4294967295",
    remedy: "write for instance --seed 1",
  });
}

/** Collects repeated `name=number` pairs; the last of a name counts. */
function parameterValue(text: string, before: Readonly<Record<string, number>> = {}): Record<string, number> {
  const [, name, number] = /^([A-Za-z]\w*)=(-?\d*\.?\d+(?:[eE][+-]?\d{1,3})?)$/.exec(text) ?? [];
  if (name !== undefined) return { ...before, [name]: Number(number) };
  throw wrong("--set", text, {
    why: "it is the name of a parameter, an equals sign and a number",
    remedy: "write for instance --set serialProb=0.3",
  });
}

function wrong(option: string, text: string, words: { why: string; remedy: string }): Fault {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return new Fault({
    kind: "badInput",
    code: "optionValueWrong",
    what: `${option}: "${printable(shown)}" was not understood`,
    ...words,
  });
}
