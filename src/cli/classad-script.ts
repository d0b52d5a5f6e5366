/** `stint classad script FILE`: runs a file of assignments, evaluations and checks. */
import { Command } from "commander";
import { formatPosition } from "../base/index.ts";
import type { ClassAdTools, ScriptAnswer } from "./classad-tools.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT_CODES } from "./report-fault.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint classad script checks.classad

Each line is a statement. If a bracket is open at the end of a line, the
statement continues on the next line:

  // attributes, which the lines below may use
  Site = [ FreeCPUs = 8; Tags = { "MPI", "R" } ]
  eval Site.FreeCPUs / 2
  same member("mpi", Site.Tags), true
  diff Site.FreeCPUs, 8.0
  echo all is well

eval prints the value of an expression, print the expression itself, and echo a
text. same requires that two values are identical, diff that they are not; sameq
and diffq compare the expressions themselves. As in HTCondor's test scripts,
$NAME is replaced by the text of a variable, except within strings; files that
are read and written are XML:

  let Share = Site.FreeCPUs / 4         the expression
  eval Now = Site.FreeCPUs              its value
  same $Share * 2, $Now / 2
  writexml sites.xml { [ Free = $Now ] }
  readxml Sites sites.xml               a list of ads

Exit codes: 0 all checks passed, 1 some failed, 2 a statement cannot be read,
which ends the script.
`;

/** Command definition of `stint classad script FILE`. */
export function classAdScriptCommand(load: () => Promise<ClassAdTools>, context: CommandContext): Command {
  return new Command("script")
    .summary("run a file of expressions")
    .description("Runs a file of assignments, evaluations and checks, in order; writexml writes files.")
    .argument("<file>", "the script")
    .addHelpText("after", EXAMPLES)
    .action(async (file: string) => {
      const { terminal, endWith } = context;
      const { script } = await load();
      await script(file, terminal.nowMs(), (answer) => {
        const { out, err } = textsOf(file, answer);
        terminal.writeResult(out);
        terminal.writeError(err);
        if (answer.unmet !== undefined) endWith(EXIT_CODES.failed);
      });
    });
}

function textsOf(
  file: string,
  { line, says, unmet }: ScriptAnswer,
): { readonly out: string; readonly err: string } {
  const place = formatPosition({ file, line, column: 1 });
  const text = typeof says === "object" ? says.text : says;
  return {
    out: text === undefined ? "" : `${printable(text)}\n`,
    err: unmet === undefined ? "" : `${printable(`${place}: ${unmet}`)}\n`,
  };
}
