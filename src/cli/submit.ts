/** `stint submit`: submits a command, a script, or the jobs of description files. */
import { randomUUID } from "node:crypto";
import { basename, resolve } from "node:path";
import { Command } from "commander";
import type { DagRequest, JobSubmission, StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { absoluteInput } from "../formats/input-files/index.ts";
import type { ReadDag } from "../formats/job-reading/index.ts";
import { asSubmitted } from "../model/index.ts";
import { rankingValue, withBestBid } from "./bid-option.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { demandReadable } from "./expression-options.ts";
import { appendIds, demandIdsFile, withIdsTo } from "./id-files.ts";
import {
  commandOf,
  forWhom,
  givenStateOf,
  type JobOptions,
  jobWith,
  reservationOf,
  ticketOf,
  withJobOptions,
} from "./job-options.ts";
import { collected, oneOf } from "./option-values.ts";
import { overruled } from "./overruled.ts";
import { brokerOfBestBid, type PeerOptions, peerOf, withPeerOptions } from "./peer-bids.ts";
import { withPipedInput } from "./piped-input.ts";
import { arrayValue } from "./quantity-values.ts";
import { problemFault, remarkPlace } from "./remark-text.ts";
import { EXIT_CODES, faultText } from "./report-fault.ts";
import { hasDirectives, isScript } from "./script-file.ts";
import { submitInParts } from "./submit-in-parts.ts";
import { translationWarnings } from "./translation-lines.ts";
import { uploadInputs } from "./upload-inputs.ts";

interface SubmitOptions extends JobOptions, PeerOptions {
  readonly outputFile?: readonly string[];
  readonly array?: string;
  readonly key?: string;
  /** Weight of the cost in the order of bids. */
  readonly by?: number;
  readonly idsTo?: string;
  readonly wrap?: string;
  readonly output: "table" | "json" | "name";
}

/** Jobs of files, and DAGs, which are submitted each by itself. */
interface Described {
  readonly jobs: readonly JobSubmission[];
  readonly dags: readonly DagRequest[];
}

const FORMATS = ["table", "json", "name"] as const;
const EXAMPLES = `
Examples:
  $ stint submit -n 4 -t 2h --mem 8G -- ./simulate --steps 1000
  $ stint submit --name night --tag project=snow --output-file result.txt run.sh 7
  $ stint submit -a 0-999%50 -- ./simulate --seed-from-index
  $ stint submit --wrap 'sort big.txt | uniq -c > counts.txt'
  $ stint submit job.yaml
  $ stint submit first.yaml second.yaml -o json
  $ stint submit sweep.yaml --ids-to ids.txt && stint status --ids ids.txt:1-10
  $ ./make-jobs | stint submit - -o name | xargs stint status

What follows -- is a command, as in stint run. A file that begins with #! is a script: it is sent
and run, and all words after its name are its arguments; its lines #SBATCH, #PBS, #MSUB, #$, #BSUB or # @
say what it needs, and it runs in this directory. Any other file describes jobs; see stint check for
what a description means, and which of its lines have no equivalent.

-a submits an array: one job for each index, which the job finds in STINT_ARRAY_INDEX. The id of the array is
printed; its jobs are ID-INDEX. stint status, wait, cancel, hold, release, suspend, resume
and output take it as they take a job's.

A DAG (DAGMan, or JDL with Type = "DAG") is submitted as a whole: a node becomes a job when its parents have
succeeded. stint status shows its nodes as a tree; ID:NODE is one node of it; stint retry reruns the nodes
that did not succeed.

Options apply to every job. An option overrides a description, with a warning; tags and variables are added
to those of the description. All files are read and checked before anything is sent; if one has an error,
nothing is submitted.

Any number of jobs may be submitted: they are sent in parts of up to 1000. If the connection breaks, a
message names a key: the same command with --key KEY continues, and submits no job twice.
`;

/** Command definition of `stint submit`. @param typed all words of the command line after `stint` */
export function submitCommand(context: CommandContext, typed: readonly string[]): Command {
  const { directory } = context.terminal;
  return submitWords(context)
    .passThroughOptions()
    .action(async (words: readonly string[], options: SubmitOptions, command: Command) => {
      const [first = ""] = words;
      const isCommand = options.wrap !== undefined || typed.at(-(words.length + 1)) === "--";
      if (words.length === 0 && options.wrap === undefined) {
        command.error("missing required argument 'words'");
      } else if (isCommand || (await isScript(resolve(directory, first)))) {
        await withPipedInput(options, context.terminal, async (given) => {
          const job = isCommand
            ? commandJob(words, given, directory)
            : await scriptJob(words, given, context);
          await send(job && { jobs: job, dags: [] }, given, context);
        });
      } else {
        await submitDescribed(typed.slice(typed.indexOf("submit") + 1), command, context);
      }
    });
}

/** The job of a command, or of `--wrap`. */
function commandJob(
  words: readonly string[],
  options: SubmitOptions,
  directory: string,
): readonly JobSubmission[] {
  const { wrap } = options;
  if (wrap !== undefined && words[0] !== undefined) throw wrapAndWords(words[0]);
  const job =
    wrap === undefined ? commandOf(words, directory) : { executable: "/bin/sh", arguments: ["-c", wrap] };
  return [{ ...jobWith(options, job, directory), ...submittedWith(options) }];
}

/** The job of a script and its arguments; undefined after problems of its directives, which were reported. */
async function scriptJob(
  [file = "", ...words]: readonly string[],
  options: SubmitOptions,
  context: CommandContext,
): Promise<readonly JobSubmission[] | undefined> {
  const { directory } = context.terminal;
  const path = resolve(directory, file);
  if (await hasDirectives(path)) {
    const read = await readAll([file], options, context);
    return read?.jobs.map((job) => ({ ...job, arguments: [...(job.arguments ?? []), ...words] }));
  }
  const job = { executable: basename(path), arguments: words, inputSandbox: [path] };
  return [{ ...jobWith(options, job, directory), ...submittedWith(options) }];
}

function submitWords(context: CommandContext): Command {
  const command = new Command("submit")
    .summary("submit a command, a script, or described jobs; prints their ids")
    .description("Submits a command, a script, or the jobs described in YAML files, and prints their ids.")
    .argument("[words...]", "-- and a command; a script and its arguments; or descriptions, - is stdin");
  return withIdsTo(withPeerOptions(withJobOptions(command, context.terminal.environment)))
    .option("--wrap <line>", "shell command for /bin/sh, as with sbatch --wrap")
    .option(
      "-a, --array <indexes>",
      "an array of jobs: 0-99, 1,3,5, 0-20:4; %50: at most 50 at once",
      arrayValue("-a"),
    )
    .option(
      "--output-file <path>",
      "file, directory or pattern for stint output to download; repeatable",
      collected,
    )
    .option("--by <order>", "request bids, and take the best by cost, time or alpha=0.5", rankingValue)
    .option("--key <key>", "idempotency key: jobs with the same key are submitted only once", keyValue)
    .option("-o, --output <format>", FORMATS.join(", "), oneOf("-o", FORMATS), "table")
    .addHelpText("after", EXAMPLES);
}

function wrapAndWords(word: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "usage",
    what: `--wrap and ${word} are given`,
    why: "--wrap is a whole command, and a command, script or description would be another job",
    remedy: "leave one of them out",
  });
}

function inputTwice(): Fault {
  return new Fault({
    kind: "badInput",
    code: "usage",
    what: "standard input is named twice",
    why: "--stdin - and the description - both read standard input, which can be read only once",
    remedy: "put the description or the input into a file, and name that",
  });
}

/** Options of submissions only: output files to download, and an array. */
function submittedWith({ outputFile, array }: SubmitOptions): Pick<JobSubmission, "outputSandbox" | "array"> {
  return {
    ...(outputFile === undefined ? {} : { outputSandbox: outputFile }),
    ...(array === undefined ? {} : { array }),
  };
}

/** Options may stand among description files: what was typed is read again, in any order. */
async function submitDescribed(
  typed: readonly string[],
  outer: Command,
  context: CommandContext,
): Promise<void> {
  const inner = submitWords(context).copyInheritedSettings(outer);
  inner.parse([...typed], { from: "user" });
  const options = inner.opts<SubmitOptions>();
  if (options.stdin === "-" && inner.args.includes("-")) throw inputTwice();
  await withPipedInput(options, context.terminal, async (given) => {
    await send(await readAll(inner.args, given, context), given, context);
  });
}

/** Submits jobs and DAGs; undefined are those of files with problems, which were reported. */
async function send(
  given: Described | undefined,
  options: SubmitOptions,
  context: CommandContext,
): Promise<void> {
  if (given === undefined) return;
  await demandReadable(options);
  demandIdsFile(context.terminal.directory, options.idsTo);
  const peer = await peerOf(options);
  try {
    const world = { here: await context.client(), jobs: given.jobs, alpha: options.by };
    await sendTo(await brokerOfBestBid(peer, world, context.terminal), given, { options, context });
  } finally {
    peer?.client.close();
  }
}

async function sendTo(
  client: StintClient,
  { jobs, dags }: Described,
  { options, context }: { readonly options: SubmitOptions; readonly context: CommandContext },
): Promise<void> {
  const placed = { ...(await reservationOf(options, client)), ...(await givenStateOf(options, client)) };
  const under = await ticketOf(options, context.terminal.directory);
  const { output: form, by, key = randomUUID() } = options;
  const { terminal } = context;
  const sent = await uploadInputs(jobs, options, { client, terminal });
  const described = sent.map((job) => ({ ...job, ...placed, ...under }));
  if (by !== undefined && dags.length > 0) throw notForDags("--by");
  const submissions = by === undefined ? described : await withBestBid(described, by, { client, terminal });
  const ids: string[] = [];
  const submitted = (some: readonly string[]): void => {
    ids.push(...some);
    if (form !== "json") terminal.writeResult(some.map((id) => `${id}\n`).join(""));
    appendIds(terminal.directory, options.idsTo, some);
  };
  if (submissions.length > 0) {
    await submitInParts(client, { jobs: submissions, ...forWhom(options), key, submitted }, terminal);
  }
  for (const [at, one] of dags.entries()) {
    const dag = await uploadedDag(one, options, { client, terminal });
    submitted([await client.submitDag(dag, { ...forWhom(options), idempotencyKey: `${key}/dag${at + 1}` })]);
  }
  if (form === "json") terminal.writeResult(jsonText({ ids }));
}

/** The DAG with its nodes' files uploaded, where they are to be. */
async function uploadedDag(
  dag: DagRequest,
  options: SubmitOptions,
  world: Parameters<typeof uploadInputs>[2],
): Promise<DagRequest> {
  const descriptions = await uploadInputs(
    dag.nodes.map(({ description }) => description),
    options,
    world,
  );
  const nodes = dag.nodes.map((node, at) => ({ ...node, description: descriptions[at] ?? node.description }));
  return { ...dag, nodes };
}

/** Jobs of all files; undefined where one has a problem, after all problems were reported. */
async function readAll(
  files: readonly string[],
  options: SubmitOptions,
  context: CommandContext,
): Promise<Described | undefined> {
  const { terminal, endWith } = context;
  const read = await context.readJobFile();
  const descriptions: JobSubmission[] = [];
  const dags: DagRequest[] = [];
  let problemCount = 0;
  for (const file of files) {
    if (files.length > 1 && (await isScript(resolve(terminal.directory, file)))) throw scriptAmong(file);
    const { jobs, warnings, problems, translations, dag } = await read(file);
    const ofFile: JobSubmission[] = [];
    for (const warning of warnings) {
      const { what, remedy } = warning;
      terminal.writeError(`stint: warning: ${remarkPlace(file, warning)}: ${what}; ${remedy}\n`);
    }
    for (const text of translationWarnings(file, translations)) terminal.writeError(text);
    for (const problem of problems) terminal.writeError(faultText(problemFault(file, problem)));
    for (const { description, line } of jobs) {
      const inputSandbox = description.inputSandbox.map((path) => absoluteInput(terminal.directory, path));
      const said = { ...asSubmitted(description), inputSandbox };
      const job = { ...jobWith(options, said, terminal.directory), ...submittedWith(options) };
      const userTags = { ...said.userTags, ...options.tag };
      const environment = { ...said.environment, ...options.env };
      for (const text of overruled(said, job)) {
        terminal.writeError(`stint: warning: ${file}:${line}: ${text}\n`);
      }
      ofFile.push({ ...job, userTags, environment });
    }
    if (dag === undefined) descriptions.push(...ofFile);
    else dags.push(dagOf(dag, ofFile, options));
    problemCount += problems.length;
  }
  if (problemCount === 0) return { jobs: descriptions, dags };
  terminal.writeError("stint: nothing was submitted\n");
  endWith(EXIT_CODES.badInput);
  return undefined;
}

/** A DAG of these jobs. The name of the command line is that of the whole. */
function dagOf(dag: ReadDag, jobs: readonly JobSubmission[], options: SubmitOptions): DagRequest {
  const { name = dag.name, array, reservation, ticket, tag } = options;
  const unfit = array ?? reservation ?? ticket;
  if (unfit !== undefined) throw notForDags(unfit);
  const { nodes, ...same } = dag;
  return {
    ...same,
    ...(name === undefined ? {} : { name }),
    ...(tag === undefined ? {} : { userTags: tag }),
    nodes: nodes.map((node, at) => {
      const { name: own, ...job } = jobs[at] ?? { executable: "" };
      const named = options.name === undefined && own !== undefined ? { name: own } : { name: node.name };
      return { ...node, description: { ...job, ...named } };
    }),
  };
}

function notForDags(value: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "usage",
    what: `${value} cannot be given with a DAG`,
    why: "an array, a reservation or a ticket applies to one job, and a DAG has several",
    remedy: "leave it out",
  });
}

function scriptAmong(file: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "scriptAmongDescriptions",
    what: `${file} is a script, and the other files describe jobs`,
    why: "the words after a script are its arguments, so it must be the first and only file",
    remedy: `submit it by itself: stint submit ${file}`,
  });
}

/** An idempotency key, with room for the numbers of parts. */
function keyValue(text: string): string {
  if (/^[!-~]{1,200}$/.test(text)) return text;
  throw new Fault({
    kind: "badInput",
    code: "optionValueNotKey",
    what: "--key: this is not a key",
    why: "a key is 1 to 200 visible ASCII characters, without blanks",
    remedy: "write for instance --key sweep-2026-11-24",
  });
}
