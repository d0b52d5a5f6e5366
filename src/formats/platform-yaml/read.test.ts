import { describe, expect, it } from "vitest";
import { readPlatformYaml } from "./index.ts";

const codesOf = (text: string) => readPlatformYaml(text).problems.map(({ code, line }) => `${line} ${code}`);

describe("platforms", () => {
  it("FO-133 sites, slots and links are read, with what is usual", () => {
    const text =
      "sites:\n  - { name: near, procs: 64, memory: 1G }\n" +
      "  - { name: far, procs: 8, speed: 2, slots: [{ procs: 4, duration: 1h, fixed: 2 }] }\n" +
      "links: { bandwidth: 8Mbit/s, latency: 5ms, pairs: [{ from: far, to: near, bandwidth: 1M/s }] }\n";
    expect(readPlatformYaml(text.replace("1M/s", "1MB/s")).said).toEqual({
      sites: [
        { name: "near", procs: 64, speed: 1, price: 1, memoryBytes: 2 ** 30 },
        {
          ...{ name: "far", procs: 8, speed: 2, price: 1 },
          slots: [
            {
              ...{ startMs: 0, procs: 4, durationMs: 3_600_000, price: 1, fixedSu: 2 },
              ...{ divisible: false, extensible: false },
            },
          ],
        },
      ],
      link: { bytesPerSec: 1_000_000, latencyMs: 5 },
      pairs: [{ from: "far", to: "near", bytesPerSec: 1_000_000, latencyMs: 0 }],
    });
  });

  it("FO-133 two sites of one name, and links to no site, are problems", () => {
    expect(codesOf("sites:\n  - { name: a, procs: 1 }\n  - { name: a, procs: 2 }\n")).toEqual([
      "3 duplicateSite",
    ]);
    expect(
      codesOf(
        "sites: [{ name: a, procs: 1 }]\nlinks:\n  pairs:\n    - { from: a, to: b, bandwidth: 1MB/s }\n",
      ),
    ).toEqual(["4 unknownSite"]);
  });
});
