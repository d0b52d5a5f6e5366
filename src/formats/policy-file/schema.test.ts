/**
 * The published schema and the reader say the same about what a policy file is.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Schema, schemaJudge } from "../../../test/json-schema.ts";
import { readPolicies } from "./index.ts";

const root = resolve(import.meta.dirname, "../../..");
const schema = JSON.parse(readFileSync(join(root, "docs/schemas/policy.schema.json"), "utf8")) as Schema;
const isValid = schemaJudge(schema);
const problemsOf = (text: string) => readPolicies([text]).remarks[0].problems;
const between = "provider: s, consumer: v";
const epoch = "epoch: { interval: 1h, share: 20% }";
const agreement = (words: string) => `{ agreement: a, ${between}, policies: [{ ${epoch} }], ${words} }`;

describe("the published schema of policy files", () => {
  const examples = readdirSync(join(root, "examples/policies")).filter((name) =>
    name.endsWith(".policy.yaml"),
  );

  it.each(examples)("FO-31 examples/policies/%s is valid for both", (name) => {
    const text = readFileSync(join(root, "examples/policies", name), "utf8");
    expect(problemsOf(text)).toEqual([]);
    // Plain lines of tuples are no YAML, and no editor's business.
    if (!text.includes("\n(1)")) expect(isValid(parse(text))).toBe(true);
  });

  it.each([
    "- CPU, s, v, (3600, 20), (5, 60)",
    "- '(1) cpu, s/pool, v/group, (1h, 20%)'",
    "- NET, s, (v, group), (3600, 20), (5, 60)",
    "- net, s, (v, group, user), (3600, 20)",
    "- [NET, s, (v, group), (3600, 20)]",
    "- [memory, s, v, (3600,20), (5,60)]",
    '[["cpu", "s", "v", [3600, 20]]]',
    `{ ${between}, ${epoch} }`,
    `[{ resource: GPU, ${between}, epoch: { interval: month, share: 33.3%, window: fixed } }]`,
    `[{ resource: " Gpu ", ${between}, epoch: { interval: Week, share: 33.3% } }]`,
    `[{ ${between}, ${epoch}, rule: cap, mode: dedicated, from: 2026-01-01 }]`,
    `[{ ${between}, ${epoch}, burst: { interval: 5, share: 60% }, carry: repay, until: 2026-06-01T12:00Z }]`,
    "{ providers: [s, { name: t, memory: 4G }], consumers: v, policies: [] }",
    agreement("clock: UTC, definitions: {}, prices: { unitPrice: 2 }, contact: { provider: x@y }"),
    `{ ${between}, versions: [{ version: 3, policies: [{ ${epoch} }] }] }`,
    `{ ${between}, versions: [{ until: 2026-01-01, policies: [] }, { from: 2026-01-01, policies: [] }] }`,
  ])("FO-31 %j is valid for both", (text) => {
    expect(isValid(parse(text))).toBe(true);
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    "- 7",
    "- CPU, s, v",
    "- CPU, s, v, 20%",
    "- disk, s, v, (3600, 20)",
    `{ ${between} }`,
    `{ provider: s, ${epoch} }`,
    `{ ${between}, ${epoch}, moed: shared }`,
    `{ ${between}, ${epoch}, mode: lent }`,
    `{ ${between}, ${epoch}, from: tomorrow }`,
    `{ ${between}, epoch: { interval: 0, share: 20% } }`,
    `{ ${between}, epoch: { interval: -1, share: 20% } }`,
    `{ ${between}, epoch: { interval: 1h, share: 20 } }`,
    `{ ${between}, epoch: { interval: 1h } }`,
    `{ ${between}, epoch: 20% }`,
    `{ provider: s, consumer: a b, ${epoch} }`,
    "{ providers: s, policies: [] }",
    "{ providers: [{ procs: 4 }], policies: [] }",
    "{ providers: [{ name: s, procs: 0 }], policies: [] }",
    "{ policies: {} }",
    agreement("clock: Paris"),
    agreement("definitions: { nodeFailure: nobody }"),
    agreement("prices: { unitPrice: -1 }"),
    agreement("price: 1"),
    agreement("definitions: { unit: { benchmark: [{ from: 2026-01-01 }] } }"),
    `{ resource: disks, ${between}, ${epoch} }`,
    `{ ${between}, ${epoch}, burst: { interval: hour, share: 60% } }`,
    `{ agreement: a, ${between} }`,
    `{ agreement: a, consumer: v, policies: [{ ${epoch} }] }`,
  ])("FO-31 %j is wrong for both", (text) => {
    expect(isValid(parse(text))).toBe(false);
    expect(problemsOf(text)).not.toEqual([]);
  });
});
