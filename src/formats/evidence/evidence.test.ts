import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Schema, schemaJudge } from "../../../test/json-schema.ts";
import type { UseRecord } from "../../policy/index.ts";
import { VERIFY_DEFAULTS } from "../../policy/index.ts";
import type { JsonObject } from "../../runtime/index.ts";
import { type Bundle, bundleText } from "./bundle.ts";
import { shapeMisfit } from "./bundle-shape.ts";
import { consumerOf, NO_OWNERS, type Owners, readOwners, readOwnersFile, userName } from "./owners.ts";
import { alterationsOf, readBundleFile, type SealedBundle } from "./read-bundle.ts";
import { readSacctAccounting } from "./sacct-accounting.ts";
import { readSwfAccounting } from "./swf-accounting.ts";

const folder = mkdtempSync(join(tmpdir(), "stint-evidence-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("owners", () => {
  it("FO-97 users count first, then groups, then others", () => {
    const text = "users: { 12: cms/higgs/alice, bob: atlas }\ngroups: { 3: cms }\nothers: guests\n";
    const { owners, problems } = readOwners(text);
    expect(problems).toEqual([]);
    const of = (user: string | null, group: string | null) =>
      consumerOf(owners, { user, group }, () => "somebody");
    expect([of("12", "3"), of("bob", null), of("13", "3"), of("13", "4"), of(null, null)]).toEqual([
      ...["cms/higgs/alice", "atlas", "cms/u13", "guests/u13", "guests/unknown"],
    ]);
    expect(consumerOf(NO_OWNERS, { user: "7", group: null }, ({ user }) => userName(user))).toBe("u7");
    expect(userName("-a b")).toBe("_-a_b");
  });

  it("FO-97 all problems are reported together, with their positions", async () => {
    const { problems } = readOwners("users: { 1: 'a b' }\ngroups: 7\nuser: x\nothers: []\n");
    expect(problems.map(({ line, code }) => [line, code])).toEqual([
      [1, "badName"],
      [2, "wrongType"],
      [3, "wordUnknown"],
      [4, "wrongType"],
    ]);
    const file = fileOf("bad.yaml", "users: 3\n");
    await expect(readOwnersFile(file)).rejects.toMatchObject({ errors: [{ code: "wrongType" }] });
    await expect(readOwnersFile(join(folder, "none"))).rejects.toBeInstanceOf(AggregateError);
  });
});

describe("a recorded workload as an accounting", () => {
  const owners: Owners = { ...NO_OWNERS, users: new Map([["1", "vo0"]]) };
  const read = (rows: readonly string[]) =>
    readSwfAccounting(fileOf("w.swf", `; MaxProcs: 64\n; UnixStartTime: 1000\n${rows.join("\n")}\n`), {
      ...{ owners, lenient: false },
    });

  it("FO-98 waits and runs are as recorded; allocated amounts count", async () => {
    const { records, procs, told, remarks, sha256 } = await read([
      "1 10 5 20 4 -1 -1 8 60 -1 1 1 2 -1 -1 -1 -1 -1",
      "2 10 3 -1 -1 -1 -1 8 60 -1 5 7 2 -1 -1 -1 -1 -1",
      "2 50 0 10 2 -1 -1 2 60 -1 0 7 2 -1 -1 -1 -1 -1",
    ]);
    expect(records).toEqual([
      {
        ...{ id: "1", consumer: "vo0", need: { cpu: 4 }, submittedAtMs: 1_010_000, endedAtMs: 1_035_000 },
        ...{
          waits: [{ fromMs: 1_010_000, toMs: 1_015_000 }],
          runs: [{ fromMs: 1_015_000, toMs: 1_035_000 }],
        },
        outcome: "completed",
      },
      {
        ...{ id: "2", consumer: "u7", need: { cpu: 8 }, submittedAtMs: 1_010_000, endedAtMs: 1_013_000 },
        ...{ waits: [{ fromMs: 1_010_000, toMs: 1_013_000 }], runs: [], outcome: "cancelled" },
      },
      {
        ...{ id: "2#2", consumer: "u7", need: { cpu: 2 }, submittedAtMs: 1_050_000, endedAtMs: 1_060_000 },
        ...{ waits: [], runs: [{ fromMs: 1_050_000, toMs: 1_060_000 }], outcome: "failed" },
      },
    ]);
    expect({ procs, told, remarks }).toEqual({
      procs: 64,
      told: { fromMs: 1_010_000, toMs: 1_060_000 },
      remarks: [],
    });
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("FO-98 jobs that ran at an unknown time are reported; partial executions are skipped", async () => {
    const { records, remarks } = await read([
      "1 10 -1 20 4 -1 -1 8 60 -1 1 1 2 -1 -1 -1 -1 -1",
      "2 10 5 20 4 -1 -1 8 60 -1 3 1 2 -1 -1 -1 -1 -1",
      "3 10 5 20 -1 -1 -1 -1 60 -1 1 1 2 -1 -1 -1 -1 -1",
    ]);
    expect(records).toMatchObject([{ id: "1", waits: [], runs: [] }]);
    expect(remarks.map((remark) => Number(remark.split(" ")[0]))).toEqual([1, 1, 1]);
  });
});

describe("what sacct printed as an accounting", () => {
  const HEAD =
    "JobID|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|AllocCPUS|AllocTRES|NodeList|User|Account";
  const read = (rows: readonly string[], owners = NO_OWNERS) =>
    readSacctAccounting(fileOf("sacct.txt", `${[HEAD, ...rows].join("\n")}\n`), {
      ...{ owners, lenient: false, zone: "UTC" },
    });

  it("FO-98 waits are from when a job was eligible; amounts are of all resources", async () => {
    const { records } = await read([
      "17|100|150|200|300|100|60|COMPLETED|4|cpu=4,mem=8G,gres/gpu=2|n1|ada|physics",
      "18|100|Unknown|Unknown|Unknown|0|60|PENDING|4|||bob|physics",
      "19|100|100|Unknown|130|0|60|CANCELLED by 1|4|||bob|",
      "20|100|100|110|Unknown|40|60|RUNNING|4||n1|bob|physics",
    ]);
    expect(
      records.map(({ id, consumer, waits, runs, outcome }) => ({ id, consumer, waits, runs, outcome })),
    ).toEqual([
      {
        ...{ id: "17", consumer: "physics/ada", waits: [{ fromMs: 150_000, toMs: 200_000 }] },
        ...{ runs: [{ fromMs: 200_000, toMs: 300_000 }], outcome: "completed" },
      },
      { id: "18", consumer: "physics/bob", waits: [], runs: [], outcome: "unfinished" },
      {
        id: "19",
        consumer: "bob",
        waits: [{ fromMs: 100_000, toMs: 130_000 }],
        runs: [],
        outcome: "cancelled",
      },
      {
        ...{ id: "20", consumer: "physics/bob", waits: [{ fromMs: 100_000, toMs: 110_000 }] },
        ...{ runs: [{ fromMs: 110_000, toMs: null }], outcome: "unfinished" },
      },
    ]);
    expect(records[0].need).toEqual({ cpu: 4, gpu: 2, memory: 8 * 2 ** 30 });
  });

  it("FO-98 a requeued job is one job; a reused id is two jobs", async () => {
    const { records, remarks } = await read([
      "17|100|100|110|150|40|60|NODE_FAIL|4||n1|ada|physics",
      "17|150|150|170|200|20|60|COMPLETED|4||n2|ada|physics",
      "17|900|900|900|950|50|60|FAILED|4||n2|ada|physics",
    ]);
    expect(records).toMatchObject([
      {
        id: "17",
        submittedAtMs: 100_000,
        runs: [
          { fromMs: 110_000, toMs: 150_000, isLost: true },
          { fromMs: 170_000, toMs: 200_000 },
        ],
        outcome: "completed",
      },
      { id: "17#2", outcome: "failed" },
    ]);
    // The second run was suspended for ten seconds.
    expect(remarks).toEqual([expect.stringMatching(/^1 jobs were suspended/)]);
  });
});

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
};
const canonical = (value: JsonObject): string => JSON.stringify(sorted(value));

const records: readonly UseRecord[] = ["a", "b", "c"].map((id, at) => ({
  ...{ id, consumer: "vo0", need: { cpu: 2 }, submittedAtMs: at, endedAtMs: null, outcome: "unfinished" },
  ...{ waits: [{ fromMs: at, toMs: at + 5 }], runs: [{ fromMs: at + 5, toMs: null, isLost: true }] },
}));
const bundle: Bundle = {
  place: "site1",
  period: { fromMs: 0, toMs: 100 },
  definitions: VERIFY_DEFAULTS,
  source: { kind: "swf", name: "w.swf", sha256: "0".repeat(64), policies: "file", remarks: ["one"] },
  policies: [
    {
      fromMs: null,
      policies: [
        {
          ...{ resource: "cpu", provider: "site1", consumer: "vo0" },
          epoch: { window: { kind: "sliding", lengthMs: 10 }, sharePpm: 200_000 },
          burst: { bucketMs: 5, sharePpm: 600_000 },
          ...{ rule: "entitlement", mode: "shared", carry: "forgive" },
        },
      ],
    },
  ],
  capacity: [{ fromMs: 0, amounts: { cpu: 64, memory: 1 } }],
  recorded: [{ fromMs: 0, toMs: 50 }],
  stopped: [{ fromMs: 10, toMs: 20, why: "drain" }],
  records,
  log: null,
};
const text = bundleText(bundle, canonical);
const NONE = "0".repeat(64);
const logWith = (event: string) => `"log":{"events":[${event}],"through":{"hash":"${NONE}","seq":1}}`;

async function alteredBy(change: (text: string) => string): Promise<readonly string[]> {
  const file = fileOf("altered.json", change(text));
  return alterationsOf(await readBundleFile(file), canonical);
}

describe("a bundle", () => {
  it("FO-100 the same evidence gives the same bytes, and reads back", async () => {
    const read = await readBundleFile(fileOf("b.json", text));
    expect(alterationsOf(read, canonical)).toEqual([]);
    expect(bundleText(read, canonical)).not.toBe("");
    const { hashes, ...back } = read;
    expect(bundleText({ ...back }, canonical)).toContain(hashes.seal);
    expect(records[1].id).toBe("b");
  });

  it("FO-100 the altered record or part is named", async () => {
    expect(await alteredBy((it) => it.replace('"id":"b"', '"id":"x"'))).toEqual(["record 2 (job x of vo0)"]);
    expect(await alteredBy((it) => it.replace("200000", "200001"))).toEqual(["the policies"]);
    expect(await alteredBy((it) => it.replace('"cpu":64', '"cpu":65'))).toEqual(["the capacity"]);
    expect(await alteredBy((it) => it.replace('"toMs":50', '"toMs":100'))).toEqual([
      "the stretches that are recorded",
    ]);
  });

  it("FO-100 a missing record, and a partly recomputed seal, are named", async () => {
    const without = (it: string): string => {
      const parsed = JSON.parse(it) as SealedBundle;
      return canonical({ ...parsed, records: parsed.records.slice(0, 2) } as unknown as JsonObject);
    };
    expect(await alteredBy(without)).toEqual(["1 records that are missing at the end"]);
    const resealed = (it: string): string => {
      const { seal } = (JSON.parse(it) as SealedBundle).hashes;
      return it.replace(seal, "f".repeat(64));
    };
    expect(await alteredBy(resealed)).toEqual(["the seal"]);
  });

  it("FO-100 a truncated file, and one that is no bundle, are refused", async () => {
    const reading = (it: string) => readBundleFile(fileOf("other.json", it));
    await expect(reading(text.slice(0, 500))).rejects.toMatchObject({ code: "bundleTruncated" });
    await expect(reading("[]")).rejects.toMatchObject({ code: "bundleMalformed" });
    await expect(reading("providers: []")).rejects.toMatchObject({ code: "bundleMalformed" });
    const odd = reading(text.replace('"cpu":2', '"cpu":-2'));
    await expect(odd).rejects.toMatchObject({
      why: "the field /records/0/need/cpu is missing, unknown or has a wrong value",
    });
    await expect(readBundleFile(join(folder, "none.json"))).rejects.toMatchObject({ code: "fileNotFound" });
  });

  const root = resolve(import.meta.dirname, "../../..");
  const schema = JSON.parse(readFileSync(join(root, "docs/schemas/evidence.schema.json"), "utf8")) as Schema;
  const isValid = schemaJudge(schema);
  it.each([
    ["as it was made", (it: string) => it],
    ["a negative amount", (it: string) => it.replace('"cpu":2', '"cpu":-2')],
    ["no capacity", (it: string) => it.replace(/"capacity":\[[^\]]*\]/, '"capacity":[]')],
    ["an unknown member", (it: string) => it.replace('"log":', '"more":1,"log":')],
    ["a missing member", (it: string) => it.replace('"log":null,', "")],
    ["a share above the whole", (it: string) => it.replace("600000", "1600000")],
    [
      "a calendar window",
      (it: string) =>
        it.replace('{"kind":"sliding","lengthMs":10}', '{"kind":"fixed","offsetMs":0,"unit":"day"}'),
    ],
    ["a window of another kind", (it: string) => it.replace('"sliding"', '"rolling"')],
    ["an unknown outcome", (it: string) => it.replace('"unfinished"', '"lost"')],
    ["a fraction of a millisecond", (it: string) => it.replace('"fromMs":10,', '"fromMs":10.5,')],
    ["a hash that is none", (it: string) => it.replace('"sha256":"0', '"sha256":"x')],
    [
      "an event",
      (it: string) =>
        it.replace(
          '"log":null',
          logWith(`{"atMs":1,"body":{},"hash":"${NONE}","kind":"x","seq":1,"version":1}`),
        ),
    ],
    [
      "an event without a body",
      (it: string) =>
        it.replace('"log":null', logWith(`{"atMs":1,"hash":"${NONE}","kind":"x","seq":1,"version":1}`)),
    ],
  ])("FO-31 schema and reader agree on %s", (_, change) => {
    const value: unknown = JSON.parse(change(text));
    expect(shapeMisfit(value) === undefined).toBe(isValid(value));
  });
});
