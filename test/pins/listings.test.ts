/**
 * Help, API and messages, held against listings that are committed: what changes in them is seen in the
 * change itself. `STINT_PINS=write npx vitest run test/pins` writes them anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { apiListing, helpListing, messageListing } from "./listings.ts";

describe("pinned listings", () => {
  it.each([
    ["help.txt", helpListing],
    ["openapi.json", apiListing],
    ["messages.txt", async () => messageListing()],
  ] as const)("%s", async (name, listing) => {
    const file = resolve(import.meta.dirname, "fixtures", name);
    const text = await listing();
    if (process.env.STINT_PINS === "write") writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, "utf8"));
  });
});
