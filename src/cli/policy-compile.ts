/** `stint policy compile`: translates the policies of a cluster to settings of its batch system. */
import { Command } from "commander";
import type { CompiledPoliciesView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { ChangedSetting, ConfigurationLine, ShareChange } from "../model/index.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { meaningless } from "./meaningless-option.ts";
import { oneOf } from "./option-values.ts";
import { type Listing, tableText } from "./output-forms.ts";
import { applyCompiled, takeBackCompiled } from "./policy-compile-orders.ts";
import type { Terminal } from "./terminal.ts";
import { printable } from "./text-table.ts";

const FORMATS = ["table", "json", "commands", "undo"] as const;

const EXAMPLES = `
Examples:
  $ stint policy compile west
  $ stint policy compile west -o undo > back.sh
  $ stint policy compile west -o commands > shares.sh
  $ stint policy compile west --apply
  $ stint policy compile west --take-back

Prints the Slurm accounts, fair shares, limits and QOS that correspond to the
policies, as far as Slurm can express them; only what differs from the current
settings is printed. Nothing is changed: an administrator of the cluster runs
the commands. Save the commands that undo them (-o undo) first. Rows whose
CHANGE is configuration are lines of slurm.conf that would have to be changed;
only an administrator of the cluster can do that, also with --apply.

With --apply the broker makes the changes. The site's settings must grant this
(enforcement: grant: [compile]), and the broker's account must have the right to
do so. The undo command of each change is recorded in the log before anything is
run. The first change that fails ends the command. --take-back undoes the
changes made by --apply, except values that somebody else has changed since (see
--force).
`;

/** A change, or a line of the configuration beside them. */
interface Row {
  readonly kind: string;
  readonly name: string;
  readonly consumer: string;
  readonly settings: readonly ChangedSetting[];
}

const LISTING: Pick<Listing<Row>, "columns"> = {
  columns: [
    { head: "CHANGE", cell: ({ kind }) => kind },
    { head: "NAME", cell: ({ name }) => name },
    { head: "CONSUMER", cell: ({ consumer }) => consumer },
    { head: "SETTINGS", isFlexible: true, cell: ({ settings }) => settings.map(settingText).join(", ") },
  ],
};

/** Command definition of `stint policy compile`. */
export function policyCompileCommand(context: CommandContext): Command {
  return new Command("compile")
    .summary("translate policies to the settings of a cluster's batch system")
    .description("Translates the policies of a cluster to settings of its batch system.")
    .argument("<site>", "a cluster")
    .option("--apply", "make the changes at the cluster; the site must grant compile", false)
    .option("-y, --yes", "with --apply: make the changes without asking", false)
    .option("--take-back", "undo the changes made by --apply, in reverse order", false)
    .option("--force", "with --take-back: also undo values that others have changed since", false)
    .option("-o, --output <format>", FORMATS.join(", "), oneOf("-o", FORMATS), "table")
    .addHelpText("after", EXAMPLES)
    .action(async (site: string, options: CompileOptions) => {
      const { output, apply, yes, takeBack, force } = options;
      refuseMeaningless(options);
      const stepsOutput = output === "json" ? "json" : "table";
      if (takeBack) return takeBackCompiled(context, site, { isForced: force, output: stepsOutput });
      const compiled = await (await context.client()).compiledPolicies(site);
      const { terminal } = context;
      const isLast = !apply || compiled.changes.length === 0;
      if (output === "json" && isLast) terminal.writeResult(jsonText(compiled));
      if (output !== "json") terminal.writeResult(printed(compiled, output, terminal));
      if (output !== "json")
        for (const remark of compiled.remarks) terminal.writeError(`stint: ${printable(remark)}\n`);
      if (apply) await applyCompiled(context, compiled, { isAgreed: yes, output: stepsOutput });
    });
}

interface CompileOptions {
  readonly output: (typeof FORMATS)[number];
  readonly apply: boolean;
  readonly yes: boolean;
  readonly takeBack: boolean;
  readonly force: boolean;
}

function refuseMeaningless({ output, apply, yes, takeBack, force }: CompileOptions): void {
  if (yes && !apply) throw meaningless("--yes", "--apply");
  if (force && !takeBack) throw meaningless("--force", "--take-back");
  if (apply && takeBack) throw bothWays();
  if ((apply || takeBack) && (output === "commands" || output === "undo")) throw onlyPrinted(output);
}

function bothWays(): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionsContradict",
    what: "--apply and --take-back cannot be combined",
    why: "--apply makes changes, and --take-back undoes them",
    remedy: "give one of them",
  });
}

function onlyPrinted(output: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionsContradict",
    what: `-o ${output} prints commands and runs none`,
    why: "with --apply and --take-back the commands are run, and each result is shown",
    remedy: "leave one of them out, or use -o json",
  });
}

function printed(
  { site, changes, configuration }: CompiledPoliciesView,
  output: "table" | "commands" | "undo",
  terminal: Terminal,
): string {
  if (output === "commands") return linesOf(changes.map(({ command }) => command));
  // What was done last is taken back first.
  if (output === "undo") return linesOf(changes.map(({ undo }) => undo).reverse());
  if (changes.length + configuration.length === 0)
    return `${printable(site)} already has the settings that its policies require\n`;
  return tableText([...changes.map(rowOf), ...configuration.map(lineRow)], LISTING, "table", terminal);
}

function rowOf({ kind, entity, name, consumer, settings }: ShareChange): Row {
  return { kind: `${kind} ${entity}`, name, consumer: consumer || "everybody", settings };
}

function lineRow(line: ConfigurationLine): Row {
  return { kind: "configuration", name: "slurm.conf", consumer: "", settings: [line] };
}

/** The command line of a change; its names were checked to need no quotes. */
function linesOf(commands: readonly (readonly string[])[]): string {
  return commands.map((words) => `${words.join(" ")}\n`).join("");
}

function settingText({ name, before, after }: ChangedSetting): string {
  return before === null ? `${name}=${after}` : `${name}=${after} (was ${before})`;
}
