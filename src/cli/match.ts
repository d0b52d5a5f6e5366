/** `stint match FILE`: which sites match a job, clause by clause, without submitting it. */
import { Command } from "commander";
import { type CommandContext, jsonText } from "./command-context.ts";
import { matchLines } from "./match-lines.ts";
import { readOneJob } from "./one-job.ts";
import { oneOf } from "./option-values.ts";
import { printable } from "./text-table.ts";

interface MatchOptions {
  readonly rank: boolean;
  readonly output: "table" | "json";
}

const EXAMPLES = `
Examples:
  $ stint match job.yaml
  $ stint match job.yaml --rank
  $ stint match job.yaml -o json

Prints the sites that match, the preferred one first; then each clause of the requirements, with its value at
each site, and changes with which more sites match. Nothing is submitted.

Exit codes: 0 a site matches, 1 none does.
`;

/** Command definition of `stint match FILE`. */
export function matchCommand(context: CommandContext, endWith: (exitCode: number) => void): Command {
  const { terminal } = context;
  return new Command("match")
    .summary("show which sites match a job, clause by clause")
    .description("Matches a job description with every site. Submits nothing.")
    .argument("<file>", "a job description; - is stdin")
    .option("--rank", "show the rank of each site", false)
    .option("-o, --output <format>", "table or json", oneOf("-o", ["table", "json"] as const), "table")
    .addHelpText("after", EXAMPLES)
    .action(async (file: string, { rank, output }: MatchOptions) => {
      const described = await readOneJob(file, context, ONE);
      const table = await (await context.client()).match(described);
      const lines = matchLines(table, { isRanked: rank });
      terminal.writeResult(
        output === "json" ? jsonText(table) : lines.map((line) => `${printable(line)}\n`).join(""),
      );
      if (table.matches.length === 0) endWith(1);
    });
}

const ONE = { why: "one job is matched at a time", remedy: "write a file with one description" };
