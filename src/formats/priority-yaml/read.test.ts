import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Schema, schemaJudge } from "../../../test/json-schema.ts";
import { temporaryFolder } from "../../../test/stint.ts";
import { PRIORITY_NAMES, type PriorityName } from "../../model/index.ts";
import { readPriorityFile, readPriorityYaml } from "./index.ts";

const root = resolve(import.meta.dirname, "../../..");
const schema = JSON.parse(readFileSync(join(root, "docs/schemas/priority.schema.json"), "utf8")) as Schema & {
  readonly $defs: Readonly<Record<string, Schema>>;
};
const judge = schemaJudge(schema);
const partOf = (name: PriorityName): Schema => schema.$defs[name];
const isValid = (text: string, name: PriorityName) => judge(parse(text), partOf(name));
const problemsOf = (text: string, name: PriorityName) => readPriorityYaml(text, name).problems;

const folder = temporaryFolder();

describe("the rules of a priority", () => {
  it.each(PRIORITY_NAMES)("an empty file of %s gives the defaults", (name) => {
    expect(readPriorityYaml("", name)).toEqual(readPriorityYaml("{}", name));
    expect(readPriorityYaml("", name)).toMatchObject({ said: { kind: name }, problems: [] });
  });

  it("given values are read, the rest completed", () => {
    const { said: rules } = readPriorityYaml(
      'weights: { age: 5 }\nhalfLife: none\ncalcPeriod: 60\naccounts: { "3": { parent: top } }\n' +
        'users: { 7: { nice: -2 } }\nqueues: { "1": 10 }',
      "slurm",
    );
    expect(rules).toMatchObject({
      weights: { age: 5, fairShare: 10_000 },
      halfLifeMs: null,
      calcPeriodMs: 60_000,
      accounts: { 3: { shares: 1, parent: "top" } },
      users: { 7: { shares: 1, nice: -2 } },
      queues: { 1: 10 },
    });
    expect(
      readPriorityYaml('factor: 5\nusers: { "7": {}, "8": { factor: 2 } }', "condor").said,
    ).toMatchObject({
      users: { 7: { factor: 5 }, 8: { factor: 2 } },
    });
  });

  it("targets are exact, floors or ceilings; the default fills what a name leaves out", () => {
    const { said: rules, problems } = readPriorityYaml(
      'users: { default: { maxProcs: 8, target: 5- }, "7": { target: 12.5+ }, "8": { target: 30 } }',
      "maui",
    );
    expect(problems).toEqual([]);
    expect(rules).toMatchObject({
      users: {
        default: { maxProcs: 8, target: { percent: 5, kind: "ceiling" }, priority: 0 },
        7: { maxProcs: 8, target: { percent: 12.5, kind: "floor" } },
        8: { maxProcs: 8, target: { percent: 30, kind: "target" } },
      },
    });
  });

  it("a wrong file is refused with the place of every error", async () => {
    const file = join(folder, "wrong.yaml");
    writeFileSync(file, "weights:\n  aeg: 1\nmaxAge: 0\n");
    await expect(readPriorityFile("slurm", file)).rejects.toMatchObject({
      what: expect.stringContaining("wrong.yaml:2:3: aeg"),
      why: expect.stringContaining("line 3"),
    });
    await expect(readPriorityFile("slurm", join(folder, "absent.yaml"))).rejects.toThrow("absent.yaml");
  });
});

describe("the published schema of priorities", () => {
  it.each<[PriorityName, string]>([
    [
      "slurm",
      "{ weights: { age: 1, qos: 2 }, maxAge: 1d, halfLife: none, fairShare: classic, favour: small }",
    ],
    ["slurm", '{ accounts: { "1": { shares: 0, parent: x } }, users: { "2": { shares: 2.5, nice: 9 } } }'],
    ["slurm", '{ partitions: { "1": 7 }, calcPeriod: 1h30m }'],
    ["maui", "{ weights: { service: -1 }, caps: { fairShare: 0 }, interval: 6h, depth: 1, decay: 0 }"],
    ["maui", "{ parts: { service: { xFactor: 3 }, resource: { wallTime: 1 }, fairShare: { queue: 2 } } }"],
    ["maui", '{ groups: { "1": { target: 100 } }, queues: { default: { target: "0.5-", priority: 3 } } }'],
    ["condor", '{ halfLife: 12h, factor: 1, users: { "1": { factor: 0.5 } } }'],
    ["size", "{ favour: large }"],
  ])("%s %s is valid for both", (name, text) => {
    expect(problemsOf(text, name)).toEqual([]);
    expect(isValid(text, name)).toBe(true);
  });

  it.each<[PriorityName, string]>([
    ["slurm", "{ weight: {} }"],
    ["slurm", "{ weights: { age: -1 } }"],
    ["slurm", "{ weights: { age: lots } }"],
    ["slurm", "{ maxAge: 0 }"],
    ["slurm", "{ fairShare: tree }"],
    ["slurm", '{ accounts: { "1": 5 } }'],
    ["slurm", "{ queues: [1] }"],
    ["maui", "{ decay: 1.5 }"],
    ["maui", "{ depth: 0 }"],
    ["maui", '{ users: { "1": { target: 101 } } }'],
    ["maui", '{ users: { "1": { target: 5% } } }'],
    ["maui", '{ groups: { "1": { maxProcs: 4 } } }'],
    ["condor", "{ factor: 0 }"],
    ["condor", "{ halfLife: none }"],
    ["length", "{ favour: long }"],
    ["age", "[]"],
  ])("%s %s is wrong for both", (name, text) => {
    expect(problemsOf(text, name)).not.toEqual([]);
    expect(isValid(text, name)).toBe(false);
  });
});
