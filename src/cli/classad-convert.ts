/** `stint classad convert FILE…`: writes ads in another form. */
import { Command, Option } from "commander";
import type { AdForm } from "../classad/index.ts";
import type { ClassAdTools } from "./classad-tools.ts";
import type { CommandContext } from "./command-context.ts";
import { oneOf } from "./option-values.ts";

const FORMS = ["new", "long", "xml", "json"] as const satisfies readonly AdForm[];
const EXAMPLES = `
Examples:
  $ condor_status -long > pool.ads; stint classad convert pool.ads --to json
  $ stint classad convert east.ad west.ad --to xml
  $ stint classad convert jobs.txt --from long --to new --pretty

Forms: new is [ name = expression; … ]. long has one line per attribute and a
blank line between ads, as written by condor_q -long, with strings in the old
syntax (\\" is the only escape). xml and json are as written by condor_q -xml
and -json. The form of each file is recognised from its content, unless --from
names it.

--pretty and --canonical apply only to the new form, and do not change the
meaning of the ads. Ads that differ only in white space, brackets and the
spelling of operators have the same canonical line.

In the long form a string with a line break is written as eval("…"), which has
the same value. Comments are omitted. Exit codes: 0 written, 2 a file cannot be
read.
`;

interface ConvertOptions {
  readonly to: AdForm;
  readonly from?: AdForm;
  readonly pretty?: true;
  readonly canonical?: true;
}

/** Command definition of `stint classad convert FILE…`. */
export function classAdConvertCommand(
  load: () => Promise<ClassAdTools>,
  { terminal }: CommandContext,
): Command {
  return new Command("convert")
    .summary("write ads in another form")
    .description("Writes all ads of the files in one form: new, long, xml or json.")
    .argument("<files...>", "files of ads, in any form")
    .requiredOption("--to <form>", FORMS.join(", "), oneOf("--to", FORMS))
    .option("--from <form>", "the form of the files, if it is not recognised", oneOf("--from", FORMS))
    .option("--pretty", "with --to new: nested ads and long conditions on several lines")
    .addOption(new Option("--canonical", "with --to new: each ad on one line").conflicts("pretty"))
    .addHelpText("after", EXAMPLES)
    .action(async (files: readonly string[], { to, from, pretty, canonical }: ConvertOptions) => {
      const { convert } = await load();
      const further = {
        ...(from === undefined ? {} : { from }),
        ...(pretty === true ? { layout: "pretty" as const } : {}),
        ...(canonical === true ? { layout: "canonical" as const } : {}),
      };
      terminal.writeResult(await convert({ files, to, ...further }));
    });
}
