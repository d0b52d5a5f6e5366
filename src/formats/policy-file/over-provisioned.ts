/** Over-provisioned providers: now, and from each date on which other policies come into force. */
import type { SharedResource } from "../../model/index.ts";
import { overProvisioned } from "../../policy/index.ts";
import { policiesAt } from "./read.ts";
import type { WrittenPolicy } from "./settle.ts";

/** An over-provisioned provider; shares in parts per million of its capacity. */
export interface OverProvisionRow {
  readonly resource: SharedResource;
  readonly provider: string;
  readonly sumPpm: number;
  /** Begin in Unix ms; null where it is so now. */
  readonly fromMs: number | null;
  readonly consumers: readonly {
    readonly consumer: string;
    readonly sharePpm: number;
    /** Entitlement while all consumers have demand. */
    readonly entitledPpm: number;
  }[];
}

/** Over-provisioning now and at each date on which other policies come into force; equal rows once. */
export function excessNowAndLater(
  policies: readonly WrittenPolicy[],
  nowMs: number,
): readonly OverProvisionRow[] {
  const dates = policies.flatMap(({ fromMs }) => (fromMs === null || fromMs <= nowMs ? [] : [fromMs]));
  const told = new Set<string>();
  const rows: OverProvisionRow[] = [];
  for (const atMs of [nowMs, ...[...new Set(dates)].sort((one, other) => one - other)]) {
    const holding = policiesAt(policies, atMs);
    const rounded = new Set(holding.filter((one) => one.isRoundedUp).map((one) => one.policy));
    const excess = overProvisioned(
      holding.map(({ policy }) => policy),
      (policy) => (rounded.has(policy) ? 1 : 0),
    );
    for (const one of excess) {
      const text = JSON.stringify(one);
      if (!told.has(text)) rows.push({ ...one, fromMs: atMs === nowMs ? null : atMs });
      told.add(text);
    }
  }
  return rows;
}
