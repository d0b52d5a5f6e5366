/**
 * `stint why ID`: why a job is where it is, when it should start, and what would change that.
 */
import { Command } from "commander";
import { type Daily, jsonText } from "./daily.ts";
import { oneOf } from "./option-values.ts";
import { printable } from "./text-table.ts";

interface WhyOptions {
  readonly output: "table" | "json";
}

const EXAMPLES = `
Examples:
  $ stint why 7f3a
  $ stint why 7f3a -o json
`;

/** The command. */
export function whyCommand(daily: Daily): Command {
  return new Command("why")
    .summary("why a job is where it is, and what would change it")
    .description(
      "Says why a job is where it is: what it waits for, when it is predicted to start and by which " +
        "method, and what change of it would let it start now.",
    )
    .argument("<id>", "a job; its id may be abbreviated while it is unique")
    .option("-o, --output <format>", "table or json", oneOf("-o", ["table", "json"] as const), "table")
    .addHelpText("after", EXAMPLES)
    .action(async (id: string, { output }: WhyOptions) => {
      const why = await (await daily.client()).why(id);
      const sentences = why.lines.map((line) => `${printable(line)}\n`).join("");
      daily.surface.writeResult(output === "json" ? jsonText(why) : sentences);
    });
}
