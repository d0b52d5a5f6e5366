/** `stint logs ID [-f]`: prints the output of a job so far. */
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

/** Command definition of `stint logs ID [-f]`. */
export function logsCommand(context: CommandContext): Command {
  return new Command("logs")
    .summary("print the output of a job so far")
    .description("Prints a job's stdout so far, with --stderr its stderr.")
    .argument("<id>", "a job; its id may be abbreviated while it is unique")
    .option("-f, --follow", "follow the output until the job ends", false)
    .option("--stderr", "print stderr instead of stdout", false)
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
