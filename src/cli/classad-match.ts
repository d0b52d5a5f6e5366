/** `stint classad match FIRST SECOND`: shows whether two ads match, and why not. */
import { Command } from "commander";
import type { ClassAdTools, SideAnswer } from "./classad-tools.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { oneOf } from "./option-values.ts";
import { EXIT_CODES } from "./report-fault.ts";
import { printable } from "./text-table.ts";

const FORMATS = ["text", "json"] as const;
const EXAMPLES = `
Examples:
  $ stint classad match job.jdl site.ad
  $ stint classad match job.jdl site.ad -o json

Two ads match when the Requirements of each, with the other opposite, are true; an ad without Requirements
demands nothing. Of Requirements that are not true each part is shown that stands in the way. Rank is how much
each prefers the other; the greatest comes first.

Exit codes: 0 they match, 1 they do not, 2 an ad cannot be read.
`;

/** Command definition of `stint classad match FIRST SECOND`. */
export function classAdMatchCommand(load: () => Promise<ClassAdTools>, context: CommandContext): Command {
  return new Command("match")
    .summary("show whether two ads match, and why not")
    .description("Shows whether two ads match: the value of each ad's Requirements and Rank for the other.")
    .argument("<first>", "an ad, such as a job's")
    .argument("<second>", "another ad, such as a site's")
    .option("-o, --output <format>", FORMATS.join(" or "), oneOf("-o", FORMATS), "text")
    .addHelpText("after", EXAMPLES)
    .action(async (first: string, second: string, { output }: { output: (typeof FORMATS)[number] }) => {
      const { terminal, endWith } = context;
      const { match } = await load();
      const answer = await match(first, second, terminal.nowMs());
      if (output === "json") terminal.writeResult(jsonText(answer));
      else {
        terminal.writeResult(answer.matches ? "they match\n" : "they do not match\n");
        for (const side of answer.sides) terminal.writeResult(sideText(side));
      }
      if (!answer.matches) endWith(EXIT_CODES.failed);
    });
}

function sideText({ ad, requirements, rank, failing }: SideAnswer): string {
  const said = `${ad}: Requirements ${requirements.text}, Rank ${rank.text}`;
  const parts = failing.map(({ clause, value }) => `  ${clause} is ${value.text}`);
  return [said, ...parts].map((text) => `${printable(text)}\n`).join("");
}
