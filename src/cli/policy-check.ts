/** `stint policy check FILE…`: shows how policies are read, their problems, and over-provisioned shares. */

import { Command, Option } from "commander";
import { lengthText } from "../base/index.ts";
import type { OverProvisionRow } from "../formats/policy-file/index.ts";
import {
  type AffectedConsumer,
  DISCIPLINES,
  type Discipline,
  ESTIMATE_RULES,
  type EstimateRule,
  inSeconds,
  type PolicyEffects,
  type PolicyTrial,
  type TriedRecord,
} from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { instantText } from "./instant-text.ts";
import { meaningless } from "./meaningless-option.ts";
import { positiveInteger } from "./option-values.ts";
import { isForPeople, type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { POLICY_LISTING, policyRecord } from "./policy-listing.ts";
import type { PolicySet, PolicyTools } from "./policy-tools.ts";
import { problemFault, remarkPlace } from "./remark-text.ts";
import { EXIT_CODES, faultText } from "./report-fault.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint policy check examples/policies/shares.policy.yaml
  $ stint policy check site/*.policy.yaml -o json
  $ stint policy check next.policy.yaml --against year.swf.gz --owners owners.yaml --before now.policy.yaml
  $ stint policy check next.policy.yaml --against year.swf.gz --discipline easy --estimates requested
  $ stint policy check next.policy.yaml --against march.workload.jsonl --discipline easy
  $ stint policy check next.policy.yaml --against sacct.txt --since 2026-03-01 --site site.txt

Several files are read as one set. The shares of a provider's consumers may add
up to more than the provider has. A remark then shows what each consumer is
entitled to while all of them have work.

With --against a recorded workload is simulated twice. The first result shows
how well today's policies (--before) alone reproduce the recorded starts; the
second which consumers would have waited longer under the new policies, and
which less. The queue is first come, first served unless --discipline names
another discipline, and run times are known in advance unless --estimates is
requested: use the values that reproduce the recorded starts best. A change that
is smaller than the error of the first result is not significant. A workload in
JSON lines, or output of sacct, includes pools with memory and GPUs
(docs/guides/what-if.md); users are mapped to consumers by their accounts.

Exit codes: 0 no problems (remarks do not count), 2 at least one problem.
`;

interface CheckOptions {
  readonly output: OutputForm;
  readonly against?: string;
  readonly owners?: string;
  readonly before?: readonly string[];
  readonly procs?: number;
  readonly discipline?: Discipline;
  readonly estimates?: EstimateRule;
  readonly zone?: string;
  readonly since?: string;
  readonly until?: string;
  readonly site?: string;
}

/** @throws Fault `optionMisplaced` where an option of workloads is given without one */
function refuseAlone({ owners, before, procs, discipline, estimates, ...accounting }: CheckOptions): void {
  const of = { "--owners": owners, "--before": before, "--procs": procs };
  const { zone, since, until, site } = accounting;
  const read = { "--zone": zone, "--since": since, "--until": until, "--site": site };
  const given = { ...of, "--discipline": discipline, "--estimates": estimates, ...read };
  const option = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (option !== undefined) throw meaningless(option, "--against TRACE");
}

function trialOf(files: readonly string[], trace: string, options: CheckOptions): PolicyTrial {
  const { owners, before = [], procs, discipline = "fcfs", estimates = "exact" } = options;
  const { zone, since, until, site } = options;
  const said = Object.entries({ zone, since, until, site }).filter(([, value]) => value !== undefined);
  const more = {
    ...(owners === undefined ? {} : { owners }),
    ...(procs === undefined ? {} : { procs }),
    ...(said.length === 0 ? {} : { accounting: Object.fromEntries(said) }),
  };
  return { files, form: "ours", trace, before, discipline, estimates, ...more };
}

/** Command definition of `stint policy check FILE…`. */
export function policyCheckCommand(load: () => Promise<PolicyTools>, context: CommandContext): Command {
  return new Command("check")
    .summary("check policies and show how they are read")
    .description(
      "Checks policy files without a broker: prints how they were read, remarks, and every error with its " +
        "position. Applies nothing.",
    )
    .argument("<files...>", "policies or agreements, in YAML or as lines of tuples")
    .option(
      "--against <trace>",
      "show which jobs of a workload the policies would have affected: SWF, JSON lines, sacct",
    )
    .option(
      "--owners <file>",
      "with --against: YAML file that maps users to consumers (default: user 12 is u12)",
    )
    .option("--before <file...>", "with --against: the policies that are in effect now (default: none)")
    .option("--procs <n>", "with --against: processors of the machine", positiveInteger("--procs"))
    .addOption(
      new Option(
        "--discipline <name>",
        "with --against: discipline of the queue behind the enforcer (default: fcfs)",
      ).choices(DISCIPLINES),
    )
    .addOption(
      new Option(
        "--estimates <rule>",
        "with --against: run times that planning assumes (default: exact)",
      ).choices(ESTIMATE_RULES),
    )
    .option("--zone <name>", "with sacct output: time zone of times without one (default: this machine's)")
    .option(
      "--since <date>",
      "with sacct output: start of the record; jobs that were running then are included",
    )
    .option("--until <date>", "with sacct output: end of the record")
    .option("--site <file>", "with sacct output: output of scontrol for nodes and partitions")
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (files: string[], options: CheckOptions) => {
      const { terminal, endWith } = context;
      const { output, against } = options;
      if (against === undefined) refuseAlone(options);
      const tools = await load();
      if (against !== undefined) {
        const effects = await tools.against(trialOf(files, against, options));
        const writing = { items: effects.consumers, form: output, value: inSeconds(effects) };
        if (isForPeople(output)) terminal.writeResult(effectLines(effects));
        await writeItems(writing, AFFECTED_LISTING, terminal);
        if (isForPeople(output)) terminal.writeResult(recordLines(effects));
        return;
      }
      const set = await tools.read(files, terminal.nowMs());
      const { agreementForm } = await import("../formats/policy-file/index.ts");
      const agreements = set.agreements.map(agreementForm);
      const writing = { items: set.policies, form: output, value: checkedValue(set, agreements) };
      await writeItems(writing, POLICY_LISTING, terminal);
      if (isForPeople(output)) terminal.writeResult(remarkLines(set));
      for (const { file, problems } of set.files) {
        for (const problem of problems) terminal.writeError(faultText(problemFault(file, problem)));
      }
      if (!isFine(set)) endWith(EXIT_CODES.badInput);
    });
}

/** True where no file has a problem. */
function isFine({ files }: PolicySet): boolean {
  return files.every(({ problems }) => problems.length === 0);
}

function checkedValue(set: PolicySet, agreements: readonly unknown[]): unknown {
  return {
    ok: isFine(set),
    policies: set.policies.map(policyRecord),
    agreements,
    overProvisioned: set.overProvisioned.map(excessRecord),
    warnings: set.files.flatMap(({ file, warnings }) => warnings.map((it) => ({ file, ...it }))),
    problems: set.files.flatMap(({ file, problems }) => problems.map((it) => ({ file, ...it }))),
  };
}

function excessRecord({ resource, provider, sumPpm, fromMs, consumers }: OverProvisionRow): unknown {
  return {
    ...{ resource, provider, sharePercent: sumPpm / 10_000 },
    from: fromMs === null ? null : new Date(fromMs).toISOString(),
    consumers: consumers.map(({ consumer, sharePpm, entitledPpm }) => ({
      ...{ consumer, sharePercent: sharePpm / 10_000, entitledPercent: entitledPpm / 10_000 },
    })),
  };
}

/** Remarks on legal policies, a line each. */
export function remarkLines({
  files,
  overProvisioned,
}: Pick<PolicySet, "files" | "overProvisioned">): string {
  const warnings = files.flatMap(({ file, warnings: its }) =>
    its.map((it) => `warning ${remarkPlace(file, it)}: ${it.what}; ${it.remedy}`),
  );
  return [...warnings, ...overProvisioned.map(excessLine)].map((line) => `${printable(line)}\n`).join("");
}

/** A remark: `remark: site1 gives away 120% of its cpu; while all have work: a 40%, b 60%`. */
function excessLine({ resource, provider, sumPpm, fromMs, consumers }: OverProvisionRow): string {
  const from = fromMs === null ? "" : ` from ${instantText(new Date(fromMs).toISOString())} on`;
  const entitled = consumers.map(({ consumer, entitledPpm }) => `${consumer} ${entitledPpm / 10_000}%`);
  const given = `${provider} gives away ${sumPpm / 10_000}% of its ${resource}${from}`;
  return `remark: ${given}; while all have work: ${entitled.join(", ")}`;
}

/** Table of mean waits: as recorded, as simulated under today's rules, and under the change. */
const AFFECTED_LISTING: Listing<AffectedConsumer> = {
  columns: [
    { head: "CONSUMER", isFlexible: true, cell: ({ consumer }) => consumer },
    { head: "JOBS", align: "right", cell: ({ jobs }) => String(jobs) },
    { head: "RECORDED", align: "right", cell: ({ waitRecordedMs }) => wholeSeconds(waitRecordedMs) },
    { head: "TODAY", align: "right", cell: ({ waitTodayMs }) => wholeSeconds(waitTodayMs) },
    { head: "CHANGED", align: "right", cell: ({ waitChangedMs }) => wholeSeconds(waitChangedMs) },
    { head: "EFFECT", align: "right", cell: effectText },
    {
      head: "NEVER",
      align: "right",
      cell: ({ neverStarted }) => (neverStarted === 0 ? "" : String(neverStarted)),
    },
  ],
  fields: ["consumer", "jobs", "neverStarted", "waitRecordedSec", "waitTodaySec", "waitChangedSec"],
  record: (row) => ({ ...inSeconds(row) }),
  name: ({ consumer }) => consumer,
};

/** Accuracy of the simulation of today's rules, which limits the meaning of the other numbers. */
function effectLines({ jobs, procs, baseline, consumers, pools }: PolicyEffects): string {
  const { medianErrorMs, p95ErrorMs } = baseline;
  const largest = Math.max(0, ...consumers.map((row) => Math.abs(row.waitChangedMs - row.waitTodayMs)));
  const error = `${wholeSeconds(medianErrorMs)} in the median, ${wholeSeconds(p95ErrorMs)} for 95 %`;
  const site = `${procs} processors${poolsText(pools)}`;
  const lines = [`${jobs} jobs on ${site}: starts under today's rules are off those recorded by ${error}`];
  if (medianErrorMs > largest) {
    lines.push("that is more than any effect: these say nothing, for today is not explained well enough");
  }
  return lines.map((line) => `${printable(line)}\n`).join("");
}

/** Resources beside processors: ` of cpu, gpu (4 GPUs)`; empty where the record has no pools. */
function poolsText(pools: PolicyEffects["pools"] = []): string {
  if (pools.length === 0) return "";
  const names = pools.map(({ name, gpus = 0 }) => (gpus > 0 ? `${name} (${gpus} GPUs)` : name));
  return ` of ${names.join(", ")}`;
}

/** Remarks on the record, a line each. */
function recordLines({ record }: PolicyEffects): string {
  if (record === undefined) return "";
  return notesOf(record)
    .map((note) => `note: ${printable(note)}\n`)
    .join("");
}

function notesOf({ running, notCompared, skipped, warnings }: TriedRecord): readonly string[] {
  const counts = [
    [running, "ran when the record begins, and run on"],
    [notCompared, "were played and not compared: taken away, or without a recorded start"],
    [skipped, "were left out: without a run time, or wider than the site"],
  ] as const;
  const told = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} jobs ${words}`);
  return [...told, ...warnings];
}

function effectText({ waitTodayMs, waitChangedMs }: AffectedConsumer): string {
  const change = waitChangedMs - waitTodayMs;
  if (change === 0) return "none";
  return change > 0 ? `waits ${wholeSeconds(change)} longer` : `gains ${wholeSeconds(-change)}`;
}

function wholeSeconds(ms: number): string {
  return lengthText(Math.round(ms / 1000));
}
