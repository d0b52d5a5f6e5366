import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tortureStream } from "../torture/streams.ts";
import { temporaryFolder } from "./stint.ts";

const base = temporaryFolder();

describe("a stream among misfortunes (npm run torture -- --streams N: more of them)", () => {
  it.each([1, 2, 3])("SW-7, SW-8 every block at least once and in order, seed %i", async (seed) => {
    expect(await tortureStream(join(base, String(seed)), seed, 10)).toEqual([]);
  });
});
