/** A job that is described by a file, by options or by both, but not submitted. */
import type { Command } from "commander";
import type { HypotheticalJob } from "../api/client/index.ts";
import type { CommandContext } from "./command-context.ts";
import { demandReadable, type ExpressionOptions, expressionsOf } from "./expression-options.ts";
import { readOneJob } from "./one-job.ts";
import { collected, positiveInteger, wholeNumber } from "./option-values.ts";
import { durationValue, sizeValue } from "./quantity-values.ts";

/** Values of the options. */
export interface HypotheticalJobOptions extends ExpressionOptions {
  readonly procs?: number;
  /** In ms. */
  readonly time?: number;
  readonly mem?: number;
  readonly gpus?: number;
  readonly application?: readonly string[];
  readonly site?: readonly string[];
}

/** Adds the file and the options of size and site. */
export function addHypotheticalJob(command: Command): Command {
  return command
    .argument("[file]", "a job description; - is stdin. Options override its values")
    .option("-n, --procs <n>", "processors", positiveInteger("-n"))
    .option("-t, --time <time>", "time limit: 1h30m, 01:30:00 (default: the site's)", durationValue("-t"))
    .option("--mem <size>", "total memory: 512M, 4G", sizeValue("--mem"))
    .option("--gpus <n>", "total GPUs", wholeNumber("--gpus"))
    .option("--application <name>", "application that the site must have; may be repeated", collected)
    .option("--site <name...>", "only these sites (default: all)");
}

/**
 * The job of the file, or of none, with what the options say.
 *
 * @param one why there must not be several, and what to do
 */
export async function hypotheticalJob(
  file: string | undefined,
  options: HypotheticalJobOptions,
  { context, one }: { readonly context: CommandContext; readonly one: Parameters<typeof readOneJob>[2] },
): Promise<HypotheticalJob> {
  const described = file === undefined ? {} : await readOneJob(file, context, one);
  await demandReadable(options);
  const { procs, time, mem, gpus, application: applications, site: sites } = options;
  return {
    ...described,
    ...expressionsOf(options),
    ...(procs === undefined ? {} : { procs }),
    ...(time === undefined ? {} : { wallTimeSec: time / 1000 }),
    ...(mem === undefined ? {} : { memoryBytes: mem }),
    ...(gpus === undefined ? {} : { gpus }),
    ...(applications === undefined ? {} : { applications: [...new Set(applications)] }),
    ...(sites === undefined ? {} : { sites }),
  };
}
