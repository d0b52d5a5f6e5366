/** `stint site test`: checks a site, and lists the rights that it lacks. */
import { resolve } from "node:path";
import { Command } from "commander";
import type { SiteCheckView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { isForPeople, type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { durationValue } from "./quantity-values.ts";
import { addSpecOptions, type SpecOptions, specFrom } from "./site-spec-options.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint site test far
  $ stint site test --type slurm --ssh-host login.example.org
  $ stint site test --type slurm --no-read-only --submit-directory /data/stint -o json
  $ stint site test --adapter ./mine.py
  $ stint site test --adapter ./mine.py --adapter /data/queue --patience 10m

WORKS is yes, no, or - (unknown). NEEDED shows whether the site, as it is
configured, requires it. The test changes nothing, except that one job id of the
cluster is used up if submission is granted (sbatch --test-only). Exit codes: 0
everything needed works, 1 something needed does not.

--adapter runs the conformance suite on the program of a site of type exec,
on this machine and under your account, without a broker; repeat it for each
argument. It submits small jobs to the batch system; each has to start within
--patience.
`;

type TestOptions = SpecOptions & {
  readonly output: OutputForm;
  readonly adapter?: readonly string[];
  readonly patience?: number;
};

/** Runs the conformance suite on the program of an adapter. @param command its absolute path, arguments */
export type TestAdapter = (adapter: {
  readonly command: readonly string[];
  readonly directory: string;
  readonly patienceMs: number;
}) => Promise<readonly SiteCheckView[]>;

const PATIENCE_MS = 60_000;

/** Command definition of `stint site test`. */
export function siteTestCommand(context: CommandContext, testAdapter?: () => Promise<TestAdapter>): Command {
  const command = new Command("test")
    .summary("test a site and list the rights that it lacks")
    .description("Tests a site that was added, or one that the options describe.")
    .argument("[name]", "a site, as stint site list shows it")
    .addOption(outputOption())
    .option(
      "--adapter <program>",
      "test this adapter, the program of a site of type exec; repeat for its arguments",
      (word: string, before: readonly string[] = []) => [...before, word],
    )
    .option(
      "--patience <time>",
      "with --adapter: time within which a test job must start (default: 1m)",
      durationValue("--patience"),
    )
    .addHelpText("after", EXAMPLES)
    .action(async (name: string | undefined, options: TestOptions) => {
      const given = [name, options.type, options.adapter].filter((one) => one !== undefined);
      if (given.length !== 1) throw nothingToTest;
      const { terminal, endWith } = context;
      const checks =
        options.adapter === undefined
          ? await checksOfSite(context, name, options)
          : await checksOfAdapter(context, options, testAdapter);
      const form = options.output;
      await writeItems({ items: checks, form, value: { checks } }, CHECK_LISTING, terminal);
      if (isForPeople(form)) terminal.writeResult(remediesOf(checks));
      if (checks.some(({ needed, works }) => needed && works === false)) endWith(1);
    });
  addSpecOptions(command, false);
  return command;
}

async function checksOfSite(
  { client: connect, terminal }: CommandContext,
  name: string | undefined,
  options: TestOptions,
): Promise<readonly SiteCheckView[]> {
  const client = await connect();
  const { checks } =
    name === undefined
      ? await client.testSiteSpec(await specFrom(options, terminal.directory))
      : await client.testSite(name);
  return checks;
}

async function checksOfAdapter(
  { terminal }: CommandContext,
  { adapter: [program = "", ...words] = [], patience = PATIENCE_MS }: TestOptions,
  testAdapter: (() => Promise<TestAdapter>) | undefined,
): Promise<readonly SiteCheckView[]> {
  if (testAdapter === undefined) throw nothingToTest;
  const test = await testAdapter();
  const command = [resolve(terminal.directory, program), ...words];
  return test({ command, directory: terminal.directory, patienceMs: patience });
}

const WORKS = new Map([
  [true, "yes"],
  [false, "no"],
]);

const CHECK_LISTING: Listing<SiteCheckView> = {
  columns: [
    { head: "WHAT", cell: ({ what }) => what },
    { head: "WORKS", cell: ({ works }) => (works === null ? "-" : (WORKS.get(works) ?? "-")) },
    { head: "NEEDED", isOptional: true, cell: ({ needed }) => (needed ? "yes" : "no") },
    { head: "WHY", isFlexible: true, cell: ({ why }) => why },
  ],
  fields: ["what", "works", "needed", "why", "remedy"],
  record: (check) => ({ ...check }),
  name: ({ what }) => what,
};

/** Remedies below the table, in whole sentences. */
function remediesOf(checks: readonly SiteCheckView[]): string {
  const lines = checks.flatMap(({ what, remedy }) =>
    remedy === null ? [] : [`  ${what}: ${printable(remedy)}`],
  );
  return lines.length === 0 ? "" : `\nWhat would change it:\n${lines.join("\n")}\n`;
}

const nothingToTest = new Fault({
  kind: "badInput",
  code: "siteToTest",
  what: "give one site to test",
  why: "exactly one is needed: the name of a site, a description (--type and further options), or --adapter",
  remedy: "write stint site test NAME, or stint site test --type slurm",
});
