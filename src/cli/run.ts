/** `stint run -- COMMAND`: runs a command as a job, and ends as if it had run here. */
import { Command } from "commander";
import { Fault } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { demandReadable } from "./expression-options.ts";
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
import { withPipedInput } from "./piped-input.ts";
import { uploadInputs } from "./upload-inputs.ts";

interface RunOptions extends JobOptions {
  readonly interactive: boolean;
}

const EXAMPLES = `
Examples:
  $ stint run -- hostname
  $ stint run -n 4 -t 1h30m --mem 8G -- ./simulate --steps 1000 > result.txt
  $ stint run --vo cms/higgs -- ./analyse
  $ stint run -i -- bash             a program with a terminal
  $ stint run --env OMP_NUM_THREADS=4 --env HOME --tag project=snow -- python3 /data/train.py

The command is a name that the site finds on its PATH, or a file: a name with a slash in it is a path
relative to your current directory. It runs in a directory of its own unless --workdir names one, with nothing
on its stdin unless --stdin names a file (- for what is piped into stint run), and with no variables of your
environment except those that --env names. No shell is involved; if you need one, run sh -c '…'.

stdout and stderr are those of the command; messages of Stint go to stderr. Ctrl-C cancels the job and waits
for its end; a second Ctrl-C stops waiting.

With -i the command has a terminal, which receives all keys, including Ctrl-C. Return followed by ~. detaches
and leaves it running; stint attach ID reconnects (~~ types a tilde). If stdin is not a terminal, its content
is typed into it.

Exit codes: the command's own; 128 + n when signal n ended it, 143 at the time limit; 125 when Stint
could not run it or the job was cancelled; 130 after a second Ctrl-C.
`;

/** Command definition of `stint run -- COMMAND`. */
export function runCommand(context: CommandContext): Command {
  const command = new Command("run")
    .summary("run a command as a job and wait for its end")
    .description("Runs a command as a job, prints its output as it is written, and ends with its exit code.")
    .argument("<command...>", "the program and its arguments, preferably after --");
  return withJobOptions(command, context.terminal.environment)
    .option("-i, --interactive", "give the command a terminal, and type into it", false)
    .passThroughOptions()
    .addHelpText("after", EXAMPLES)
    .action(async (words: readonly string[], typed: RunOptions) => {
      if (typed.interactive && typed.stdin !== undefined) throw twoInputs();
      await withPipedInput(typed, context.terminal, (options) => runWords(words, options, context));
    });
}

async function runWords(
  words: readonly string[],
  options: RunOptions,
  context: CommandContext,
): Promise<void> {
  const { directory } = context.terminal;
  await demandReadable(options);
  const submission = jobWith(options, commandOf(words, directory), directory);
  const client = await context.client();
  const under = await ticketOf(options, context.terminal.directory);
  const begun = await givenStateOf(options, client);
  const { terminal } = context;
  const [sent = submission] = await uploadInputs([submission], options, { client, terminal });
  const placed = { ...sent, ...under, ...begun, ...(await reservationOf(options, client)) };
  const request = { submission: placed, ...forWhom(options) };
  const run = options.interactive
    ? (await import("./run-interactive.ts")).runInteractive
    : (await import("./run-job.ts")).runJob;
  context.endWith(await run(request, client, context.terminal));
}

function twoInputs(): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionsExclude",
    what: "-i and --stdin exclude each other",
    why: "a program with a terminal reads its input from the terminal",
    remedy: "send the file with the job (--input), or pipe it: stint run -i -- COMMAND < FILE",
  });
}
