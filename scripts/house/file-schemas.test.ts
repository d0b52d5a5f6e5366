/** What editors are told of a file is what its reader reads by, and every example is valid under it. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { type Schema, schemaJudge } from "../../test/json-schema.ts";
import { configurationPage } from "./configuration-page.ts";
import { fileSchemas, stintSchema } from "./file-schemas.ts";
import { streamXsd } from "./stream-xsd.ts";

const root = resolve(import.meta.dirname, "../..");
const schemaIn = (name: string) =>
  JSON.parse(readFileSync(join(root, "docs/schemas", `${name}.schema.json`), "utf8")) as Schema;

it("docs/reference/configuration.md is what npm run schemas writes, and has every kind of value", () => {
  const page = configurationPage(stintSchema());
  expect(readFileSync(join(root, "docs/reference/configuration.md"), "utf8")).toBe(page);
  expect(page).toContain("| `port` |");
  expect(page).toContain("| `log.level` | `debug`, ");
  expect(page).toContain("[reservations](#reservations)");
  expect(page).not.toMatch(/undefined|\[object/);
});

describe("docs/schemas", () => {
  it.each([...fileSchemas()])("%s is what npm run schemas writes", (name, schema) => {
    const committed: unknown = JSON.parse(readFileSync(join(root, "docs/schemas", name), "utf8"));
    expect(committed).toEqual(JSON.parse(JSON.stringify(schema)));
  });

  it.each([
    ["job", "examples", /\.yaml$/],
    ["scenario", "examples/scenarios", /\.yaml$/],
    ["priority", "examples/priorities", /\.yaml$/],
    ["queue-snapshot", "examples/quotes", /\.json$/],
    ["policy", "examples/policies", /(agreement|daily|departments|shares)\.policy\.yaml$/],
    ["policy", "examples/verification", /shares\.policy\.yaml$/],
    ["owners", "examples/policies", /owners\.yaml$/],
    ["owners", "examples/verification", /owners\.yaml$/],
    ["workload", "examples", /\.jsonl$/],
    ["stream", "examples/streams", /(ligo|pipeline)\.yaml$/],
  ] as const)("the schema %s holds for the examples in %s", (name, folder, files) => {
    const isValid = schemaJudge(schemaIn(name));
    const examples = readdirSync(join(root, folder)).filter((file) => files.test(file));
    expect(examples).not.toEqual([]);
    for (const file of examples) {
      const text = readFileSync(join(root, folder, file), "utf8");
      const parts = file.endsWith(".jsonl") ? text.trim().split("\n") : [text];
      const documents = parts.flatMap((part) => parseAllDocuments(part));
      const judged = documents.map((document) => isValid(document.toJS()));
      expect([file, judged.filter((is) => !is)]).toEqual([file, []]);
    }
  });

  it("stream.xsd is what npm run schemas writes", () => {
    expect(readFileSync(join(root, "docs/schemas/stream.xsd"), "utf8")).toBe(streamXsd());
  });

  // Of libxml2; the reader's own tests hold without it.
  const hasXmllint = spawnSync("xmllint", ["--version"]).status === 0;
  it.skipIf(!hasXmllint)("stream.xsd holds for the example, and not for a weight of 0 (xmllint)", () => {
    const schema = join(root, "docs/schemas/stream.xsd");
    const text = readFileSync(join(root, "examples/streams/ligo.xml"), "utf8");
    const judged = (input: string) =>
      spawnSync("xmllint", ["--noout", "--schema", schema, "-"], { input }).status === 0;
    expect([judged(text), judged(text.replace('weight="3"', 'weight="0"'))]).toEqual([true, false]);
  });

  it.each([...fileSchemas()])("the examples within %s are valid where they stand", (_, schema) => {
    const published = JSON.parse(JSON.stringify(schema)) as Schema;
    const isValid = schemaJudge(published);
    const wrong: string[] = [];
    const visit = (within: unknown, path: string): void => {
      if (typeof within !== "object" || within === null) return;
      const { examples, default: usual, ...of } = within as Schema;
      const shown = Array.isArray(examples) ? (examples as unknown[]) : [];
      for (const value of usual === undefined ? shown : [...shown, usual]) {
        if (!isValid(value, of)) wrong.push(`${path}: ${JSON.stringify(value)}`);
      }
      for (const [key, inner] of Object.entries(within))
        if (key !== "examples") visit(inner, `${path}/${key}`);
    };
    visit(published, "");
    expect(wrong).toEqual([]);
  });
});
