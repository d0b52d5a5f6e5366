/** `stint why ID`: explains the state of a job, its predicted start, and what would change it. */
import { Command } from "commander";
import { type CommandContext, jsonText } from "./command-context.ts";
import { localTimes } from "./instant-text.ts";
import { oneOf } from "./option-values.ts";
import { printable } from "./text-table.ts";

interface WhyOptions {
  readonly site?: string;
  readonly output: "table" | "json";
}

const EXAMPLES = `
Examples:
  $ stint why 7f3a
  $ stint why 7f3a -o json
  $ stint why 123456 --site alpha

With --site the id is that of a cluster's batch system. The job may be any
user's, however it was submitted. Every cause that keeps it from starting is
shown, with what would help. The cluster is queried at most every 30 seconds.
Names of other users are shown if the cluster shows them.
`;

/** Command definition of `stint why ID`. */
export function whyCommand(context: CommandContext): Command {
  return new Command("why")
    .summary("explain the state of a job, and what would change it")
    .description(
      "Explains the state of a job: what it waits for, its predicted start and the method of the " +
        "prediction, and which change would let it start now.",
    )
    .argument("<id>", "a job; a unique prefix of its id is enough")
    .option("--site <name>", "the id is a batch system's job id at this cluster")
    .option("-o, --output <format>", "table or json", oneOf("-o", ["table", "json"] as const), "table")
    .addHelpText("after", EXAMPLES)
    .action(async (id: string, { output, site }: WhyOptions) => {
      const client = await context.client();
      const why = site === undefined ? await client.why(id) : await client.whyThere(site, id);
      const nowMs = context.terminal.nowMs();
      const sentences = why.lines.map((line) => `${printable(localTimes(line, nowMs))}\n`).join("");
      context.terminal.writeResult(output === "json" ? jsonText(why) : sentences);
    });
}
