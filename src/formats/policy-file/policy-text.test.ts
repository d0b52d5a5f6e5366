import fc from "fast-check";
import { expect, it } from "vitest";
import { type EpochWindow, type Policy, SHARED_RESOURCES } from "../../model/index.ts";
import { policyText } from "./policy-text.ts";
import { readPolicies } from "./read.ts";

const window: fc.Arbitrary<EpochWindow> = fc.oneof(
  fc.record({ kind: fc.constant("sliding" as const), lengthMs: fc.integer({ min: 1, max: 10_000_000 }) }),
  fc.record({
    kind: fc.constant("fixed" as const),
    unit: fc.constantFrom("hour", "day", "week", "month"),
    offsetMs: fc.constantFrom(0, 0, 3_600_000, -19_800_000),
  }),
);
const policy = fc
  .record({
    resource: fc.constantFrom(...SHARED_RESOURCES),
    provider: fc.constantFrom("site1", "site2/gpu", "no", "7"),
    consumer: fc.constantFrom("vo0", "vo1", "null", "0x1f", "a.b@c+d-e"),
    epoch: fc.record({ window, sharePpm: fc.integer({ min: 0, max: 500_000 }) }),
    burst: fc.record({
      bucketMs: fc.integer({ min: 1, max: 1_000_000 }),
      sharePpm: fc.integer({ min: 500_000, max: 1_000_000 }),
    }),
    rule: fc.constantFrom("entitlement", "cap"),
    mode: fc.constantFrom("shared", "preempting", "dedicated"),
    carry: fc.constantFrom("forgive", "repay"),
  })
  .map((it): Policy => ({ ...it }));
const keyOf = ({ resource, provider, consumer }: Policy) => [resource, provider, consumer].join(" ");
const policies = fc.uniqueArray(policy, { selector: keyOf, minLength: 1, maxLength: 12 });

it("policies as text read back the same, each at its line", () => {
  fc.assert(
    fc.property(policies, (given) => {
      const { text, lines } = policyText(given);
      const { policies: read, remarks } = readPolicies([text]);
      expect(remarks[0].problems, text).toEqual([]);
      const found = Object.fromEntries(read.map(({ policy: one, line }) => [keyOf(one), [one, line]]));
      const wanted = Object.fromEntries(given.map((one, at) => [keyOf(one), [one, lines[at]]]));
      expect(found, text).toEqual(wanted);
    }),
  );
});
