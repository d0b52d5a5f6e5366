/**
 * The published schema and the reader say the same about what a line of a workload is.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type Schema, schemaJudge } from "../../../test/json-schema.ts";
import { WORDS_OF_LINES } from "./read-entry.ts";

const root = resolve(import.meta.dirname, "../../..");
const schema = JSON.parse(readFileSync(join(root, "docs/schemas/workload.schema.json"), "utf8")) as Schema;
const isValid = schemaJudge(schema);

describe("the published schema of workloads", () => {
  it.each(Object.entries(WORDS_OF_LINES))("FO-53 has the words of %s, and no others", (kind, words) => {
    const { [kind]: line } = schema.$defs as Record<string, { properties: Schema }>;
    expect(Object.keys(line.properties).sort()).toEqual([...words].sort());
  });

  it("FO-53 the example is valid under it, and a mistake is not", () => {
    const text = readFileSync(join(root, "examples/two-pools.workload.jsonl"), "utf8");
    const lines = text.split("\n").filter((line) => line !== "");
    expect(lines.filter((line) => !isValid(JSON.parse(line)))).toEqual([]);
    expect(isValid({ job: "a", submit: 0, procs: 1, memroy: 5 })).toBe(false);
  });
});
