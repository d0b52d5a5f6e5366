/** `stint policy apply FILE…`: applies policies from files as the broker's next version. */
import { Command } from "commander";
import type { PoliciesView, PolicySetView, StintClient } from "../api/client/index.ts";
import type { LongForm, PolicyChange } from "../formats/policy-file/index.ts";
import { inMilliseconds, inSeconds } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { instantText } from "./instant-text.ts";
import { wholeNumber } from "./option-values.ts";
import { isForPeople, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { remarkLines } from "./policy-check.ts";
import { CHANGE_LISTING, changeRecord } from "./policy-diff.ts";
import type { HoldingPolicies, PolicyTools } from "./policy-tools.ts";
import { instantAheadValue } from "./quantity-values.ts";
import { problemFault } from "./remark-text.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint policy apply west.policy.yaml
  $ stint policy apply site/*.policy.yaml --from 2027-01-01 --note "the agreement of 2027"
  $ stint policy apply west.policy.yaml --dry-run

The policies of all files together become the next version, and replace all
policies in force: a policy that is in none of the files ends. They are applied
only if the version with which they were compared (or the one given by --on) is
still the latest. If somebody else has applied a version in the meantime,
nothing is applied and the exit code is 5.

Policies with dates (from, until) are part of the version if they are in force
at the instant from which it takes effect; the others are listed as left out.
Before anything is applied, you are warned about sites at which the new version
grants you nothing: if any policy concerns a site, consumers whom no policy
names are refused there.

Until a site grants its enforcer something (enforcement: in stint.yaml), the
enforcer only reports what it would do: see stint policy actions.
`;

interface ApplyOptions {
  readonly from?: number;
  readonly note?: string;
  readonly on?: number;
  readonly dryRun: boolean;
  readonly output: OutputForm;
}

/** Command definition of `stint policy apply FILE…`. */
export function policyApplyCommand(load: () => Promise<PolicyTools>, context: CommandContext): Command {
  return new Command("apply")
    .summary("apply policies from files as the next version")
    .description("Applies policies from files as the next version, and shows the changes.")
    .argument("<files...>", "policies or agreements, in YAML or as lines of tuples")
    .option(
      "--from <instant>",
      "time from which the version is in effect (default: now)",
      instantAheadValue("--from", context.terminal.nowMs),
    )
    .option("--note <text>", "reason for the change, shown with the version")
    .option("--on <version>", "apply only if this is the latest version", wholeNumber("--on"))
    .option("--dry-run", "show the changes, without applying them", false)
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (files: string[], options: ApplyOptions) => {
      const { terminal } = context;
      const client = await context.client();
      const [sites, there] = [await client.sites(), await client.policies()];
      const { changesBetween, heldPlace, siteRemarks } = await import("../formats/policy-file/index.ts");
      const here = sites.map(({ name, spec }) => ({ name, spec: inMilliseconds(spec) }));
      const places = [...here.map(heldPlace), ...(there.sitesElsewhere ?? []).map((name) => ({ name }))];
      const atMs = options.from ?? terminal.nowMs();
      const holding = await (await load()).holding({ files, atMs, places });
      refuseProblems(holding);
      terminal.writeError(remarkLines(holding));
      const last = there.coming.at(-1) ?? there.now;
      const after = holding.policies.map(({ policy }) => policy);
      const before = inMilliseconds(last?.policies ?? []);
      for (const { what, why, remedy } of siteRemarks(here, { caller: there.caller, before, after })) {
        terminal.writeError(`${printable(`remark: ${what}: ${why}; ${remedy}`)}\n`);
      }
      const changes = changesBetween(await longForms(last), holding.policies.map(undated));
      const applied =
        changes.length === 0 || options.dryRun ? null : await apply(client, { holding, there, options });
      await tell({ changes, applied, last, options }, context);
    });
}

function refuseProblems({ files }: HoldingPolicies): void {
  const faults = files.flatMap(({ file, problems }) => problems.map((it) => problemFault(file, it)));
  if (faults.length > 0) throw new AggregateError(faults, "the policies have errors");
}

/** Policies without their begin, which the version states. */
function undated({ form: { from: _, until: __, ...form } }: HoldingPolicies["policies"][number]): LongForm {
  return form;
}

async function longForms(set: PolicySetView | null): Promise<readonly LongForm[]> {
  const { longForm } = await import("../formats/policy-file/index.ts");
  const dates = { fromMs: null, untilMs: null };
  return inMilliseconds(set?.policies ?? []).map((policy) => longForm(policy, dates));
}

interface Applying {
  readonly holding: HoldingPolicies;
  readonly there: PoliciesView;
  readonly options: ApplyOptions;
}

function apply(client: StintClient, { holding, there, options }: Applying): Promise<PolicySetView> {
  const { from, note, on } = options;
  const request = {
    policies: holding.policies.map(({ policy }) => inSeconds(policy)),
    ...(from === undefined ? {} : { effectiveFrom: new Date(from).toISOString() }),
    ...(note === undefined ? {} : { note }),
  };
  const last = there.coming.at(-1) ?? there.now;
  return client.applyPolicies(request, { onVersion: on ?? last?.version ?? 0 });
}

interface Outcome {
  readonly changes: readonly PolicyChange[];
  readonly applied: PolicySetView | null;
  readonly last: PolicySetView | null;
  readonly options: ApplyOptions;
}

async function tell(
  { changes, applied, last, options }: Outcome,
  { terminal }: CommandContext,
): Promise<void> {
  const { output: form } = options;
  const value = { applied, changes: changes.map(changeRecord) };
  await writeItems({ items: changes, form, value }, CHANGE_LISTING, terminal);
  if (!isForPeople(form)) return;
  if (applied !== null) {
    const holds = `version ${applied.version} holds from ${instantText(applied.effectiveFrom)} on`;
    terminal.writeResult(`${printable(holds)}\n`);
  } else if (changes.length === 0) {
    const version = last === null ? "" : `, as version ${last.version}`;
    terminal.writeError(`stint: these are the policies that hold or will${version}; nothing is applied\n`);
  } else terminal.writeError("stint: nothing is applied\n");
}
