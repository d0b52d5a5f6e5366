/** What editors are told of a file is what its reader reads by. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { fileSchemas } from "./file-schemas.ts";

const folder = resolve(import.meta.dirname, "../../docs/schemas");

describe("docs/schemas", () => {
  it.each([...fileSchemas()])("%s is what npm run schemas writes", (name, schema) => {
    expect(JSON.parse(readFileSync(join(folder, name), "utf8"))).toEqual(JSON.parse(JSON.stringify(schema)));
  });
});
