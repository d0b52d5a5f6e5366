/** Policies as rows of a table and as records. */
import type { LongForm } from "../formats/policy-file/index.ts";
import type { Listing } from "./output-forms.ts";
import type { PolicyRow } from "./policy-tools.ts";

export const POLICY_LISTING: Listing<PolicyRow> = {
  columns: [
    { head: "PROVIDER", cell: ({ policy }) => policy.provider },
    { head: "CONSUMER", isFlexible: true, cell: ({ policy }) => policy.consumer },
    { head: "RESOURCE", cell: ({ policy }) => policy.resource },
    { head: "EPOCH", cell: ({ policy }) => epochText(policy) },
    { head: "BURST", cell: ({ policy }) => burstText(policy) },
    { head: "RULE", isOptional: true, cell: ({ policy }) => ruleText(policy) },
    { head: "FROM", isWide: true, cell: ({ policy }) => policy.from ?? "-" },
    { head: "UNTIL", isWide: true, cell: ({ policy }) => policy.until ?? "-" },
    { head: "PLACE", isWide: true, cell: ({ file, line }) => `${file}:${line}` },
  ],
  fields: [
    ...["file", "line", "label", "resource", "provider", "consumer", "epoch", "burst"],
    ...["rule", "mode", "carry", "from", "until"],
  ],
  record: (row) => ({ ...policyRecord(row), epoch: epochText(row.policy), burst: burstText(row.policy) }),
  name: ({ policy }) => policyName(policy),
};

/** JSON of a policy: its place and its long form. */
export function policyRecord({ file, line, label, policy }: PolicyRow): Readonly<Record<string, unknown>> {
  return { file, line, ...(label === null ? {} : { label }), ...policy };
}

/** Provider, consumer and resource. */
export function policyName({ provider, consumer, resource }: LongForm): string {
  return `${provider} ${consumer} ${resource}`;
}

/** Epoch share: `20% of 1h`, sliding; `20% of the week`, of the calendar. */
export function epochText({ epoch: { share, interval, window } }: LongForm): string {
  return window === "sliding" ? `${share} of ${interval}` : `${share} of the ${interval}`;
}

/** Burst share: `60%, by 5s`. */
export function burstText({ burst: { share, interval } }: LongForm): string {
  return `${share}, by ${interval}`;
}

/** Modes: `entitlement, shared, forgive`. */
export function ruleText({ rule, mode, carry }: LongForm): string {
  return `${rule}, ${mode}, ${carry}`;
}
