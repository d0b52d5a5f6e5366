/** `stint doctor`: checks this installation and its log. */
import { Command } from "commander";
import { outColours } from "./colours.ts";
import { jsonText } from "./command-context.ts";
import { localTimes } from "./instant-text.ts";
import { oneOf } from "./option-values.ts";
import { listValue } from "./output-forms.ts";

/** Result of one check; `remedy` where the check failed. */
export interface Examination {
  readonly name: string;
  readonly isWell: boolean;
  /** Finding in one sentence. */
  readonly found: string;
  readonly remedy?: string;
}

/** Runs all checks in order. */
export type Examine = () => Promise<readonly Examination[]>;

interface Surroundings {
  readonly writeResult: (text: string) => void;
  readonly endWith: (exitCode: number) => void;
}

const FORMATS = ["table", "json"] as const;
const EXAMPLES = `
Examples:
  $ stint doctor
  $ stint doctor -o json

The exit code is 1 if a check fails. The log and the views are checked from the
first to the last event at this moment, even while a broker runs.
`;

/** Command definition of `stint doctor`. */
export function doctorCommand(load: () => Promise<Examine>, { writeResult, endWith }: Surroundings): Command {
  return new Command("doctor")
    .summary("check this installation, its state directory, and its log")
    .description(
      "Checks this installation, its state directory, and that the log is complete and " + "unaltered.",
    )
    .option("-o, --output <format>", FORMATS.join(" or "), oneOf("-o", FORMATS), "table")
    .addHelpText("after", EXAMPLES)
    .action(async ({ output }: { readonly output: (typeof FORMATS)[number] }) => {
      const examine = await load();
      const examined = await examine();
      if (output === "json") writeResult(jsonText(listValue(examined)));
      else writeResult(examined.map(linesOf).join(""));
      endWith(examined.every(({ isWell }) => isWell) ? 0 : 1);
    });
}

function linesOf({ name, isWell, found, remedy }: Examination): string {
  const verdict = isWell ? outColours.green("ok ") : outColours.red("bad");
  const advice = isWell || remedy === undefined ? "" : `     do: ${remedy}\n`;
  return `${verdict}  ${name.padEnd(16)} ${localTimes(found)}\n${advice}`;
}
