import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { procsOf } from "../../stream/index.ts";
import { MOST_STREAM_BYTES, readStreamText, readStreamXml, readStreamYaml, streamForm } from "./index.ts";

const folder = resolve(import.meta.dirname, "../../../examples/streams");
const example = (name: string) => readFileSync(join(folder, name), "utf8");
const read = (text: string) => readStreamText(text, streamForm(text) ?? "stream YAML");

const yaml = (changes: Readonly<Record<string, string>> = {}) => {
  const lines = {
    ...{ name: "h1", executable: "{ path: analyse }", bandwidth: "{ min: 2MB/s }", storage: "{ min: 1GB }" },
    ...{ sources: "{ source: [{ href: a }] }", ...changes },
  };
  return `stream:\n${Object.entries(lines)
    .map(([word, said]) => `  ${word}: ${said}\n`)
    .join("")}`;
};
const codesOf = (text: string) =>
  read(text).problems.map(({ code, line, column }) => `${line}:${column} ${code}`);

describe("streams in YAML and XML", () => {
  it("FO-160 the same words in both are the same stream", () => {
    const [inYaml, inXml] = [readStreamYaml(example("ligo.yaml")), readStreamXml(example("ligo.xml"))];
    expect([inYaml.problems, inXml.problems]).toEqual([[], []]);
    expect(inXml.stream).toEqual(inYaml.stream);
    expect(inXml.stream).toMatchObject({
      ...{ name: "ligo-h1", weight: 3, weightStep: 1, weightPeriodMs: 600_000 },
      ...{ arguments: ["--channel", "H1"], processors: { count: 2, min: 2, max: 2, type: "x86_64" } },
      bandwidth: { minBytesPerSec: 2_000_000, maxBytesPerSec: 8_000_000 },
      storage: { minBytes: 20_000_000_000 },
      utility: { kind: "log", weight: 3, unitBytesPerSec: 1_000_000 },
      blocks: { sizeBytes: 256_000_000, ahead: 2, connections: 2 },
      processing: { ack: "line", trialMs: 30_000, rateHintBytesPerSec: 10_000_000 },
    });
  });

  it("FO-160 recognised by their content", () => {
    expect(["ligo.yaml", "ligo.xml", "pipeline.yaml"].map((name) => streamForm(example(name)))).toEqual([
      ...["stream YAML", "stream XML", "stream YAML"],
    ]);
    expect(streamForm("<streams/>")).toBeUndefined();
    expect(streamForm("executable: a\n")).toBeUndefined();
  });

  it("FO-160 a pipeline has the processors of its stages", () => {
    const { stream, problems } = readStreamYaml(example("pipeline.yaml"));
    expect(problems).toEqual([]);
    expect(stream && procsOf(stream)).toBe(3);
    expect(stream?.utility).toEqual({ kind: "sigmoid", weight: 1, unitBytesPerSec: 1_000_000, k: 2, x0: 5 });
  });
});

describe("streams that cannot be", () => {
  it.each([
    ["a weight of 0", { weight: "0" }, "7:11 badWeight"],
    ["no progress of the weight", { weightStep: "0" }, "7:15 badWeight"],
    ["a block as large as the storage", { blocks: "{ size: 1GB }" }, "7:19 blockTooLarge"],
    ["as many blocks as the storage", { blocks: "{ size: 250MB, connections: 4 }" }, "7:19 blockTooLarge"],
    [
      "a minimum above the maximum",
      { bandwidth: "{ min: 9, max: 8, unit: MB/s }" },
      "4:21 minimumAboveMaximum",
    ],
    ["less storage at most", { storage: "{ min: 9GB, max: 8GB }" }, "5:19 minimumAboveMaximum"],
    ["fewer processors at most", { processors: "{ count: 4, max: 2 }" }, "7:15 minimumAboveMaximum"],
    ["nothing at least", { bandwidth: "{ min: 0MB/s }" }, "4:21 minimumZero"],
    ["slow sources", { sources: "{ source: [{ href: a, rate: 1MB/s }] }" }, "4:21 sourcesTooSlow"],
    ["two ways to read", { sources: "{ source: [{ href: a, exec: b }] }" }, "6:40 sourceUnclear"],
    ["no way to read", { sources: "{ source: [{ rate: 3MB/s }] }" }, "6:23 sourceUnclear"],
    [
      "results appended to a server",
      { sink: "{ href: https://a.example/r, mode: append, storage: 1GB }" },
      "7:44 appendToServer",
    ],
    ["no source", { sources: "{ source: [] }" }, "6:22 sourceMissing"],
    ["a unit that is none", { bandwidth: "{ min: 2, unit: MB }" }, "4:21 notAmount"],
    ["an unknown word", { bandwith: "2MB/s" }, "7:3 wordUnknown"],
    ["a sigmoid without middle", { utility: "{ kind: sigmoid }" }, "7:12 middleMissing"],
    ["a prefix of no store", { sources: "{ source: [{ prefix: /data/run7- }] }" }, "6:33 prefixUnclear"],
    ["a generator of one", { sources: "{ source: [{ generator: a }] }" }, "6:36 counterMissing"],
    ["an empty exec", { sources: "{ source: [{ exec: '' }] }" }, "6:31 programMissing"],
    ["a program with a mirror", { sources: "{ source: [{ exec: a, mirror: b }] }" }, "6:42 mirrorMisplaced"],
    [
      "a checksum of a list",
      { sources: "{ source: [{ manifest: a, checksum: 'adler32:00000000' }] }" },
      "6:48 checksumMisplaced",
    ],
    [
      "a checksum of a file that grows",
      { sources: "{ source: [{ href: a, endless: true, checksum: 'adler32:00000000' }] }" },
      "6:59 checksumMisplaced",
    ],
    [
      "an end of what is complete",
      { sources: "{ source: [{ href: a, end: { silence: 1m } }] }" },
      "6:39 endMisplaced",
    ],
    [
      "requirements that end early",
      { processors: "{ requirements: 'other.Speed >' }" },
      "7:31 badRequirements",
    ],
    ["a sink of another protocol", { sink: "{ href: ftp://a, storage: 1MB }" }, "7:17 sinkUnclear"],
    [
      "results by bytes",
      { processing: "{ ack: bytes }", sink: "{ href: 'http://a/', storage: 1MB }" },
      "7:22 bytesWithSink",
    ],
    ["an open quote", { executable: '{ path: a, arguments: "\'b" }' }, "3:37 openQuote"],
  ])("FO-161 %s", (_, changes, expected) => {
    expect(codesOf(yaml(changes))).toEqual([expected]);
  });

  it("FO-161 two stages of one name, and stages by bytes", () => {
    const staged = (names: string) =>
      yaml().replace("executable: { path: analyse }", `pipeline: { ${names} }`);
    const two = (name: string) => `stage: [{ name: a, path: /a }, { name: ${name}, path: /b }]`;
    expect(codesOf(staged(two("b")))).toEqual([]);
    expect(codesOf(staged(two("a")))).toEqual(["3:54 sameStages"]);
    const byBytes = `${staged(two("b"))}  processing: { ack: bytes }\n`;
    expect(codesOf(byBytes)).toEqual(["7:22 bytesWithStages"]);
  });

  it("FO-161 nothing that runs", () => {
    const without = yaml().replace("  executable: { path: analyse }\n", "");
    expect(codesOf(without)).toEqual(["2:3 programMissing"]);
  });

  const xml = (inner: string, attributes = 'name="h1"') => `<stream ${attributes}>\n${inner}\n</stream>`;
  const whole =
    '<executable path="a"/><bandwidth min="2MB/s"/><storage min="1GB"/><sources><source href="a"/></sources>';

  it("FO-161 in XML with line and column", () => {
    expect(codesOf(xml(whole))).toEqual([]);
    expect(codesOf(xml(whole, 'name="h1" weight="0"'))).toEqual(["1:19 badWeight"]);
    expect(codesOf(xml(`${whole}\n<blocks size="2GB"/>`))).toEqual(["3:9 blockTooLarge"]);
    expect(codesOf(xml(`${whole}<storage min="1GB"/>`))).toEqual([expect.stringContaining("duplicateKey")]);
    expect(codesOf(xml(`${whole}<blocks>9</blocks>`))).toEqual([expect.stringContaining("strayText")]);
    expect(codesOf(xml(`${whole}<environment><x/></environment>`))).toEqual([
      expect.stringContaining("badEntry"),
    ]);
    expect(codesOf(xml(`${whole}<sink href="a">text</sink>`))).toEqual([
      expect.stringContaining("strayText"),
    ]);
    expect(codesOf(xml(whole.replace("<executable", "<program")))).toEqual([
      expect.stringContaining("wordUnknown"),
    ]);
  });

  it("FO-162 no document type, no entity, 64 levels, 10 MB", () => {
    const bomb =
      '<?xml version="1.0"?>\n<!DOCTYPE stream [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>\n' +
      '<stream name="&b;"/>';
    expect(streamForm(bomb)).toBe("stream XML");
    expect(codesOf(bomb)).toEqual(["2:1 xmlSyntax"]);
    expect(codesOf('<stream name="&b;"/>')).toEqual(["1:9 xmlSyntax"]);
    expect(codesOf(`<stream>${"<a>".repeat(64)}${"</a>".repeat(64)}</stream>`)).toEqual(["1:198 xmlSyntax"]);
    expect(codesOf("<stream><a></stream>")).toEqual(["1:12 xmlSyntax"]);
    expect(codesOf(`<stream>${" ".repeat(MOST_STREAM_BYTES)}</stream>`)).toEqual(["1:1 xmlSyntax"]);
  });
});
