/**
 * The published schema and the reader say the same about what a job description is.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { type Schema, schemaJudge } from "../../../test/json-schema.ts";
import { fileState } from "../yaml/index.ts";
import { readJobYaml } from "./read.ts";

const root = resolve(import.meta.dirname, "../../..");
const schema = JSON.parse(readFileSync(join(root, "docs/schemas/job.schema.json"), "utf8")) as Schema;
const examples = readdirSync(join(root, "examples")).filter((name) => name.endsWith(".yaml"));

const isValid = schemaJudge(schema);
const plain = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as unknown);

describe("the published schema", () => {
  it("FO-31 the examples in the schema are valid", () => {
    for (const attribute of Object.values(schema.properties as Record<string, Schema>)) {
      for (const example of (attribute.examples ?? []) as unknown[]) {
        expect(isValid(example, attribute)).toBe(true);
      }
    }
  });

  it.each(examples)("FO-31 examples/%s is valid and is read without remarks", (name) => {
    const text = readFileSync(join(root, "examples", name), "utf8");
    for (const document of plain(text)) expect(isValid(document)).toBe(true);
    const { jobs, problems, warnings } = readJobYaml(text, { folder: join(root, "examples"), fileState });
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
    expect(jobs.length).toBe(plain(text).length);
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/docs\/schemas\/job\.schema\.json\n/);
  });

  it.each([
    "executable: true",
    "executable: a\narguments: [1, b, true]",
    "executable: a\nenvironment: [A=1]",
    "executable: a\nenvironment: {A: 1}",
    "executable: a\nmemory: 1.5GB",
    "executable: a\nmemory: 7B",
    "executable: a\nmemory: 2TiB",
    "executable: a\nwallTime: 2d 12h",
    "executable: a\nwallTime: 2-12",
    "executable: a\nwallTime: 2-12:30",
    "executable: a\nwallTime: PT1,5S",
    "executable: a\nwallTime: '90'",
    "executable: a\nwallTime: 00:00:00.5",
    "executable: a\noutputSandbox: '*.log'",
    "executable: a\ndelayCost: 0",
    "executable: a\ncolour: red",
  ])("FO-31 %j is valid for both", (text) => {
    expect(plain(text).every((document) => isValid(document))).toBe(true);
    expect(readJobYaml(text, { folder: ".", fileState: () => "missing" }).problems).toEqual([]);
  });

  it.each([
    "procs: 1",
    "executable: [a]",
    "executable: a\narguments: {a: b}",
    "executable: a\nenvironment: [A]",
    "executable: a\nenvironment: {2A: x}",
    "executable: a\nprocs: 0",
    "executable: a\nprocs: 1.5",
    "executable: a\nprocs: '4'",
    "executable: a\ngpus: -1",
    "executable: a\nmemory: 10g",
    "executable: a\nmemory: 10KB",
    "executable: a\nmemory: -1",
    "executable: a\nwallTime: 01:30",
    "executable: a\nwallTime: 1H",
    "executable: a\nwallTime: -5",
    "executable: a\nstdOutput: a/b",
    "executable: a\noutputSandbox: [../b]",
    "executable: a\nsite: a b",
    "executable: a\nreservation: A",
    "executable: a\nuserTags: [a]",
  ])("FO-31 %j is wrong for both", (text) => {
    expect(plain(text).every((document) => isValid(document))).toBe(false);
    expect(readJobYaml(text, { folder: ".", fileState: () => "missing" }).problems.length).toBe(1);
  });
});
