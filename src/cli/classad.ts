/** `stint classad`: evaluates and matches ads in the ClassAd language. */
import { Command } from "commander";
import { classAdAnalyzeCommand } from "./classad-analyze.ts";
import { classAdConvertCommand } from "./classad-convert.ts";
import { classAdEvalCommand } from "./classad-eval.ts";
import { classAdMatchCommand } from "./classad-match.ts";
import { classAdScriptCommand } from "./classad-script.ts";
import type { ClassAdTools } from "./classad-tools.ts";
import type { CommandContext } from "./command-context.ts";

const EXAMPLES = `
Examples:
  $ stint classad eval '1 + 2K'
  $ stint classad eval 'FreeCPUs >= 4 && member("MPI", Tags)' --ad site.ad
  $ stint classad match job.jdl site.ad
  $ stint classad analyze job.jdl pool.ads
  $ stint classad convert pool.ads --to json
  $ stint classad script checks.classad

An ad is a set of named expressions: [ name = expression; … ]. The outermost
brackets may be omitted; then line breaks may replace the semicolons. A name
that no ad defines evaluates to undefined, an operation on values of the wrong
type to error.
`;

/** Command definition of `stint classad`. */
export function classAdCommand(load: () => Promise<ClassAdTools>, context: CommandContext): Command {
  return new Command("classad")
    .summary("evaluate and match ClassAds")
    .description(
      "Evaluates expressions, matches, analyzes and converts ads, and runs scripts. Needs no broker.",
    )
    .addHelpText("after", EXAMPLES)
    .addCommand(classAdEvalCommand(load, context))
    .addCommand(classAdMatchCommand(load, context))
    .addCommand(classAdAnalyzeCommand(load, context))
    .addCommand(classAdConvertCommand(load, context))
    .addCommand(classAdScriptCommand(load, context));
}
