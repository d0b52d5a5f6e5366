/**
 * `stint classad eval EXPRESSION`: its value, alone or in ads on file.
 */
import { Command } from "commander";
import type { ClassAdTools } from "./classad-tools.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { oneOf } from "./option-values.ts";
import { printable } from "./text-table.ts";

const FORMATS = ["text", "json"] as const;
const EXAMPLES = `
Examples:
  $ stint classad eval '7 / 2'
  $ stint classad eval 'Memory > 4G' --ad west.ad east.ad
  $ stint classad eval 'other.FreeCPUs >= CpuNumber' --ad job.jdl --other west.ad
  $ stint classad eval 'splitTime(currentTime()).hours' -o json

The value is written in its canonical form: text in quotation marks, reals with a point. In several ads there
is a line for each, with the file before it. An expression that begins with a minus is put behind --.

Exit code 0 whatever the value, error included; 2 where the expression or an ad cannot be read.
`;

interface EvalOptions {
  readonly ad?: readonly string[];
  readonly other?: string;
  readonly output: (typeof FORMATS)[number];
}

/** The command; what evaluates is loaded when it runs. */
export function classAdEvalCommand(load: () => Promise<ClassAdTools>, { terminal }: CommandContext): Command {
  return new Command("eval")
    .summary("say what an expression is worth")
    .description("Evaluates an expression, by itself or in each of the ads given.")
    .argument("<expression>", "an expression, as one word of your shell: put it between '…'")
    .option("--ad <file...>", "the ad in which names are looked up; several give a line each")
    .option("--other <file>", "the ad opposite: other.NAME, target.NAME")
    .option("-o, --output <format>", FORMATS.join(" or "), oneOf("-o", FORMATS), "text")
    .addHelpText("after", EXAMPLES)
    .action(async (expression: string, { ad: ads = [], other, output }: EvalOptions) => {
      const { evaluate } = await load();
      const opposite = other === undefined ? {} : { other };
      const answers = await evaluate({ expression, ads, ...opposite, nowMs: terminal.nowMs() });
      if (output === "json") terminal.writeResult(jsonText(answers.length === 1 ? answers[0] : answers));
      else for (const { ad, text } of answers) terminal.writeResult(line(text, ads.length > 1 ? ad : null));
    });
}

function line(text: string, file: string | null): string {
  return file === null ? `${printable(text)}\n` : `${printable(file)}: ${printable(text)}\n`;
}
