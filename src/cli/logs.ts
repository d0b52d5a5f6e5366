/**
 * `stint logs ID [-f]`: what a job has written so far.
 */
import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { streamFiles } from "./job-files.ts";

interface LogsOptions {
  readonly follow: boolean;
  readonly stderr: boolean;
}

const EXAMPLES = `
Examples:
  $ stint logs 7f3a
  $ stint logs 7f3a -f            goes on until the job is over
  $ stint logs 7f3a --stderr
`;

/** The command. */
export function logsCommand(context: CommandContext): Command {
  return new Command("logs")
    .summary("what a job has written so far")
    .description("Prints what a job has written to its stdout, or with --stderr to its stderr.")
    .argument("<id>", "a job; its id may be abbreviated while it is unique")
    .option("-f, --follow", "go on as more comes, until the job is over", false)
    .option("--stderr", "its stderr instead of its stdout", false)
    .addHelpText("after", EXAMPLES)
    .action(async (id: string, { follow, stderr }: LogsOptions) => {
      const client = await context.client();
      const job = await client.job(id);
      const { [stderr ? "stderr" : "stdout"]: name } = streamFiles(job);
      for await (const bytes of client.readFile(job.id, name, { follow })) {
        await context.terminal.writeBytes("stdout", bytes);
      }
    });
}
