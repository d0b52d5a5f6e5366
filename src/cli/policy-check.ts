/**
 * `stint policy check FILE…`: says what policies mean, what is wrong with them, and who gives away too much.
 */
import { Command } from "commander";
import type { Daily } from "./daily.ts";
import { isForPeople, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { POLICY_LISTING, policyRecord } from "./policy-listing.ts";
import type { OverProvisionRow, PolicySet, PolicyTools } from "./policy-tools.ts";
import { problemFault, remarkPlace } from "./remark-text.ts";
import { EXIT_CODES, faultText } from "./report-fault.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint policy check examples/policies/shares.policy.yaml
  $ stint policy check site/*.policy.yaml -o json

Several files are read as one set. Where the shares of a provider's consumers are more than it has, that is
legal, and told: with what each is entitled to while all of them have work.

Exit codes: 0 everything is fine (remarks do not count), 2 something is not.
`;

/** The command; what reads policies is loaded when the command runs. */
export function policyCheckCommand(load: () => Promise<PolicyTools>, daily: Daily): Command {
  return new Command("check")
    .summary("say what policies mean, and what is wrong with them")
    .description(
      "Reads files of policies without a broker: prints what was understood, remarks, and every problem " +
        "with its place. Nothing is sent anywhere.",
    )
    .argument("<files...>", "policies or agreements, in YAML or as lines of tuples")
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (files: string[], { output }: { readonly output: OutputForm }) => {
      const { surface, endWith } = daily;
      const set = await (await load()).read(files, surface.nowMs());
      const { agreementForm } = await import("../formats/policy-file/index.ts");
      const agreements = set.agreements.map(agreementForm);
      const writing = { items: set.policies, form: output, value: checkedValue(set, agreements) };
      await writeItems(writing, POLICY_LISTING, surface);
      if (isForPeople(output)) surface.writeResult(remarkLines(set));
      for (const { file, problems } of set.files) {
        for (const problem of problems) surface.writeError(faultText(problemFault(file, problem)));
      }
      if (!isFine(set)) endWith(EXIT_CODES.badInput);
    });
}

/** Whether nothing is wrong with any of the files. */
export function isFine({ files }: PolicySet): boolean {
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

/** What is legal and worth knowing, a line each. */
export function remarkLines({
  files,
  overProvisioned,
}: Pick<PolicySet, "files" | "overProvisioned">): string {
  const warnings = files.flatMap(({ file, warnings: its }) =>
    its.map((it) => `warning ${remarkPlace(file, it)}: ${it.what}; ${it.remedy}`),
  );
  return [...warnings, ...overProvisioned.map(excessLine)].map((line) => `${printable(line)}\n`).join("");
}

/** `remark: site1 gives away 120% of its cpu; while all have work: a 40%, b 60%`. */
function excessLine({ resource, provider, sumPpm, fromMs, consumers }: OverProvisionRow): string {
  const from = fromMs === null ? "" : ` from ${new Date(fromMs).toISOString()} on`;
  const entitled = consumers.map(({ consumer, entitledPpm }) => `${consumer} ${entitledPpm / 10_000}%`);
  const given = `${provider} gives away ${sumPpm / 10_000}% of its ${resource}${from}`;
  return `remark: ${given}; while all have work: ${entitled.join(", ")}`;
}
