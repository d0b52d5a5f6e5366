/**
 * Where more is given away than there is, and what each has then (rule PO-4).
 */
import { isWithin, type Policy, type SharedResource } from "../model/index.ts";
import { divideFairly } from "./fair-division.ts";

/** A provider whose consumers have more than the whole of a resource; shares in parts per million of it. */
export interface OverProvision {
  readonly resource: SharedResource;
  readonly provider: string;
  readonly sumPpm: number;
  /** Each with its share, and what it is entitled to while all of them have demand. */
  readonly consumers: readonly {
    readonly consumer: string;
    readonly sharePpm: number;
    readonly entitledPpm: number;
  }[];
}

const MILLION = 1_000_000;

/**
 * The over-provisioned of policies that hold at the same time, in their order.
 *
 * @param sparePpm by how much shares may pass the whole for being rounded up
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
