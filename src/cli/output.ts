/**
 * `stint output ID`: brings home what a job has left.
 */
import { Command } from "commander";
import type { JobView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { isFinal } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { filesWanted } from "./job-files.ts";

interface OutputOptions {
  readonly to?: string;
  readonly force: boolean;
}

const EXAMPLES = `
Examples:
  $ stint output 7f3a                  into ./ID, with the whole id
  $ stint output 7f3a --to results
  $ stint output 7f3a --to . --force

Brought home are the job's stdout and stderr, and the files that its outputSandbox names. Nothing is
overwritten without --force, and a file appears under its name when it is whole. While a job is not
over, see stint logs.
`;

/** The command. */
export function outputCommand(context: CommandContext): Command {
  return new Command("output")
    .summary("bring home what a job has left")
    .description("Brings home a job's stdout and stderr and its output sandbox; prints the files' paths.")
    .argument("<id>", "a job that is over; its id may be abbreviated while it is unique")
    .option("--to <directory>", "where to, made where it is not there (default: ./ID)")
    .option("--force", "overwrite files that are there", false)
    .addHelpText("after", EXAMPLES)
    .action(async (id: string, options: OutputOptions) => await output(id, options, context));
}

async function output(id: string, { to, force }: OutputOptions, context: CommandContext): Promise<void> {
  const { terminal } = context;
  const client = await context.client();
  const job = await client.job(id);
  if (!isFinal(job.state)) throw notOver(job);
  const { wanted, missing } = filesWanted(job, await client.files(job.id));
  const { downloadOutput } = await import("./download-output.ts");
  await downloadOutput(wanted, {
    directory: to ?? job.id,
    startingFrom: terminal.directory,
    isOverwriting: force,
    read: (name) => client.readFile(job.id, name),
    brought: (path) => terminal.writeResult(`${path}\n`),
  });
  for (const name of missing) terminal.writeError(`stint: the job left no ${JSON.stringify(name)}\n`);
  if (wanted.length === 0) terminal.writeError(`stint: job ${job.id} left no files\n`);
}

function notOver({ id, state }: JobView): Fault {
  return new Fault({
    kind: "refused",
    code: "jobNotOver",
    what: `job ${id} is not over`,
    why: `it is ${state}, and its files may still change`,
    remedy: `stint logs ${id} -f follows what it writes; or wait until it is over`,
  });
}
