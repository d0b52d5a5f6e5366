/**
 * `stint run -- COMMAND`: a job from a command line, that ends as if the command had run here.
 */
import { isAbsolute, resolve } from "node:path";
import { Command } from "commander";
import type { JobSubmission, StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { positiveInteger } from "./option-values.ts";
import { durationValue, environmentValue, pairsValue, sizeValue } from "./quantity-values.ts";

interface RunOptions {
  readonly procs?: number;
  readonly time?: number;
  readonly mem?: number;
  readonly site?: string;
  readonly reservation?: string;
  readonly ticket?: string;
  readonly vo?: string;
  readonly for?: string;
  readonly tag?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

const EXAMPLES = `
Examples:
  $ stint run -- hostname
  $ stint run -n 4 -t 1h30m --mem 8G -- ./simulate --steps 1000 > result.txt
  $ stint run --vo cms/higgs -- ./analyse
  $ stint run --env OMP_NUM_THREADS=4 --env HOME --tag project=snow -- python3 /data/train.py

The command is a name that the site finds on its path, or a file: a name with a slash in it is taken
from the directory you are in. It runs in a directory of its own, with nothing on its stdin, and with
none of your environment but what --env hands on. No shell is involved: for one, run sh -c '…'.

stdout and stderr are the command's own; what Stint has to say goes to stderr. Ctrl-C cancels the job
and waits for its end, a second Ctrl-C leaves it.

Exit codes: the command's own; 128 + n when signal n ended it, 143 at the time limit; 125 when Stint
could not run it or the job was cancelled; 130 after a second Ctrl-C.
`;

/** The command; what follows a job is loaded when the command runs. */
export function runCommand(context: CommandContext): Command {
  return new Command("run")
    .summary("run a command as a job, and follow it to its end")
    .description("Runs a command as a job, prints its output as it comes, and ends with its exit code.")
    .argument("<command...>", "the program and its arguments, best after --")
    .option("-n, --procs <n>", "processors", positiveInteger("-n"))
    .option("-t, --time <time>", "time limit: 1h30m, 01:30:00 (default: the site's)", durationValue("-t"))
    .option("--mem <size>", "memory in all: 512M, 4G", sizeValue("--mem"))
    .option("--site <site>", "the site it must run at (default: the broker chooses)")
    .option("--reservation <id>", "the reservation it runs in, at that site and in its time")
    .option("--ticket <ticket>", "the ticket that it runs under: its file, or its line")
    .option("--vo <path>", "the VO, or the group of it, for which it runs: within yours")
    .option("--for <path>", "submits it for a consumer, vo/group/user, where you may (an admin for all)")
    .option("--tag <key=value>", "a tag to find it by; may be repeated", pairsValue("--tag"))
    .option(
      "--env <name[=value]>",
      "hands a variable on, yours or this value; may be repeated",
      environmentValue("--env", context.terminal.environment),
    )
    .passThroughOptions()
    .addHelpText("after", EXAMPLES)
    .action(async (words: readonly string[], options: RunOptions) => {
      const submission = submissionFrom(words, options, context.terminal.directory);
      const { runJob } = await import("./run-job.ts");
      const client = await context.client();
      const under = await ticketOf(options, context.terminal.directory);
      const placed = { ...submission, ...under, ...(await reservationOf(options, client)) };
      context.endWith(await runJob({ submission: placed, ...forWhom(options) }, client, context.terminal));
    });
}

/** The reservation by its whole id, which a job names. */
export async function reservationOf(
  { reservation }: { readonly reservation?: string },
  client: Pick<StintClient, "reservation">,
): Promise<{ readonly reservation?: string }> {
  return reservation === undefined ? {} : { reservation: (await client.reservation(reservation)).id };
}

/** For whom jobs are submitted, where that is somebody else. */
export function forWhom(options: { readonly for?: string }): { readonly for?: string } {
  return options.for === undefined ? {} : { for: options.for };
}

/** The line of the ticket that is given; what follows it is loaded when there is one. */
export async function ticketOf(
  { ticket }: { readonly ticket?: string },
  directory: string,
): Promise<{ readonly ticket?: string }> {
  if (ticket === undefined) return {};
  const { readTicketInput } = await import("../formats/ticket/index.ts");
  return { ticket: await readTicketInput(ticket, directory) };
}

function submissionFrom(words: readonly string[], options: RunOptions, directory: string): JobSubmission {
  const { procs, time, mem, site, vo, tag, env } = options;
  return {
    ...commandOf(words, directory),
    ...(procs === undefined ? {} : { procs }),
    ...(time === undefined ? {} : { wallTimeSec: time / 1000 }),
    ...(mem === undefined ? {} : { memoryBytes: mem }),
    ...(site === undefined ? {} : { site }),
    ...(vo === undefined ? {} : { virtualOrganisation: vo }),
    ...(tag === undefined ? {} : { userTags: tag }),
    ...(env === undefined ? {} : { environment: env }),
  };
}

/** The program of a command line, and its arguments. @throws Fault `commandEmpty` */
export function commandOf(
  [program = "", ...rest]: readonly string[],
  directory: string,
): Pick<JobSubmission, "executable"> & { readonly arguments: readonly string[] } {
  return { executable: programFrom(program, directory), arguments: rest };
}

/** As a shell takes it: a word with a slash is a file, any other a name on the path (the site's). */
function programFrom(word: string, directory: string): string {
  if (word !== "") return word.includes("/") && !isAbsolute(word) ? resolve(directory, word) : word;
  throw new Fault({
    kind: "badInput",
    code: "commandEmpty",
    what: "the command to run is empty",
    why: "its first word is the program, and it has no characters",
    remedy: "if it comes from a variable, check that it is set",
  });
}
