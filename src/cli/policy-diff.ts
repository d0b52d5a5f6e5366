/** `stint policy diff A B`: lists the policies that two files add, remove or change. */
import { Command } from "commander";
import type { LongForm, PolicyChange } from "../formats/policy-file/index.ts";
import type { CommandContext } from "./command-context.ts";
import { type Listing, listValue, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { burstText, epochText, policyName, ruleText } from "./policy-listing.ts";
import type { PolicyTools } from "./policy-tools.ts";
import { problemFault } from "./remark-text.ts";

const EXAMPLES = `
Examples:
  $ stint policy diff west.policy.yaml next-year.policy.yaml
  $ stint policy diff west.policy.yaml next-year.policy.yaml -o json

Two policies are the same policy if their provider, consumer, resource and start
(from) are equal; the notation does not matter. Exit codes: 0 with or without
differences, 2 if a file has a problem.
`;

/** Command definition of `stint policy diff A B`. */
export function policyDiffCommand(load: () => Promise<PolicyTools>, context: CommandContext): Command {
  return new Command("diff")
    .summary("compare two policy files")
    .description(
      "Lists the policies that the second file adds, removes or changes. Notation does not matter.",
    )
    .argument("<before>", "policy file")
    .argument("<after>", "policy file to compare it with")
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (before: string, after: string, { output }: { readonly output: OutputForm }) => {
      const { terminal } = context;
      const tools = await load();
      const [one, other] = [await read(before, tools, context), await read(after, tools, context)];
      const { changesBetween } = await import("../formats/policy-file/index.ts");
      const changes = changesBetween(one, other);
      const value = listValue(changes.map(changeRecord));
      const none = "the files have the same policies";
      await writeItems({ items: changes, form: output, value, none }, CHANGE_LISTING, terminal);
    });
}

async function read(
  file: string,
  tools: PolicyTools,
  { terminal }: CommandContext,
): Promise<readonly LongForm[]> {
  const { policies, files } = await tools.read([file], terminal.nowMs());
  const faults = files.flatMap(({ problems }) => problems.map((problem) => problemFault(file, problem)));
  if (faults.length > 0) throw new AggregateError(faults, "the policies have errors");
  return policies.map(({ policy }) => policy);
}

/** Either of the two policies, for the fields that they share. */
function eitherOf({ before, after }: PolicyChange): LongForm | null {
  return after ?? before;
}

export const CHANGE_LISTING: Listing<PolicyChange> = {
  columns: [
    { head: "CHANGE", cell: ({ change }) => change },
    { head: "PROVIDER", cell: (change) => eitherOf(change)?.provider ?? "" },
    { head: "CONSUMER", isFlexible: true, cell: (change) => eitherOf(change)?.consumer ?? "" },
    { head: "RESOURCE", cell: (change) => eitherOf(change)?.resource ?? "" },
    { head: "EPOCH", cell: (change) => fromTo(change, epochText) },
    { head: "BURST", cell: (change) => fromTo(change, burstText) },
    { head: "RULE", isOptional: true, cell: (change) => fromTo(change, ruleText) },
    { head: "UNTIL", isWide: true, cell: (change) => fromTo(change, ({ until }) => until ?? "-") },
  ],
  fields: ["change", "provider", "consumer", "resource", "before", "after"],
  record: changeRecord,
  name: (change) => `${change.change} ${eitherOf(change) === null ? "" : nameOf(change)}`,
};

function nameOf(change: PolicyChange): string {
  const policy = eitherOf(change);
  return policy === null ? "" : policyName(policy);
}

/** JSON of a change. */
export function changeRecord(change: PolicyChange): Readonly<Record<string, unknown>> {
  const policy = eitherOf(change);
  return {
    ...{ change: change.change, provider: policy?.provider, consumer: policy?.consumer },
    ...{ resource: policy?.resource, before: change.before, after: change.after },
  };
}

/** Terms of a policy; where the two differ, both. */
function fromTo({ before, after }: PolicyChange, text: (policy: LongForm) => string): string {
  const [old, fresh] = [before && text(before), after && text(after)];
  return old === null || fresh === null || old === fresh ? (old ?? fresh ?? "") : `${old} → ${fresh}`;
}
