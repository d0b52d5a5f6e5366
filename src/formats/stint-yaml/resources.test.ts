/**
 * Stores and links of a site in `stint.yaml`.
 */
import { describe, expect, it } from "vitest";
import { readStintYaml } from "./read.ts";
import { writtenSettings } from "./written.ts";

const read = (words: string) =>
  readStintYaml(`sites: [{ name: w, type: simulated, procs: 4, ${words} }]`, {
    folder: "/",
    fileState: () => "readable",
  });
const settingsOf = (words: string) => read(words).configuration?.sites[0]?.settings;

const STORES = { scratch: { sizeBytes: 200 * 1024 ** 3 }, home: { sizeBytes: 1.5e12, unitBytes: 1e11 } };
const LINKS = { uplink: { rateBytesPerSec: 125_000_000 }, slow: { rateBytesPerSec: 7, unitBytesPerSec: 1 } };

describe("mapping rules of pilots", () => {
  it("an account and a pool in one rule are refused, with the place", () => {
    const withRule = (rule: string) =>
      readStintYaml(
        "sites:\n  - name: w\n    type: slurm\n" +
          `    pilots: { max: 1, procs: 1, wallTime: 1h, identity: { rules: [{ ${rule} }] } }`,
        { folder: "/", fileState: () => "readable" },
      ).problems.filter(({ code }) => code === "wordsExclude");
    expect(withRule("account: cms1, pool: [cms2]")).toMatchObject([
      { line: 4, what: expect.stringContaining("account cms1 and pool are given in one mapping rule") },
    ]);
    expect([...withRule("account: cms1"), ...withRule("pool: [cms2]")]).toEqual([]);
  });
});

describe("stores and links", () => {
  it("stores and links are read in bytes and bytes per second", () => {
    const words =
      "stores: { scratch: { size: 200G }, home: { size: 1.5TB, unit: 100GB } }, " +
      "links: { uplink: { rate: 1Gbit/s }, slow: { rate: 7B/s, unit: 8bit/s } }";
    expect(settingsOf(words)).toMatchObject({ stores: STORES, links: LINKS });
    expect(settingsOf("seed: 1")).not.toHaveProperty("stores");
  });

  it("written stores and links read back the same", () => {
    const offer = { procs: 4, memoryBytes: 0, discipline: "easy", defaultWallTimeMs: 1 } as const;
    const written = writtenSettings({ type: "managed", ...offer, stores: STORES, links: LINKS });
    const words = written
      .filter(([word]) => word === "stores" || word === "links")
      .map(([word, value]) => `${word}: ${JSON.stringify(value)}`)
      .join(", ");
    expect(settingsOf(words)).toMatchObject({ stores: STORES, links: LINKS });
  });

  it("applications are read, and written they read back the same", () => {
    const solver = {
      ...{ modules: ["gnu/12", "solver"], init: "/etc/lmod.sh", path: ["/opt/bin"] },
      ...{ environment: { X: "1 2" }, launcher: ["mpirun", "-n", "4"], container: "/i.sif" },
    };
    const applications = { solver, "plain+1": {} };
    const offer = { procs: 4, memoryBytes: 0, discipline: "easy", defaultWallTimeMs: 1 } as const;
    const [, value] =
      writtenSettings({ type: "managed", ...offer, applications }).find(
        ([word]) => word === "applications",
      ) ?? [];
    expect(settingsOf(`applications: ${JSON.stringify(value)}`)).toMatchObject({ applications });
    expect(settingsOf("applications: { a: { modules: one } }")).toMatchObject({
      applications: { a: { modules: ["one"] } },
    });
  });

  it("attributes of ads are read as expressions, and written they read back the same", () => {
    const ads = { GlueHostBenchmarkSI00: "1200", Requirements: 'other.Name == "x"', Up: "true" };
    const offer = { procs: 4, memoryBytes: 0, discipline: "easy", defaultWallTimeMs: 1 } as const;
    const settings = writtenSettings({ type: "managed", ...offer, ads });
    const [, value] = settings.find(([word]) => word === "ads") ?? [];
    expect(settingsOf(`ads: ${JSON.stringify(value)}`)).toMatchObject({ ads });
    expect(settingsOf("ads: { GlueHostBenchmarkSI00: 1200, Up: true }")).toMatchObject({
      ads: { GlueHostBenchmarkSI00: "1200", Up: "true" },
    });
  });

  it.each([
    [
      "stores: { scratch: { size: 200 GB } }, links: { scratch: { rate: 1Gbit/s } }",
      '"scratch" is a store and a link',
    ],
    ["stores: { scratch: { size: 0 } }", '"0" is no size'],
    ["stores: { scratch: { unit: 1T } }", "stores.scratch.size is missing"],
    ["stores: { scratch: { size: 100Mbit/s } }", '"100Mbit/s" is no size'],
    ["links: { uplink: { rate: 100G } }", '"100G" is no rate'],
    ["links: { uplink: { rate: 0Gbit/s } }", '"0Gbit/s" is no rate'],
    ["links: { -x: { rate: 1Gbit/s } }", '"-x" is no name for this'],
    ["links: uplink", "links"],
    ["ads: { A: '1 +' }", "attribute A of the ads"],
    ["ads: { 'a b': 1 }", '"a b" is no name of an attribute'],
    ["applications: { 'a b': {} }", '"a b" is no name of an application'],
    ["applications: { a: { path: bin } }", '"bin" is no absolute path'],
    ["applications: { a: { environment: { 1X: y } } }", '"1X" is no name of a variable'],
  ])("%s is a problem", (words, told) => {
    const { problems } = read(words);
    expect(problems.map(({ what }) => what).join("; ")).toContain(told);
  });
});
