/** `stint logs ID… [-f]`: prints the output of jobs so far. */
import { Command } from "commander";
import { Fault } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { eachJob } from "./each-job.ts";
import { streamFiles } from "./job-files.ts";
import { type JobSelection, selectedMemberIds, withSelection } from "./selected-jobs.ts";
import { printable } from "./text-table.ts";

interface LogsOptions extends JobSelection {
  readonly follow: boolean;
  readonly stderr: boolean;
  readonly file?: string;
}

const EXAMPLES = `
Examples:
  $ stint logs 7f3a
  $ stint logs 7f3a -f            follows it until the job ends
  $ stint logs 7f3a --stderr
  $ stint logs 7f3a --file results/log.txt -f
  $ stint logs --tag sweep=1      one after the other, each below its id
`;

/** Command definition of `stint logs ID… [-f]`. */
export function logsCommand(context: CommandContext): Command {
  const command = new Command("logs")
    .summary("print the output of jobs so far")
    .description("Prints the stdout of jobs so far, with --stderr their stderr, or another file.")
    .argument(
      "[id...]",
      "jobs, arrays (all their jobs) or DAGs (all their nodes); a unique prefix of an id is enough",
    );
  return withSelection(command)
    .option("-f, --follow", "follow the output until the job ends", false)
    .option("--stderr", "print stderr instead of stdout", false)
    .option("--file <path>", "print this file of the job's directory instead")
    .addHelpText("after", EXAMPLES)
    .action(async (ids: readonly string[], options: LogsOptions) => {
      if (options.stderr && options.file !== undefined) throw twoFiles();
      demandInside(options.file);
      const all = await selectedMemberIds(await context.client(), ids, options);
      if (ids.length === 1 && all.length === 1) await print(all[0] ?? "", options, context);
      else await printEach(all, options, context);
    });
}

/** The output of each in turn, below a line with its id. */
async function printEach(
  ids: readonly string[],
  options: LogsOptions,
  context: CommandContext,
): Promise<void> {
  const one = async (id: string): Promise<void> => {
    context.terminal.writeResult(`==> ${id} <==\n`);
    await print(id, options, context);
  };
  await eachJob(ids, one, context);
}

async function print(
  id: string,
  { follow, stderr, file }: Pick<LogsOptions, "follow" | "stderr" | "file">,
  context: CommandContext,
): Promise<void> {
  const client = await context.client();
  const job = await client.job(id);
  const name = file ?? streamFiles(job)[stderr ? "stderr" : "stdout"];
  for await (const bytes of client.readFile(job.id, name, { follow })) {
    await context.terminal.writeBytes("stdout", bytes);
  }
}

/** @throws Fault for a path that leaves the job's directory */
function demandInside(file = ""): void {
  if (!file.startsWith("/") && !file.split("/").includes("..")) return;
  throw new Fault({
    kind: "badInput",
    code: "optionValueWrong",
    what: `--file: "${printable(file)}" is outside the job's directory`,
    why: "only files below that directory can be read; the path is relative to it, without ..",
    remedy: "write for instance --file results/log.txt",
  });
}

function twoFiles(): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionsContradict",
    what: "--stderr and --file are given together",
    why: "stint logs prints one file of a job",
    remedy: "leave one of them out",
  });
}
