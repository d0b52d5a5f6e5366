/** Options that describe a job: the same words for `stint run` and `stint submit`. */
import { basename, isAbsolute, resolve } from "node:path";
import type { Command } from "commander";
import type { JobSubmission, StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { expandedInputs } from "../formats/input-files/index.ts";
import { CHECKPOINT_NAME, DEPENDENCY_PATTERN } from "../model/index.ts";
import { type ExpressionOptions, expressionsOf, withExpressions } from "./expression-options.ts";
import { collected, positiveInteger, wholeNumber } from "./option-values.ts";
import { durationValue, environmentValue, sizeValue, tagsValue } from "./quantity-values.ts";
import { printable } from "./text-table.ts";
import type { UploadChoice } from "./upload-inputs.ts";

/** Values of the options. */
export interface JobOptions extends ExpressionOptions, UploadChoice {
  readonly name?: string;
  readonly procs?: number;
  /** Time limit in ms. */
  readonly time?: number;
  /** Bytes. */
  readonly mem?: number;
  readonly gpus?: number;
  readonly site?: string;
  readonly replicas?: number;
  readonly queueTime?: number;
  readonly workdir?: string;
  readonly stdin?: string;
  readonly input?: readonly string[];
  readonly after?: readonly string[];
  readonly application?: readonly string[];
  /** Bytes. */
  readonly retryMem?: number;
  /** In ms. */
  readonly retryTime?: number;
  readonly checkpointable?: boolean;
  readonly checkpointExit?: number;
  readonly fromCheckpoint?: NamedState;
  readonly reservation?: string;
  readonly ticket?: string;
  readonly vo?: string;
  readonly for?: string;
  readonly tag?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Adds the options to a command. @param environment variables of the caller, for `--env NAME` */
export function withJobOptions(
  command: Command,
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  const placed = command
    .option("--name <name>", "name of the job, for listings and searches")
    .option("-n, --procs <n>", "processors", positiveInteger("-n"))
    .option("-t, --time <time>", "time limit: 1h30m, 01:30:00 (default: the site's)", durationValue("-t"))
    .option("--mem <size>", "total memory: 512M, 4G", sizeValue("--mem"))
    .option("--gpus <n>", "GPUs", wholeNumber("--gpus"))
    .option("--site <site>", "site of the job (default: chosen by the broker)")
    .option(
      "--replicas <n>",
      "wait in the queues of up to this many sites, and start at one",
      positiveInteger("--replicas", 8),
    )
    .option(
      "--queue-time <duration>",
      "if not started within this time, withdraw from the site's queue and match again",
      durationValue("--queue-time"),
    )
    .option(
      "--workdir <directory>",
      "directory at the site to run in (default: a directory of the job's own)",
    )
    .option(
      "--stdin <file>",
      "file for the job's standard input; - is the stdin of this command (default: empty)",
    )
    .option("--input <path>", "file, directory or pattern to send with the job; may be repeated", collected)
    .option("--upload", "upload these files to the broker (default if it is on another machine)")
    .option(
      "--after <end:id>",
      "start after this job has ended: ok:ID, failed:ID, any:ID; may be repeated",
      afterValue,
    )
    .option("--application <name>", "application that the site must have; may be repeated", collected);
  const described = withRetryOptions(placed)
    .option("--reservation <id>", "reservation to run in; it sets the site and the time")
    .option("--ticket <ticket>", "ticket to run under: a file, or the ticket itself")
    .option("--vo <path>", "VO or group to run for, within your consumer path")
    .option(
      "--for <path>",
      "submit for another consumer, vo/group/user (requires the right; admins may for any)",
    )
    .option(
      "--tag <tag>",
      "tag, key=value or a word, for listings and searches; may be repeated",
      tagsValue("--tag"),
    )
    .option(
      "--env <name[=value]>",
      "pass an environment variable with its current value, or set it; may be repeated",
      environmentValue("--env", environment),
    );
  return withExpressions(described);
}

/** Adds the options for further attempts of a job. */
function withRetryOptions(command: Command): Command {
  return command
    .option(
      "--retry-mem <size>",
      "if the job runs out of memory, retry it with more, up to this",
      sizeValue("--retry-mem"),
    )
    .option(
      "--retry-time <time>",
      "if the job reaches its time limit, retry it with a longer one, up to this",
      durationValue("--retry-time"),
    )
    .option("--checkpointable", "the program writes checkpoints; another attempt starts from the last one")
    .option(
      "--checkpoint-exit <code>",
      "exit code by which the program requests another attempt after a checkpoint",
      positiveInteger("--checkpoint-exit", 125),
    )
    .option("--from-checkpoint <id:name>", "checkpoint of another job of yours to start from", stateValue);
}

/** Collects dependencies, comma-separated or repeated. */
function afterValue(text: string, before: readonly string[] = []): readonly string[] {
  const added = text.split(",").map((one) => one.trim());
  const wrong = added.find((one) => !new RegExp(DEPENDENCY_PATTERN).test(one));
  if (wrong === undefined) return [...before, ...added];
  throw new Fault({
    kind: "badInput",
    code: "optionValueWrong",
    what: `--after: "${printable(wrong)}" was not understood`,
    why: "it must be ok:, failed: or any: (how that job must end), followed by a job id",
    remedy: "write for instance --after ok:7f3a, or --after any:7f3a,any:91bc",
  });
}

/** A state that a job saved. */
interface NamedState {
  readonly job: string;
  readonly name: string;
}

function stateValue(text: string): NamedState {
  const [job = "", name = "", ...more] = text.split(":");
  if (job !== "" && CHECKPOINT_NAME.test(name) && more.length === 0) return { job, name };
  throw new Fault({
    kind: "badInput",
    code: "optionValueWrong",
    what: `--from-checkpoint: "${printable(text)}" was not understood`,
    why: "it must be a job id, a colon, and the name of a checkpoint",
    remedy: "write for instance --from-checkpoint 7f3a:step3; stint checkpoint list ID shows the names",
  });
}

/** A job with what the options say of it; files are taken from `directory`. */
export function jobWith(options: JobOptions, job: JobSubmission, directory: string): JobSubmission {
  return { ...job, ...saidBy(options, directory, job.inputSandbox) };
}

/** Attributes of a job as the options say them. @param sent files that the job sends along already */
function saidBy(
  { name, procs, time, mem, gpus, site, workdir, after, vo, tag, env, ...others }: JobOptions,
  directory: string,
  sent: readonly string[] = [],
): Partial<JobSubmission> {
  const {
    replicas,
    queueTime,
    stdin,
    input = [],
    application,
    retryMem,
    retryTime,
    checkpointable,
    checkpointExit,
  } = others;
  const alone = stdin === undefined ? [] : [resolve(directory, stdin)];
  const inputSandbox = [...new Set([...sent, ...expandedInputs(input, directory), ...alone])];
  return {
    ...(name === undefined ? {} : { name }),
    ...(procs === undefined ? {} : { procs }),
    ...(time === undefined ? {} : { wallTimeSec: time / 1000 }),
    ...(mem === undefined ? {} : { memoryBytes: mem }),
    ...(gpus === undefined ? {} : { gpus }),
    ...(site === undefined ? {} : { site }),
    ...(replicas === undefined ? {} : { replicas }),
    ...(queueTime === undefined ? {} : { queueTimeSec: queueTime / 1000 }),
    ...(workdir === undefined ? {} : { workingDirectory: resolve(directory, workdir) }),
    ...(stdin === undefined ? {} : { stdInput: basename(stdin) }),
    ...expressionsOf(others),
    ...(inputSandbox.length === 0 ? {} : { inputSandbox }),
    ...(after === undefined ? {} : { after }),
    ...(retryMem === undefined ? {} : { retryMemoryBytes: retryMem }),
    ...(retryTime === undefined ? {} : { retryTimeSec: retryTime / 1000 }),
    ...(checkpointable === undefined ? {} : { checkpointable }),
    ...(checkpointExit === undefined ? {} : { checkpointExitCode: checkpointExit }),
    ...(application === undefined ? {} : { applications: [...new Set(application)] }),
    ...(vo === undefined ? {} : { virtualOrganisation: vo }),
    ...(tag === undefined ? {} : { userTags: tag }),
    ...(env === undefined ? {} : { environment: env }),
  };
}

/** Full id of a reservation, which a job names. */
export async function reservationOf(
  { reservation }: { readonly reservation?: string },
  client: Pick<StintClient, "reservation">,
): Promise<{ readonly reservation?: string }> {
  return reservation === undefined ? {} : { reservation: (await client.reservation(reservation)).id };
}

/** A state that the job begins with, by the whole id of its job. */
export async function givenStateOf(
  { fromCheckpoint }: Pick<JobOptions, "fromCheckpoint">,
  client: Pick<StintClient, "job">,
): Promise<Pick<JobSubmission, "fromCheckpoint">> {
  if (fromCheckpoint === undefined) return {};
  const { id } = await client.job(fromCheckpoint.job);
  return { fromCheckpoint: `${id}:${fromCheckpoint.name}` };
}

/** Consumer of the jobs, where it is not the caller's. */
export function forWhom(options: { readonly for?: string }): { readonly for?: string } {
  return options.for === undefined ? {} : { for: options.for };
}

/** Line of the given ticket; its reader is loaded where there is one. */
export async function ticketOf(
  { ticket }: { readonly ticket?: string },
  directory: string,
): Promise<{ readonly ticket?: string }> {
  if (ticket === undefined) return {};
  const { readTicketInput } = await import("../formats/ticket/index.ts");
  return { ticket: await readTicketInput(ticket, directory) };
}

/** Program and arguments of a command line. @throws Fault `commandEmpty` */
export function commandOf(
  [program = "", ...rest]: readonly string[],
  directory: string,
): Pick<JobSubmission, "executable"> & { readonly arguments: readonly string[] } {
  return { executable: programFrom(program, directory), arguments: rest };
}

/** Resolves a word as a shell does: with a slash it is a file, else a name on the path (the site's). */
function programFrom(word: string, directory: string): string {
  if (word !== "") return word.includes("/") && !isAbsolute(word) ? resolve(directory, word) : word;
  throw new Fault({
    kind: "badInput",
    code: "commandEmpty",
    what: "the command to run is empty",
    why: "the first word, which names the program, is empty",
    remedy: "if it comes from a variable, check that it is set",
  });
}
