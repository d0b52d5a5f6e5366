/** `stint run -- COMMAND`: runs a command as a job, and ends as if it had run here. */
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

/** Command definition of `stint run -- COMMAND`. */
export function runCommand(context: CommandContext): Command {
  return new Command("run")
    .summary("run a command as a job and wait for its end")
    .description("Runs a command as a job, prints its output as it is written, and ends with its exit code.")
    .argument("<command...>", "the program and its arguments, preferably after --")
    .option("-n, --procs <n>", "processors", positiveInteger("-n"))
    .option("-t, --time <time>", "time limit: 1h30m, 01:30:00 (default: the site's)", durationValue("-t"))
    .option("--mem <size>", "total memory: 512M, 4G", sizeValue("--mem"))
    .option("--site <site>", "site of the job (default: chosen by the broker)")
    .option("--reservation <id>", "reservation to run in, at its site and in its time")
    .option("--ticket <ticket>", "ticket to run under: its file or its line")
    .option("--vo <path>", "VO, or a group in it, to run for: within yours")
    .option("--for <path>", "submit for a consumer, vo/group/user, where you may (admins: for all)")
    .option("--tag <key=value>", "a tag for searches; may be repeated", pairsValue("--tag"))
    .option(
      "--env <name[=value]>",
      "pass an environment variable, with its value here or this one; may be repeated",
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

/** Full id of a reservation, which a job names. */
export async function reservationOf(
  { reservation }: { readonly reservation?: string },
  client: Pick<StintClient, "reservation">,
): Promise<{ readonly reservation?: string }> {
  return reservation === undefined ? {} : { reservation: (await client.reservation(reservation)).id };
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
    why: "its first word is the program, and it has no characters",
    remedy: "if it comes from a variable, check that it is set",
  });
}
