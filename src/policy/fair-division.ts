/**
 * Max-min fairness among consumers with upper bounds, and over-provisioned providers (rule PO-4).
 *
 * A consumer that wants less than an equal part has what it wants; the rest is divided equally among the
 * others.
 * Source: the case of 40 % + 80 % that [UP] leaves open; the division itself is Bertsekas & Gallager's.
 * Cost: O(n log n).
 */
import { mulDiv } from "../base/index.ts";
import { isWithin, type Policy, type SharedResource, WHOLE_SHARE } from "../model/index.ts";
import { pathsTo, type ShareNode, type ShareTree } from "./share-tree.ts";

const MILLION = 1_000_000;

/**
 * The part of `whole` that each consumer has; whole numbers, which never sum to more than `whole`. Remainders
 * go to those who want most, the last of equal ones.
 */
export function divideFairly(wants: readonly number[], whole: number): readonly number[] {
  const given = wants.map(() => 0);
  const byWant = wants.map((_, index) => index).sort((one, other) => wants[one] - wants[other]);
  let rest = whole;
  for (const [place, index] of byWant.entries()) {
    given[index] = Math.min(wants[index], Math.floor(rest / (wants.length - place)));
    rest -= given[index];
  }
  return given;
}

/**
 * The entitlement of each level of a place now, in parts of `WHOLE_SHARE`, by path: its epoch share where the
 * shares below its provider fit, else its part by max-min fairness among those with demand. Shares below a
 * level refer to that level's entitlement. Levels without demand or policy are absent.
 *
 * @param hasDemand whether a level uses a resource or waits for it
 */
export function entitlements(
  tree: ShareTree,
  resource: SharedResource,
  hasDemand: (path: string) => boolean,
): ReadonlyMap<string, number> {
  const nodes = tree.nodes.get(resource) ?? new Map<string, ShareNode>();
  const entitled = new Map<string, number>([["", WHOLE_SHARE]]);
  const below = new Map<string, ShareNode[]>();
  for (const node of nodes.values()) {
    if (node.policy === null || !hasDemand(node.path)) continue;
    const above = namedAbove(nodes, node);
    below.set(above, [...(below.get(above) ?? []), node]);
  }
  // The tree lists each level before those below it, so that their provider's entitlement is known by then.
  for (const { path } of nodes.values()) {
    const siblings = below.get(path) ?? [];
    const wants = siblings.map((node) => wantOf(node, entitled));
    const given = divideFairly(wants, entitled.get(path) ?? 0);
    for (const [index, sibling] of siblings.entries()) entitled.set(sibling.path, given[index]);
  }
  entitled.delete("");
  return entitled;
}

/** The nearest level above that a policy names; the place itself where there is none. */
function namedAbove(nodes: ReadonlyMap<string, ShareNode>, { path }: ShareNode): string {
  const above = pathsTo(path).slice(0, -1).reverse();
  return above.find((level) => (nodes.get(level)?.policy ?? null) !== null) ?? "";
}

/** The share of its policy, of its provider's entitlement. */
function wantOf({ path, policy }: ShareNode, entitled: ReadonlyMap<string, number>): number {
  if (policy === null) return 0;
  const givers = pathsTo(path).slice(0, -1).reverse();
  const giver = path.startsWith(`${policy.provider}/`) ? givers.slice(givers.indexOf(policy.provider)) : [];
  const known = giver.find((level) => entitled.has(level)) ?? "";
  return mulDiv(entitled.get(known) ?? 0, policy.epoch.sharePpm, MILLION, "down");
}

/** A provider whose consumers have more than the whole of a resource; shares in parts per million of it. */
export interface OverProvision {
  readonly resource: SharedResource;
  readonly provider: string;
  readonly sumPpm: number;
  /** Consumers with share, and entitlement while all of them have demand. */
  readonly consumers: readonly {
    readonly consumer: string;
    readonly sharePpm: number;
    readonly entitledPpm: number;
  }[];
}

/**
 * The over-provisioned providers among policies that hold at the same time, in their order.
 *
 * @param sparePpm excess over the whole that rounding may cause
 */
export function overProvisioned(
  policies: readonly Policy[],
  sparePpm: (policy: Policy) => number,
): readonly OverProvision[] {
  const given = new Map<string, Policy[]>();
  for (const policy of policies) {
    const key = `${policy.resource} ${policy.provider}`;
    given.set(key, [...(given.get(key) ?? []), policy]);
  }
  return [...given.values()].flatMap((its) => {
    // What a consumer's own groups have directly from the same provider is part of what the consumer has.
    const side = its.filter(
      ({ consumer }) =>
        !its.some((other) => other.consumer !== consumer && isWithin(consumer, other.consumer)),
    );
    const shares = side.map(({ epoch }) => epoch.sharePpm);
    const sumPpm = sumOf(shares);
    if (sumPpm <= MILLION + sumOf(side.map(sparePpm))) return [];
    const entitled = divideFairly(shares, MILLION);
    const [{ resource, provider }] = side;
    const consumers = side.map(({ consumer }, index) => ({
      ...{ consumer, sharePpm: shares[index], entitledPpm: entitled[index] },
    }));
    return [{ resource, provider, sumPpm, consumers }];
  });
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, value) => sum + value, 0);
}
