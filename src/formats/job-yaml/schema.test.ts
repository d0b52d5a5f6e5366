/**
 * The published schema and the reader say the same about what a job description is.
 *
 * The schema is for editors. What validates here knows just the keywords that it uses; another one in it
 * is an error of this test.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { ATTRIBUTES } from "./attributes.ts";
import { readJobYaml } from "./read.ts";
import { fileState } from "./read-file.ts";

type Schema = { readonly [keyword: string]: unknown };

const root = resolve(import.meta.dirname, "../../..");
const schema = JSON.parse(readFileSync(join(root, "docs/schemas/job.schema.json"), "utf8")) as Schema;
const examples = readdirSync(join(root, "examples")).filter((name) => name.endsWith(".yaml"));

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const length = (value: unknown) => (typeof value === "string" ? value.length : 0);

function hasType(value: unknown, type: string): boolean {
  if (type === "object") return isObject(value);
  if (type === "array") return Array.isArray(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

/** Each keyword as a test of a value; those that only tell people something hold always. */
const keywords: Record<string, (value: unknown, given: never, within: Schema) => boolean> = {
  $schema: () => true,
  $defs: () => true,
  title: () => true,
  description: () => true,
  default: () => true,
  examples: () => true,
  $ref: (value, path: string) =>
    isValid(value, (schema.$defs as Record<string, Schema>)[path.replace("#/$defs/", "")]),
  type: (value, types: string | string[]) => [types].flat().some((type) => hasType(value, type)),
  anyOf: (value, schemas: Schema[]) => schemas.some((one) => isValid(value, one)),
  required: (value, names: string[]) => !isObject(value) || names.every((name) => name in value),
  properties: (value, of: Record<string, Schema>) =>
    !isObject(value) || Object.entries(value).every(([name, it]) => !(name in of) || isValid(it, of[name])),
  additionalProperties: (value, it: Schema | true, { properties = {} }) =>
    it === true ||
    !isObject(value) ||
    Object.entries(value).every(([name, one]) => name in (properties as Schema) || isValid(one, it)),
  propertyNames: (value, it: Schema) =>
    !isObject(value) || Object.keys(value).every((name) => isValid(name, it)),
  items: (value, it: Schema) => !Array.isArray(value) || value.every((one) => isValid(one, it)),
  pattern: (value, pattern: string) => typeof value !== "string" || new RegExp(pattern, "u").test(value),
  minLength: (value, least: number) => typeof value !== "string" || length(value) >= least,
  minimum: (value, least: number) => typeof value !== "number" || value >= least,
  exclusiveMinimum: (value, least: number) => typeof value !== "number" || value > least,
};

function isValid(value: unknown, within: Schema): boolean {
  return Object.entries(within).every(([keyword, given]) => {
    const holds = keywords[keyword];
    if (holds === undefined) throw new Error(`the schema uses ${keyword}, which this test does not know`);
    return holds(value, given as never, within);
  });
}

const plain = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as unknown);

describe("the published schema", () => {
  it("FO-31 has the attributes that are read, and no others", () => {
    expect(Object.keys(schema.properties as Schema).sort()).toEqual([...ATTRIBUTES.keys()].sort());
  });

  it("FO-31 shows only examples that are valid", () => {
    for (const attribute of Object.values(schema.properties as Record<string, Schema>)) {
      for (const example of (attribute.examples ?? []) as unknown[]) {
        expect(isValid(example, attribute)).toBe(true);
      }
    }
  });

  it.each(examples)("FO-31 examples/%s is valid, and reads without a remark", (name) => {
    const text = readFileSync(join(root, "examples", name), "utf8");
    for (const document of plain(text)) expect(isValid(document, schema)).toBe(true);
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
    "executable: a\ncolour: red",
  ])("FO-31 %j is valid for both", (text) => {
    expect(plain(text).every((document) => isValid(document, schema))).toBe(true);
    expect(readJobYaml(text, { folder: ".", fileState: () => "missing" }).problems).toEqual([]);
  });

  it.each([
    "cpuNumber: 1",
    "executable: [a]",
    "executable: a\narguments: {a: b}",
    "executable: a\nenvironment: [A]",
    "executable: a\nenvironment: {2A: x}",
    "executable: a\ncpuNumber: 0",
    "executable: a\ncpuNumber: 1.5",
    "executable: a\ncpuNumber: '4'",
    "executable: a\ngpus: -1",
    "executable: a\nmemory: 10g",
    "executable: a\nmemory: 10KB",
    "executable: a\nmemory: -1",
    "executable: a\nwallTime: 01:30",
    "executable: a\nwallTime: 1H",
    "executable: a\nwallTime: -5",
    "executable: a\nstdOutput: a/b",
    "executable: a\noutputSandbox: [a/b]",
    "executable: a\nsite: a b",
    "executable: a\nuserTags: [a]",
  ])("FO-31 %j is wrong for both", (text) => {
    expect(plain(text).every((document) => isValid(document, schema))).toBe(false);
    expect(readJobYaml(text, { folder: ".", fileState: () => "missing" }).problems.length).toBe(1);
  });
});
