/**
 * `stint policy verify` from every source, and the bundles that it makes and checks.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyTools } from "../src/main/verify-policies.ts";
import type { JsonObject } from "../src/runtime/index.ts";
import { VIEWS, VIEWS_VERSION } from "../src/runtime/index.ts";
import { openSqliteLogbook } from "../src/store/index.ts";
import { type Called, capturedProgram } from "./captured-program.ts";
import { hasSharedData, tracePath, withoutSharedData } from "./shared-data.ts";

const folder = mkdtempSync(join(tmpdir(), "stint-verify-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const examples = resolve(import.meta.dirname, "../examples");

function put(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const program = capturedProgram({}, { verify: async () => verifyTools });
const verify = (...words: readonly string[]): Promise<Called> => program.call("policy", "verify", ...words);

async function value(...words: readonly string[]) {
  const { out, err } = await verify(...words, "-o", "json");
  expect(err).toBe("");
  return JSON.parse(out);
}

/** Two VOs of the source on 100 processors; vo0 is over its burst, then over its epoch while vo1 waits. */
const POLICIES = put(
  "two.policy.yaml",
  "providers: [{ name: site1, procs: 100 }]\npolicies:\n" +
    "  - (1) CPU, site1, vo0, (60,20), (5,60)\n" +
    "  - { provider: site1, consumer: vo1, mode: preempting, epoch: { interval: 60s, share: 80% },\n" +
    "      burst: { interval: 5s, share: 90% } }\n",
);
const OWNERS = put("owners.yaml", "users: { 1: vo0 }\ngroups: { 20: vo1 }\n");
const ROWS = [
  "1 0 0 10 80 -1 -1 80 10 -1 1 1 10 -1 -1 -1 -1 -1",
  "2 20 0 20 30 -1 -1 30 60 -1 1 2 20 -1 -1 -1 -1 -1",
  "3 25 20 15 80 -1 -1 80 60 -1 1 2 20 -1 -1 -1 -1 -1",
  "4 25 0 30 50 -1 -1 50 60 -1 1 1 10 -1 -1 -1 -1 -1",
];
const swf = (name: string, rows: readonly string[]) => put(name, `; UnixStartTime: 0\n${rows.join("\n")}\n`);
const SWF = swf("two.swf", ROWS);
const SOURCE = ["--policies", POLICIES, "--swf", SWF, "--owners", OWNERS];

describe("stint policy verify, by accounting alone", () => {
  it("names period, verdict, source, definitions and gaps above a row a level", async () => {
    const { code, out } = await verify(...SOURCE, "--gap", "56/58", "--to", "120");
    expect(code).toBe(0);
    const lines = out.split("\n");
    expect(lines[0]).toBe("site1, 1970-01-01T00:00:00Z to 1970-01-01T00:02:00Z: violated");
    expect(lines[1]).toBe("source: two.swf (swf)");
    expect(lines[2]).toMatch(/^definitions: downtime counted; .* nothing up to 0% is a violation$/);
    expect(lines.filter((line) => line.startsWith("gap:"))).toEqual([
      "gap: nothing is known of 1970-01-01T00:00:56Z to 1970-01-01T00:00:58Z",
      "gap: nothing is known of 1970-01-01T00:01:00Z to 1970-01-01T00:02:00Z",
    ]);
    expect(lines.find((line) => line.startsWith("vo0"))).toMatch(/violated: burst, epoch/);
  });

  it("measures what was worked out by hand", async () => {
    const { consumers, totals } = await value(...SOURCE);
    // Of 6,000 processor-seconds: 20 · 10 s over the burst; 1,900 used of 1,200 by the epoch, from 33 s on.
    expect(consumers[0]).toMatchObject({ consumer: "vo0", aboveBurst: 0.033333333, aboveEpoch: 0.183333333 });
    // The job of 80 is a claim from 40 s, when 30 of its own have ended, to 45 s, when it starts.
    expect(consumers[0].aboveEpochContended).toBe(0.041666667);
    expect(consumers[1]).toMatchObject({ consumer: "vo1", notGiven: 0.066666667 });
    expect(totals[0].used).toBe(0.683333333);
  });

  it("ends with 1 where it is strict and not everything was kept, a gap included", async () => {
    const mild = put(
      "mild.policy.yaml",
      "providers: [{ name: s, procs: 100 }]\npolicies: ['CPU, s, vo0, (60,90)']\n",
    );
    const words = ["--policies", mild, "--swf", SWF, "--owners", OWNERS, "--strict"];
    expect((await verify(...words)).code).toBe(0);
    expect((await verify(...words, "--gap", "1/2")).code).toBe(1);
    expect((await verify(...SOURCE, "--strict")).code).toBe(1);
  });

  it("makes a page without scripts or network, a picture and a table a level", async () => {
    const { out } = await verify(...SOURCE, "--gap", "56/58", "-o", "html");
    expect(out).toMatch(/^<!doctype html>/);
    expect(out).not.toMatch(/<script|https?:|@import|src=/);
    expect(out.match(/<svg [^>]*role="img"/g)).toHaveLength(2);
    expect(out.match(/<caption>When/g)).toHaveLength(2);
    expect(out).toContain('fill="url(#hatch)"');
    // A violation is a thick mark below its panel.
    expect(out).toMatch(/<path [^>]*stroke-width="5"/);
    expect(out).toContain("@media print");
  });

  it("reads what sacct printed, and never guesses how large the site is", async () => {
    const policies = put(
      "sacct.policy.yaml",
      "- { provider: west, consumer: physics, epoch: { interval: 1d, share: 40% } }\n" +
        "- { provider: west, consumer: biology, epoch: { interval: 1d, share: 60% } }\n",
    );
    const words = ["--policies", policies, "--sacct", join(examples, "accounting.txt"), "--zone", "UTC"];
    expect(await verify(...words)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/how many processors west has/),
    });
    const { consumers, totals, jobs } = await value(...words, "--procs", "64");
    expect(consumers.map(({ consumer }: { consumer: string }) => consumer)).toEqual(["physics", "biology"]);
    expect(totals[0].used).toBeGreaterThan(0.05);
    expect(jobs.submitted).toBeGreaterThan(100);
    const sum = consumers[0].used + consumers[1].used;
    expect(sum).toBeLessThanOrEqual(totals[0].used + 1e-9);
  });

  it.skipIf(!hasSharedData)(`verifies a recorded year${withoutSharedData}`, async () => {
    const policies = put(
      "year.policy.yaml",
      "providers: [{ name: sdsc, procs: 128 }]\npolicies:\n" +
        "  - { provider: sdsc, consumer: odd, epoch: { interval: 1d, share: 50% } }\n" +
        "  - { provider: sdsc, consumer: even, epoch: { interval: 1d, share: 50% } }\n",
    );
    const users = Array.from(
      { length: 500 },
      (_, user) => `${user}: ${user % 2 === 0 ? "even" : "odd"}/u${user}`,
    );
    const owners = put("year.yaml", `users: { ${users.join(", ")} }\n`);
    const words = ["--policies", policies, "--swf", tracePath("SDSC-SP2"), "--owners", owners];
    const { totals, consumers, gaps } = await value(...words, "--from", "1999-03-01", "--to", "1999-06-01");
    expect(gaps).toEqual([]);
    expect(totals[0].used).toBeGreaterThan(0.5);
    expect(consumers[0].used + consumers[1].used).toBeCloseTo(totals[0].used, 8);
  });

  it.each([
    [["--swf", SWF], "no policies are named"],
    [["--policies", POLICIES], "nothing to verify is named"],
    [["--policies", POLICIES, "--swf", SWF, "--sacct", SWF], "several sources are named"],
    [["--policies", POLICIES, "--swf", SWF, "--site", "site2"], "no policy concerns the site site2"],
    [["--policies", POLICIES, "--swf", SWF, "--from", "soon"], '--from: "soon" is not clear'],
    [["--policies", POLICIES, "--swf", SWF, "--gap", "9/3"], '--gap: "9/3" is not clear'],
    [["--compare", "a.json"], "--compare is of two bundles"],
  ])("says what is wrong with %j", async (words, what) => {
    expect(await verify(...words)).toMatchObject({ code: 2, err: expect.stringContaining(what) });
  });
});

describe("bundles", () => {
  const bundle = join(folder, "ours.json");
  beforeAll(async () => {
    await verify(...SOURCE, "--bundle", bundle);
  });

  it.each(["table", "json", "csv", "html"])(
    "FO-100 a bundle gives the same report as its source: -o %s",
    async (form) => {
      const first = await verify(...SOURCE, "-o", form);
      expect(first.out.length).toBeGreaterThan(100);
      expect(await verify(bundle, "-o", form)).toEqual(first);
    },
  );

  it("FO-100 making a bundle again gives the same bytes", async () => {
    const again = join(folder, "again.json");
    await verify(...SOURCE, "--bundle", again);
    expect(readFileSync(again, "utf8")).toBe(readFileSync(bundle, "utf8"));
  });

  it("FO-100 one altered job is named", async () => {
    const altered = put("altered.json", readFileSync(bundle, "utf8").replace('"toMs":55000', '"toMs":54000'));
    const { code, err } = await verify(altered);
    expect(code).toBe(1);
    expect(err).toContain("altered.json was altered: record 4 (job 4 of vo0)");
  });

  it("FO-100 other policies than those it was made with, and another seal, are refused", async () => {
    const others = put("others.policy.yaml", readFileSync(POLICIES, "utf8").replace("(60,20)", "(60,30)"));
    const { code, err } = await verify(bundle, "--policies", others);
    expect({ code, err }).toEqual({
      code: 5,
      err: expect.stringContaining("cpu of site1 for vo0 is not so"),
    });
    expect((await verify(bundle, "--policies", POLICIES)).code).toBe(0);
    const { seal } = await value(bundle);
    expect((await verify(bundle, "--seal", seal.slice(0, 12))).code).toBe(0);
    expect(await verify(bundle, "--seal", "0123")).toMatchObject({ code: 1 });
  });

  it("lists in what two differ", async () => {
    const theirs = join(folder, "theirs.json");
    const rows = [ROWS[0], ROWS[1], ROWS[3].replace(" 30 50 ", " 29 50 ")];
    await verify(
      "--policies",
      POLICIES,
      "--swf",
      swf("theirs.swf", rows),
      "--owners",
      OWNERS,
      "--bundle",
      theirs,
    );
    const { items: listed } = await value("--compare", bundle, theirs);
    const names = listed.map(({ kind, of, what }: Record<string, string>) => `${kind} ${of} ${what}`.trim());
    expect(names.slice(0, 4)).toEqual(["period  period", "recorded  recorded", "job 3 job", "job 4 runs"]);
    expect(names).toContain("measure cpu vo1 used");
    expect((await verify("--compare", bundle, bundle)).out).toBe("The two bundles say the same.\n");
    expect((await verify("--compare", bundle, theirs, "--strict")).code).toBe(1);
  });
});

describe("stint policy verify, by a log", () => {
  const state = join(folder, "state");
  const bundle = join(folder, "log.json");
  const at = (seconds: number) => seconds * 1000;

  beforeAll(async () => {
    const views = { views: VIEWS, projection: VIEWS_VERSION };
    const logbook = await openSqliteLogbook({ directory: join(state, "log"), ...views });
    const spec = {
      type: "managed",
      procs: 10,
      memoryBytes: 1000,
      discipline: "fcfs",
      defaultWallTimeMs: 60_000,
    };
    const half = { window: { kind: "sliding", lengthMs: 60_000 }, sharePpm: 500_000 };
    const burst = { bucketMs: 5000, sharePpm: 600_000 };
    const policy = {
      resource: "cpu",
      provider: "here",
      epoch: half,
      burst,
      rule: "entitlement",
      carry: "forgive",
    };
    const job = (name: string, consumer: string, procs: number) => ({
      ...{ job: name, consumer, owner: "ada" },
      description: {
        ...{
          executable: "/bin/true",
          arguments: [],
          environment: {},
          stdOutput: "o",
          stdError: "e",
          userTags: {},
        },
        ...{ inputSandbox: [], outputSandbox: [], procs },
      },
    });
    const end = { cause: "exited", exitCode: 0, signal: null, cpuMs: null, detail: null };
    const events: readonly (readonly [string, number, object])[] = [
      ["siteAdded", 0, { site: "here", spec }],
      [
        ...(["policiesApplied", 0] as const),
        {
          ...{ version: 1, effectiveFromMs: 0, by: "ada", note: "" },
          policies: ["a", "b"].map((consumer) => ({ ...policy, consumer, mode: "preempting" })),
        },
      ],
      ["jobAccepted", 0, job("j1", "a/ada", 8)],
      ["jobPlaced", 0, { job: "j1", attempt: 1, site: "here" }],
      ["queueSettled", 0, { site: "here", starts: ["j1"] }],
      ["attemptRunning", 0, { job: "j1", attempt: 1 }],
      ["jobAccepted", 10, job("j2", "b/bob", 4)],
      ["jobPlaced", 10, { job: "j2", attempt: 1, site: "here" }],
      ["attemptEnded", 40, { job: "j1", attempt: 1, end }],
      ["queueSettled", 40, { site: "here", starts: ["j2"] }],
      ["attemptRunning", 40, { job: "j2", attempt: 1 }],
      ["attemptEnded", 50, { job: "j2", attempt: 1, end }],
      ["siteDrained", 100, { site: "here", by: "ada" }],
    ];
    await logbook.commit({
      events: events.map(([kind, seconds, body]) => ({
        ...{ kind, version: 1, atMs: at(seconds), body: body as JsonObject },
      })),
      changes: [],
    });
    await logbook.close();
  });

  it("takes policies, capacity and use from the log, up to its last event", async () => {
    const found = await value("--state-dir", state, "--to", "200", "--bundle", bundle);
    expect(found).toMatchObject({
      site: "here",
      source: { kind: "logbook", policies: "logbook" },
      head: { seq: 13 },
    });
    expect(found.gaps).toEqual([{ from: "1970-01-01T00:01:40.000Z", to: "1970-01-01T00:03:20.000Z" }]);
    const [a, b] = found.consumers;
    // Of 10 · 100: 8 · 40 used, 2 of them above a burst of 6; 30 s of 4 that b waited for.
    expect(a).toMatchObject({ consumer: "a", used: 0.32, aboveBurst: 0.08, violated: ["burst", "epoch"] });
    expect(b).toMatchObject({
      consumer: "b",
      used: 0.04,
      notGiven: 0.12,
      violated: ["given"],
      completedPart: 1,
    });
  });

  it("FO-100 a bundle of a log is verified without the log, with the same bytes", async () => {
    const first = await verify("--state-dir", state, "--to", "200", "-o", "json");
    expect(await verify(bundle, "-o", "json")).toEqual(first);
  });

  it("FO-100 an altered event is named, and so is a record that contradicts the events", async () => {
    const text = readFileSync(bundle, "utf8");
    const altered = put("event.json", text.replace('"atMs":10000', '"atMs":11000'));
    expect((await verify(altered)).err).toContain("altered: event 7 (jobAccepted)");
    const record = put("record.json", text.replace('"submittedAtMs":10000', '"submittedAtMs":10001'));
    const { err } = await verify(record);
    expect(err).toContain("record 2 (job j2 of b/bob); the records, which the events say otherwise");
  });

  it("a copy of the state directory under another name has the same seal", async () => {
    const copy = join(folder, "copy of the state");
    cpSync(state, copy, { recursive: true });
    const sealOf = async (directory: string) => (await value("--state-dir", directory, "--to", "200")).seal;
    expect(await sealOf(copy)).toBe(await sealOf(state));
  });

  it("csv says of what was promised to be given that it was not", async () => {
    const { out } = await verify("--state-dir", state, "--to", "200", "-o", "csv");
    expect(out.split("\n")[2]).toMatch(/^b,cpu,violated,notGiven,/);
  });

  it.each([
    [["--state-dir", folder], 2, "has no log"],
    [["--state-dir", state, "--gap", "1/2"], 2, "mean nothing with --state-dir"],
    [["--state-dir", state, "--site", "there"], 2, "no policy concerns the site there"],
  ])("says what is wrong with %j", async (words, code, what) => {
    expect(await verify(...words)).toMatchObject({ code, err: expect.stringContaining(what) });
  });
});
