/** `stint classad eval EXPRESSION`: evaluates an expression, alone or in ads from files. */
import { Command, Option } from "commander";
import type { ClassAdTools } from "./classad-tools.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { oneOf } from "./option-values.ts";
import { listValue } from "./output-forms.ts";
import { printable } from "./text-table.ts";

const FORMATS = ["text", "json"] as const;
const EXAMPLES = `
Examples:
  $ stint classad eval '7 / 2'
  $ stint classad eval 'Memory > 4G' --ad west.ad east.ad
  $ stint classad eval 'other.FreeCPUs >= CpuNumber' --ad job.jdl --other west.ad
  $ stint classad eval Requirements --ad job.jdl --flatten
  $ stint classad eval 'splitTime(currentTime()).hours' -o json

The value is printed in its canonical form: strings in quotation marks, reals
with a decimal point. With several ads one line is printed for each, after its
name or file. A file may contain many ads, as written by condor_status -long,
-xml and -json. Put an expression that begins with a minus after --. A pattern
that is not supported evaluates to error, and a warning shows why.

With --flatten, attributes that the ad defines are replaced by their values, and
everything that they decide is computed. What depends on other names remains an
expression.

Exit codes: 0 whatever the value, even error; 2 if the expression or an ad
cannot be read.
`;

interface EvalOptions {
  readonly ad?: readonly string[];
  readonly other?: string;
  readonly flatten?: true;
  readonly output: (typeof FORMATS)[number];
}

/** Command definition of `stint classad eval EXPRESSION`. */
export function classAdEvalCommand(load: () => Promise<ClassAdTools>, { terminal }: CommandContext): Command {
  return new Command("eval")
    .summary("evaluate an expression")
    .description("Evaluates an expression, by itself or in each of the given ads.")
    .argument("<expression>", "an expression as one shell word: put it between '…'")
    .option("--ad <file...>", "files with ads in any form; the expression is evaluated in each ad")
    .option("--other <file>", "the ad to which other.NAME and target.NAME refer")
    .addOption(
      new Option(
        "--flatten",
        "evaluate only what the ad determines, and print the remaining expression",
      ).conflicts("other"),
    )
    .option("-o, --output <format>", FORMATS.join(" or "), oneOf("-o", FORMATS), "text")
    .addHelpText("after", EXAMPLES)
    .action(async (expression: string, { ad: ads = [], other, flatten, output }: EvalOptions) => {
      const { evaluate } = await load();
      const opposite = { ...(other === undefined ? {} : { other }), flatten: flatten === true };
      const onWarning = (text: string) => terminal.writeError(`stint: warning: ${printable(text)}\n`);
      const answers = await evaluate({ expression, ads, ...opposite, nowMs: terminal.nowMs(), onWarning });
      if (output === "json") terminal.writeResult(jsonText(listValue(answers)));
      else
        for (const { ad, text } of answers) terminal.writeResult(line(text, answers.length > 1 ? ad : null));
    });
}

function line(text: string, file: string | null): string {
  return file === null ? `${printable(text)}\n` : `${printable(file)}: ${printable(text)}\n`;
}
