/** `stint output ID`: downloads the output of a job. */
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

/** Command definition of `stint output ID`. */
export function outputCommand(context: CommandContext): Command {
  return new Command("output")
    .summary("download the output of a job")
    .description("Downloads a job's stdout, stderr and output sandbox, and prints the paths of the files.")
    .argument("<id>", "a job that has ended; its id may be abbreviated while it is unique")
    .option("--to <directory>", "directory for the files, created where there is none (default: ./ID)")
    .option("--force", "overwrite existing files", false)
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
    what: `job ${id} has not ended`,
    why: `it is ${state}, and its files may still change`,
    remedy: `follow its output with stint logs ${id} -f, or wait for its end`,
  });
}
