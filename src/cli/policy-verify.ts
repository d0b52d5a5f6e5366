/** `stint policy verify`: verifies agreements from a log or from accounting alone. */
import { Command, Option } from "commander";
import { Fault } from "../base/index.ts";
import type { EvidenceSource } from "../formats/evidence/index.ts";
import type { CommandContext } from "./command-context.ts";
import { oneOf, positiveInteger } from "./option-values.ts";
import { OUTPUT_FORMS, type OutputForm, writeItems } from "./output-forms.ts";
import type { VerifyRequest, VerifyTools } from "./policy-verify-tools.ts";
import { millionthsValue, sizeValue } from "./quantity-values.ts";
import { EXIT_CODES } from "./report-fault.ts";
import { differenceListing, levelListing, verifiedLines } from "./verify-text.ts";

const FORMS = [...OUTPUT_FORMS, "html"] as const;
type Form = (typeof FORMS)[number];

interface Options {
  readonly output: Form;
  readonly policies: readonly string[];
  readonly swf?: string;
  readonly sacct?: string;
  readonly stateDir?: string;
  readonly owners?: string;
  readonly site?: string;
  readonly from?: string;
  readonly to?: string;
  readonly recorded?: string;
  readonly gap: readonly string[];
  readonly zone?: string;
  readonly procs?: number;
  readonly gpus?: number;
  readonly mem?: number;
  readonly tolerance?: number;
  readonly lenient: boolean;
  readonly bundle?: string;
  readonly seal?: string;
  readonly compare: boolean;
  readonly strict: boolean;
}

const EXAMPLES = `
Examples:
  $ stint policy verify --policies west.policy.yaml --swf year.swf.gz --owners owners.yaml
  $ stint policy verify --policies west.policy.yaml --sacct sacct.txt --procs 128 --from 2026-03-01
  $ stint policy verify --state-dir ~/.local/state/stint -o html > march.html
  $ stint policy verify --policies west.policy.yaml --swf year.swf.gz --bundle year.evidence.json
  $ stint policy verify year.evidence.json
  $ stint policy verify --compare ours.evidence.json theirs.evidence.json

Measures are fractions of the capacity in the recorded part of the period: USED (ARU); BURST, use above the
burst limit, by bucket (BUPV); EPOCH, use above the epoch limit (EUPV); CONTENDED, the part of EPOCH used
while another consumer waited for its share; NOT GIVEN, capacity that the consumer was entitled to and waited
for. ART is the mean response time, AJC the fraction of submitted jobs that completed. Times without a record
are reported as gaps, never as compliance.

Exit codes: 0 verified, whatever the result; with --strict 1 unless every agreement was kept; 1 if a bundle
was altered; 2 if a file or an option is wrong.
`;

/** Command definition of `stint policy verify`. */
export function policyVerifyCommand(load: () => Promise<VerifyTools>, context: CommandContext): Command {
  return sourceOptions(new Command("verify"))
    .summary("verify that agreements were kept")
    .description(
      "Measures how far each agreement was kept, from a broker's log or from accounting alone; " +
        "writes bundles of evidence that anybody can check; checks a bundle, or compares two. Needs " +
        "no broker.",
    )
    .argument("[bundles...]", "a bundle to check; two with --compare")
    .option("--policies <file>", "agreed policies or agreements; may be repeated", addTo, [])
    .option("--bundle <file>", "write the evidence into a bundle")
    .option("--seal <hash>", "expected hash of the bundle, from a trusted record; a prefix is enough")
    .option("--compare", "list the differences of two bundles", false)
    .option("--strict", "exit with 1 unless every agreement was kept", false)
    .addOption(
      new Option("-o, --output <form>", "output format")
        .choices(FORMS)
        .argParser(oneOf("-o", FORMS))
        .default("table"),
    )
    .addHelpText("after", EXAMPLES)
    .action(async (bundles: string[], options: Options) => {
      if (options.compare) await compareBundles(bundles, options, load, context);
      else await verifyPeriod(bundles, options, load, context);
    });
}

function sourceOptions(command: Command): Command {
  const tolerance = millionthsValue("--tolerance");
  return command
    .option("--swf <file>", "a recorded workload in the Standard Workload Format")
    .option("--sacct <file>", "output of sacct (stint import accounting --print-command); - for stdin")
    .option("--state-dir <directory>", "state directory of a broker that is not running")
    .option("--owners <file>", "maps users and groups to consumers, in YAML")
    .option("--site <name>", "provider to verify, if the policies name several")
    .option("--from <instant>", "start of the period (default: start of the record)")
    .option("--to <instant>", "end of the period (default: end of the record)")
    .option("--recorded <from/to>", "period of the record (default: first submission to last end)")
    .option("--gap <from/to>", "a period without a record; may be repeated", addTo, [])
    .option("--zone <name>", "time zone of instants without one (default: UTC; with --sacct this machine's)")
    .option("--procs <n>", "processors of the site, if no file states them", positiveInteger("--procs"))
    .option("--gpus <n>", "GPUs of the site", positiveInteger("--gpus"))
    .option("--mem <size>", "memory of the site", sizeValue("--mem"))
    .option(
      "--tolerance <fraction>",
      "tolerance: excess use up to this fraction of the capacity is no violation",
      tolerance,
    )
    .option("--lenient", "skip and count malformed rows instead of stopping at the first", false);
}

function addTo(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

async function verifyPeriod(
  bundles: readonly string[],
  options: Options,
  load: () => Promise<VerifyTools>,
  { terminal, endWith }: CommandContext,
): Promise<void> {
  const request = bundles.length === 0 ? requestOf(options) : undefined;
  if (bundles.length > 1)
    throw usage("several bundles are named", "one is checked at a time", "use --compare");
  const { policies, seal } = options;
  const tools = await load();
  const verified =
    request === undefined
      ? await tools.recheck({ file: bundles[0], policies, ...(seal === undefined ? {} : { seal }) })
      : await tools.verify(request);
  if (options.bundle !== undefined) {
    const { writeSafeFile } = await import("../formats/index.ts");
    await writeSafeFile(options.bundle, verified.bundle());
  }
  const { findings } = verified;
  if (options.output === "html") terminal.writeResult(await verified.html());
  else {
    const isTable = options.output === "table" || options.output === "wide";
    if (isTable) terminal.writeResult(verifiedLines(verified));
    const { verifiedValue } = await import("../formats/evidence/index.ts");
    const writing = { items: findings.levels, form: options.output, value: verifiedValue(verified) };
    await writeItems(writing, levelListing, terminal);
  }
  if (options.strict && findings.verdict !== "kept") endWith(EXIT_CODES.failed);
}

async function compareBundles(
  bundles: readonly string[],
  { output, strict }: Options,
  load: () => Promise<VerifyTools>,
  { terminal, endWith }: CommandContext,
): Promise<void> {
  const [one, other, third] = bundles;
  if (other === undefined || third !== undefined) {
    throw usage(
      "--compare is of two bundles",
      `${bundles.length} are named`,
      "write --compare A.json B.json",
    );
  }
  if (output === "html") throw usage("-o html is of one period", "two are compared", "use -o table or json");
  const differences = await (await load()).compare(one, other);
  const form: OutputForm = output;
  await writeItems({ items: differences, form }, differenceListing, terminal);
  if (differences.length === 0 && (form === "table" || form === "wide")) {
    terminal.writeResult("The two bundles say the same.\n");
  }
  if (strict && differences.length > 0) endWith(EXIT_CODES.failed);
}

function requestOf(options: Options): VerifyRequest {
  const { swf, sacct, stateDir, policies, owners, site, from, to, recorded, gap, zone } = options;
  const { procs, gpus, mem, tolerance, lenient } = options;
  const sources: readonly (readonly [EvidenceSource["kind"], string | undefined])[] = [
    ["swf", swf],
    ["sacct", sacct],
    ["logbook", stateDir],
  ];
  const [source, second] = sources.flatMap(([kind, path]) => (path === undefined ? [] : [{ kind, path }]));
  if (source === undefined || second !== undefined) {
    const what = source === undefined ? "nothing to verify is named" : "several sources are named";
    throw usage(what, "it is a bundle, --swf, --sacct or --state-dir", "name one of these");
  }
  const said = {
    owners,
    site,
    from,
    to,
    recorded,
    zone,
    procs,
    gpus,
    memoryBytes: mem,
    tolerancePpm: tolerance,
  };
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  return { source, policies, gaps: gap, lenient, ...given };
}

function usage(what: string, why: string, remedy: string): Fault {
  return new Fault({ kind: "badInput", code: "usage", what, why, remedy });
}
