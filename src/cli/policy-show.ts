/**
 * `stint policy show` and `stint policy history`: current and future policies with their enforcement; all
 * versions.
 */
import { Command } from "commander";
import type {
  PoliciesView,
  PolicyFollowerView,
  PolicySetView,
  SiteEnforcerView,
} from "../api/client/index.ts";
import type { LongForm } from "../formats/policy-file/index.ts";
import { inMilliseconds, isOnJobs } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { instantText, whenOrNone, whenText } from "./instant-text.ts";
import {
  isForPeople,
  type Listing,
  type OutputForm,
  outputOption,
  tableText,
  writeItems,
} from "./output-forms.ts";
import { toldLines } from "./peer-lines.ts";
import { burstText, epochText, policyName, ruleText } from "./policy-listing.ts";
import { printable } from "./text-table.ts";

const SHOW_EXAMPLES = `
Examples:
  $ stint policy show
  $ stint policy show -o json

Shows, in this order:
- the policies of the version in force, and of future versions;
- the enforcer of each site: the version that it enforces, and what it may do to
jobs. An enforcer that may only watch reports what it would do: see stint policy
actions;
- brokers elsewhere that copy the policies (stint policy follow): the version
that each has copied, since when, and when it last reported;
- the jobs that other brokers have submitted to clusters (stint peer), which count
when policies are checked, and the age of that information.
`;
const HISTORY_EXAMPLES = `
Examples:
  $ stint policy history
  $ stint policy history -o json
`;

/** A policy with its version. */
interface ShownPolicy {
  readonly version: number;
  readonly effectiveFrom: string;
  readonly policy: LongForm;
}

const LISTING: Listing<ShownPolicy> = {
  columns: [
    { head: "VERSION", align: "right", cell: ({ version }) => String(version) },
    { head: "PROVIDER", cell: ({ policy }) => policy.provider },
    { head: "CONSUMER", isFlexible: true, cell: ({ policy }) => policy.consumer },
    { head: "RESOURCE", cell: ({ policy }) => policy.resource },
    { head: "EPOCH", cell: ({ policy }) => epochText(policy) },
    { head: "BURST", cell: ({ policy }) => burstText(policy) },
    { head: "RULE", isOptional: true, cell: ({ policy }) => ruleText(policy) },
  ],
  fields: [
    ...["version", "effectiveFrom", "resource", "provider", "consumer", "epoch", "burst"],
    ...["rule", "mode", "carry"],
  ],
  record: ({ policy, ...version }) => ({
    ...version,
    ...policy,
    epoch: epochText(policy),
    burst: burstText(policy),
  }),
  name: ({ policy }) => policyName(policy),
};

const ENFORCERS: Pick<Listing<SiteEnforcerView>, "columns"> = {
  columns: [
    { head: "SITE", cell: ({ site }) => site },
    { head: "VERSION", align: "right", cell: ({ version }) => (version === null ? "-" : String(version)) },
    { head: "MAY", isFlexible: true, cell: ({ granted }) => granted.join(", ") },
    { head: "FORM", isOptional: true, cell: ({ form }) => form },
    { head: "STATE", isFlexible: true, cell: (enforcer) => stateText(enforcer) },
  ],
};

const FOLLOWERS: Pick<Listing<PolicyFollowerView>, "columns"> = {
  columns: [
    { head: "FOLLOWER", cell: ({ name }) => name },
    { head: "VERSION", align: "right", cell: ({ version }) => (version === null ? "-" : String(version)) },
    { head: "SITES", isFlexible: true, cell: ({ sites }) => sites.join(", ") },
    { head: "SINCE", cell: ({ since }, nowMs) => whenText(since, nowMs) },
    { head: "HEARD", cell: ({ heardAt }, nowMs) => whenOrNone(heardAt, nowMs) },
  ],
};

const VERSIONS: Listing<PolicySetView> = {
  columns: [
    { head: "VERSION", align: "right", cell: ({ version }) => String(version) },
    { head: "FROM", cell: ({ effectiveFrom }, nowMs) => whenText(effectiveFrom, nowMs) },
    { head: "APPLIED", cell: ({ appliedAt }, nowMs) => whenText(appliedAt, nowMs) },
    { head: "BY", cell: ({ by }) => by },
    { head: "POLICIES", align: "right", cell: ({ policies }) => String(policies.length) },
    { head: "NOTE", isFlexible: true, cell: ({ note }) => note },
  ],
  fields: ["version", "effectiveFrom", "appliedAt", "by", "note", "policies"],
  record: (set) => ({ ...set }),
  name: ({ version }) => String(version),
};

/** Command definition of `stint policy show`. */
export function policyShowCommand(context: CommandContext): Command {
  return new Command("show")
    .summary("show current and future policies, and their enforcement")
    .description("Shows current and future policies, and how each site enforces them.")
    .addOption(outputOption())
    .addHelpText("after", SHOW_EXAMPLES)
    .action(async ({ output: form }: { readonly output: OutputForm }) => {
      const { terminal } = context;
      const policies = await (await context.client()).policies();
      if (isForPeople(form)) terminal.writeResult(versionLines(policies));
      const items = await shownPolicies(policies);
      await writeItems({ items, form, value: policies }, LISTING, terminal);
      if (!isForPeople(form)) return;
      const { now, coming, enforcers, followers, peers = [] } = policies;
      if (now === null && coming.length === 0) terminal.writeError("stint: no policies were ever applied\n");
      if (enforcers.length > 0) {
        terminal.writeResult(`\n${tableText(enforcers, ENFORCERS, form, terminal)}`);
      }
      if (followers.length > 0) {
        terminal.writeResult(`\n${tableText(followers, FOLLOWERS, form, terminal)}`);
      }
      if (peers.length > 0) terminal.writeResult(`\n${toldLines(peers)}`);
    });
}

/** Command definition of `stint policy show`. */
export function policyHistoryCommand(context: CommandContext): Command {
  return new Command("history")
    .summary("list all versions of the policies")
    .description("Lists all versions of the policies that have been applied, newest first.")
    .addOption(outputOption())
    .addHelpText("after", HISTORY_EXAMPLES)
    .action(async ({ output: form }: { readonly output: OutputForm }) => {
      const { terminal } = context;
      const items = await (await context.client()).policyVersions();
      await writeItems({ items, form, none: "no policies were ever applied" }, VERSIONS, terminal);
    });
}

async function shownPolicies({ now, coming }: PoliciesView): Promise<readonly ShownPolicy[]> {
  const { longForm } = await import("../formats/policy-file/index.ts");
  const dates = { fromMs: null, untilMs: null };
  return [...(now === null ? [] : [now]), ...coming].flatMap(({ version, effectiveFrom, policies }) =>
    inMilliseconds(policies).map((policy) => ({ version, effectiveFrom, policy: longForm(policy, dates) })),
  );
}

/** A version: `version 3 holds since 2026-11-20 09:00:00, by ann: as agreed`. */
function versionLines({ now, coming }: PoliciesView): string {
  const line = (holds: string, { version, effectiveFrom, by, note }: PolicySetView): string => {
    const why = note === "" ? "" : `: ${note}`;
    return `${printable(`version ${version} ${holds} ${instantText(effectiveFrom)}, by ${by}${why}`)}\n`;
  };
  const lines = [
    ...(now === null ? [] : [line("holds since", now)]),
    ...coming.map((set) => line("will hold from", set)),
  ];
  return lines.length === 0 ? "" : `${lines.join("")}\n`;
}

function stateText({ isPaused, version, granted, cannotAct }: SiteEnforcerView): string {
  if (isPaused) return "paused";
  if (version === null) return "nothing to enforce";
  if (cannotAct !== undefined) return `cannot act: ${cannotAct}`;
  return granted.some(isOnJobs) ? "enforces" : "watches";
}
