/**
 * The plays: two accounts and three people on sixteen processors, under each reading of an agreement.
 */
import type { ConsumerLimit, OwedOrder } from "./owed.ts";

/** Processors of a cluster. */
export const PROCS = 16;
/** People, and the account in which each submits. */
export const PEOPLE = [
  { user: "stint-alice", account: "physics" },
  { user: "stint-bob", account: "biology" },
  { user: "stint-carol", account: "physics" },
  { user: "stint-carol", account: "biology" },
] as const;

/** One play. */
export interface Play {
  readonly name: string;
  readonly mode: OwedOrder["mode"];
  /** In the words of a site's `enforcement.grant`. */
  readonly grant: readonly string[];
  /** Of each account: epoch percent, burst percent. */
  readonly shares: Readonly<Record<"physics" | "biology", readonly [epoch: number, burst: number]>>;
  readonly epochSec: number;
  /** When each account's people submit, and how many jobs of one processor together. */
  readonly batches: readonly { readonly atSec: number; readonly physics: number; readonly biology: number }[];
  readonly runSec: number;
  /** Before a job is stopped for others, or for a cap; a cap lets nothing go on for less. */
  readonly minRunSec: number;
}

const STREAM = [
  { atSec: 0, physics: 60, biology: 60 },
  { atSec: 200, physics: 20, biology: 60 },
  { atSec: 400, physics: 60, biology: 30 },
] as const;
const HALF_AND_MORE = { physics: [25, 50], biology: [50, 75] } as const;
const TAKES = ["hold", "suspend"] as const;

/** All of them; the first is two accounts with forty jobs each and nothing granted but holding. */
export const PLAYS: readonly Play[] = [
  {
    ...{ name: "hold", mode: "shared", grant: ["hold"], epochSec: 3600, runSec: 40, minRunSec: 1 },
    shares: { physics: [25, 25], biology: [25, 25] },
    batches: [{ atSec: 0, physics: 40, biology: 40 }],
  },
  {
    ...{ name: "dedicated", mode: "dedicated", grant: TAKES, epochSec: 3600, runSec: 40, minRunSec: 1 },
    shares: { physics: [25, 25], biology: [25, 50] },
    batches: STREAM,
  },
  {
    ...{ name: "shared", mode: "shared", grant: TAKES, epochSec: 3600, runSec: 40, minRunSec: 1 },
    ...{ shares: HALF_AND_MORE, batches: STREAM },
  },
  {
    ...{ name: "preempting", mode: "preempting", grant: TAKES, epochSec: 3600, runSec: 40, minRunSec: 1 },
    ...{ shares: HALF_AND_MORE, batches: STREAM },
  },
  {
    ...{ name: "cap", mode: "cap", grant: TAKES, epochSec: 120, runSec: 40, minRunSec: 10 },
    ...{ shares: HALF_AND_MORE, batches: STREAM },
  },
];

/** The limits of a play, in processors. */
export function limitsOf({ shares, epochSec }: Play): readonly ConsumerLimit[] {
  return Object.entries(shares).map(([consumer, [epoch, burst]]) => ({
    consumer,
    burstProcs: (PROCS * burst) / 100,
    epochProcs: (PROCS * epoch) / 100,
    windowMs: epochSec * 1000,
  }));
}

/** The policy file of a play, as somebody writes it. */
export function policyFile({ mode, shares, epochSec }: Play, site: string): string {
  return Object.entries(shares)
    .map(
      ([consumer, [epoch, burst]]) =>
        `- resource: cpu\n  provider: ${site}\n  consumer: ${consumer}\n` +
        `  epoch: { interval: ${epochSec}s, share: ${epoch}%, window: sliding }\n` +
        `  burst: { interval: 5s, share: ${burst}% }\n` +
        `  rule: ${mode === "cap" ? "cap" : "entitlement"}\n` +
        `  mode: ${mode === "cap" ? "shared" : mode}\n`,
    )
    .join("");
}
