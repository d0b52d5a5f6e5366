/** Differences between two sets of policies, by their meaning. */
import type { LongForm } from "./written.ts";

/** A policy that only one of the sets has, or that differs between them. */
export interface PolicyChange {
  readonly change: "added" | "removed" | "changed";
  readonly before: LongForm | null;
  readonly after: LongForm | null;
}

/** Policies that only one of two sets has, or that differ between them. */
export function changesBetween(
  before: readonly LongForm[],
  after: readonly LongForm[],
): readonly PolicyChange[] {
  const key = ({ provider, consumer, resource, from = "" }: LongForm) =>
    `${provider} ${consumer} ${resource} ${from}`;
  const [old, fresh] = [before, after].map((list) => new Map(list.map((policy) => [key(policy), policy])));
  const changes: PolicyChange[] = [];
  for (const [name, policy] of old) {
    const now = fresh.get(name) ?? null;
    if (now === null) changes.push({ change: "removed", before: policy, after: null });
    else if (JSON.stringify(now) !== JSON.stringify(policy)) {
      changes.push({ change: "changed", before: policy, after: now });
    }
  }
  for (const [name, policy] of fresh) {
    if (!old.has(name)) changes.push({ change: "added", before: null, after: policy });
  }
  return changes;
}
