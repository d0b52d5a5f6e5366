/**
 * `stint policy check`, `diff` and `admit`, without a broker; once as a program, else in this process.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { policiesToApply } from "../src/main/policies-to-apply.ts";
import { judgeRequests, readPolicySet } from "../src/main/policy-files.ts";
import { affectedBy } from "../src/sim/index.ts";
import { capturedProgram } from "./captured-program.ts";
import { stint as spawned, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const tools = async () => ({
  admit: judgeRequests,
  read: readPolicySet,
  holding: policiesToApply,
  against: affectedBy,
});
const stint = (...words: string[]) => capturedProgram({}, { policies: tools }).call(...words);
const DAY = 86_400;
let count = 0;

function written(text: string, name = `${count++}.policy.yaml`): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

interface Request {
  readonly consumer: string;
  readonly share: number;
  readonly startSec?: number;
  readonly durationSec?: number | null;
  readonly provider?: string;
}

async function judged(policies: string, requests: readonly Request[]) {
  const file = written(JSON.stringify(requests), `${count++}.json`);
  const { code, out, err } = await stint("policy", "admit", file, "--policies", policies, "-o", "json");
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out).items as { admitted: boolean; reason: string | null; message: string | null }[];
}
const reasons = async (policies: string, requests: readonly Request[]) =>
  (await judged(policies, requests)).map(({ admitted, reason }) => (admitted ? "admitted" : reason));

describe("stint policy admit", () => {
  const context = "examples/policies/daily.policy.yaml";

  it.each<[string, Request[], string[]]>([
    ["20 % for ever is accepted", [{ consumer: "a", share: 0.2 }], ["admitted"]],
    [
      "69 % for a short run is accepted",
      [{ consumer: "a", share: 0.69, startSec: 100, durationSec: 600 }],
      ["admitted"],
    ],
    [
      "four consumers at 25 % are accepted, a fifth is refused for capacity",
      ["a", "b", "c", "d", "e"].map((consumer) => ({ consumer, share: 0.25, durationSec: null })),
      ["admitted", "admitted", "admitted", "admitted", "capacity"],
    ],
    ["71 % is refused for burst", [{ consumer: "a", share: 0.71, durationSec: 1 }], ["burst"]],
    [
      "a third reservation of 30 % by one consumer is refused for burst by sum",
      [1, 2, 3].map(() => ({ consumer: "a", share: 0.3, startSec: 0, durationSec: 3600 })),
      ["admitted", "admitted", "burst"],
    ],
    ["50 % for half a day is accepted", [{ consumer: "a", share: 0.5, durationSec: DAY / 2 }], ["admitted"]],
    [
      "50 % for 100 ms longer is refused for epoch",
      [{ consumer: "a", share: 0.5, durationSec: DAY / 2 + 0.1 }],
      ["epoch"],
    ],
    [
      "50 % for a quarter day twice in one window is accepted, the second 1 ms longer is refused",
      [
        { consumer: "a", share: 0.5, startSec: 0, durationSec: DAY / 4 },
        { consumer: "a", share: 0.5, startSec: DAY / 2, durationSec: DAY / 4 + 0.001 },
        { consumer: "a", share: 0.5, startSec: DAY / 2, durationSec: DAY / 4 },
      ],
      ["admitted", "epoch", "admitted"],
    ],
    ["who has no policy is told so", [{ consumer: "z", share: 0.1, durationSec: 60 }], ["noPolicy"]],
    [
      "a very long time is for ever",
      [
        { consumer: "a", share: 0.25, durationSec: 1e300 },
        { consumer: "a", share: 0.000001, startSec: 1e11, durationSec: 1 },
      ],
      ["admitted", "epoch"],
    ],
  ])("%s", async (_, requests, expected) => {
    expect(await reasons(context, requests)).toEqual(expected);
  });

  it("is exact where sums of doubles are not", async () => {
    const policies = written("CPU, s, v, (10, 30), (1, 30)\nCPU, s, w, (0.7s, 10%)");
    expect(
      await reasons(policies, [
        { consumer: "v", share: 0.1 },
        { consumer: "v", share: 0.2 },
        { consumer: "v", share: 1e-18, durationSec: 1 },
        { consumer: "w", share: 0.7, startSec: 0.1, durationSec: 0.1 },
        { consumer: "w", share: 0.7, startSec: 0.2, durationSec: 1e-15 },
      ]),
    ).toEqual(["admitted", "admitted", "burst", "admitted", "epoch"]);
  });

  it("says level, limit, what it would be, from when, and the same in words", async () => {
    const groups = written("CPU, s, vo, (1h, 50%), (5, 60)\nCPU, vo, g, (1h, 50%)");
    expect(
      await judged(groups, [
        { consumer: "vo/g/ada", share: 0.5, startSec: 7, durationSec: 1801.8 },
        { consumer: "g", share: 0.61, startSec: 0, durationSec: 1 },
      ]),
    ).toEqual([
      {
        ...{ admitted: false, reason: "epoch", provider: "s", consumer: "vo/g/ada", resource: "cpu" },
        ...{ share: 0.5, startSec: 7, durationSec: 1801.8, level: "vo/g", limit: 0.25 },
        ...{ wouldBe: 0.25025, fromSec: 1807 },
        message: "vo/g would use 25.025 % of any 1h from 1807 s; its epoch share is 25 %",
      },
      {
        ...{ admitted: false, reason: "burst", provider: "s", consumer: "g", resource: "cpu" },
        ...{ share: 0.61, startSec: 0, durationSec: 1, level: "vo", limit: 0.6, wouldBe: 0.61, fromSec: 0 },
        message: "vo would use 61 % from 0 s; its burst share is 60 %",
      },
    ]);
  });

  it("of several sites a request names one, and each is judged by itself", async () => {
    const two = written("CPU, s, v, (1h, 20)\nCPU, t, v, (1h, 40)");
    const at = (provider: string) => ({ provider, consumer: "v", share: 0.4 });
    expect(await reasons(two, [at("s"), at("t"), at("t")])).toEqual(["epoch", "admitted", "epoch"]);
    const file = written(
      '[{ "consumer": "v", "share": 0.1 }, { "consumer": "v", "share": 1, "provider": "u" }]',
    );
    const { code, err } = await stint("policy", "admit", file, "--policies", two);
    expect(code).toBe(2);
    expect(err).toContain(`${file}: [0]: it does not say at which site`);
    expect(err).toContain(`${file}: [1]: there is no site u`);
  });

  it("writes tables and CSV, and exits well whatever the verdicts", async () => {
    const { code, out } = await stint(
      "policy",
      "admit",
      "examples/policies/requests.json",
      "--policies",
      context,
    );
    expect(code).toBe(0);
    expect(out).toMatch(/CONSUMER +SHARE +START +LENGTH +VERDICT/);
    expect(out).toMatch(/c +71% +7200 s +1s +burst +c would use 71 % from 7200 s; its burst share is 70 %/);
    const words = ["policy", "admit", "examples/policies/requests.json", "--policies", context, "-o", "csv"];
    const csv = spawned(words).out;
    expect(csv.split("\r\n")[1]).toBe("true,,site1,a,cpu,0.2,0,,,,,,");
  });

  it("tells everything that is wrong with the requests", async () => {
    const wrong = [
      ['[{ "share": 0.1 }]', "[0].consumer is missing"],
      ['[{ "consumer": "a", "share": 0 }]', "[0].share cannot be"],
      ['[{ "consumer": "a", "share": 0.1, "durationSec": -1 }]', "[0].durationSec cannot be"],
      ['[{ "consumer": "a", "share": "20%" }, 7]', "[1] is no request"],
      ['{ "consumer": "a" }', "requests are a list"],
      ["[{", "this is not JSON"],
    ];
    for (const [text, told] of wrong) {
      const { code, err } = await stint("policy", "admit", written(text), "--policies", context);
      expect(code).toBe(2);
      expect(err).toContain(told);
    }
    expect((await stint("policy", "admit", join(folder, "none.json"), "--policies", context)).code).toBe(2);
  });

  it("judges by the policies that hold then", async () => {
    const dated = written(
      "- { provider: s, consumer: v, epoch: { interval: 1h, share: 20% }, until: 2026-07-01 }\n" +
        "- { provider: s, consumer: v, epoch: { interval: 1h, share: 40% }, from: 2026-07-01 }\n",
    );
    const file = written('[{ "consumer": "v", "share": 0.3 }]');
    const at = async (instant: string) =>
      (await stint("policy", "admit", file, "--policies", dated, "--at", instant, "-o", "name")).out;
    expect([await at("2026-06-30T23:59Z"), await at("2026-07-01T00:00Z")]).toEqual(["epoch\n", "admitted\n"]);
  });
});

describe("stint policy check", () => {
  it("shows what was understood, and who gives away too much", async () => {
    const file = written("CPU, s, a, (3600, 40)\nCPU, s, b, (3600, 80), (5, 90)\n");
    const { code, out, err } = await stint("policy", "check", file);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^PROVIDER +CONSUMER +RESOURCE +EPOCH +BURST +RULE$/m);
    expect(out).toMatch(/^s +b +cpu +80% of 1h +90%, by 5s +entitlement, shared, forgive$/m);
    expect(out).toContain("remark: s gives away 120% of its cpu; while all have work: a 40%, b 60%\n");
    const json = JSON.parse((await stint("policy", "check", file, "-o", "json")).out);
    expect(json).toMatchObject({
      ok: true,
      policies: [
        { file, line: 1, consumer: "a", epoch: { interval: "1h", share: "40%", window: "sliding" } },
        { file, line: 2, consumer: "b" },
      ],
      overProvisioned: [
        {
          ...{ resource: "cpu", provider: "s", sharePercent: 120, from: null },
          consumers: [
            { consumer: "a", sharePercent: 40, entitledPercent: 40 },
            { consumer: "b", sharePercent: 80, entitledPercent: 60 },
          ],
        },
      ],
      problems: [],
    });
  });

  it("rounded up to whole nodes is not too much; later dates are looked at", async () => {
    const nodes = written(
      "providers: [{ name: s, nodes: 7 }]\npolicies:\n" +
        "  - [cpu, s, a, [1h, 3 nodes]]\n  - [cpu, s, b, [1h, 4 nodes]]\n" +
        "  - { provider: s, consumer: c, epoch: { interval: 1h, share: 10% }, from: 2999-01-01 }\n",
    );
    expect(
      JSON.parse((await stint("policy", "check", nodes, "-o", "json")).out).overProvisioned,
    ).toMatchObject([{ from: "2999-01-01T00:00:00.000Z", sharePercent: 110.0001 }]);
  });

  it("tells every problem of every file with its place, and what is fine all the same", async () => {
    const bad = written("CPU, s, a, (3600, 40), (5, 30)\nCPU, s, b, (0, 10)\nCPU, s, c, (1, 5)\n");
    const other = written("- provider: s\n  consumer: a\n  epoch: { interval: 1h, share: 20 }\n");
    const { code, out, err } = await stint("policy", "check", bad, other);
    expect(code).toBe(2);
    expect(out).toMatch(/^s +c +cpu +5% of 1s/m);
    for (const place of [`${bad}:1:`, `${bad}:2:`, `${other}:3:`]) expect(err).toContain(place);
    expect(err).toContain("it could be percent, a fraction, or processors");
    expect(err).toContain("write 20% if it is percent, or for instance 32 nodes");
    const json = JSON.parse((await stint("policy", "check", bad, other, "-o", "json")).out);
    expect(json.ok).toBe(false);
    expect(json.problems.map(({ code: it }: { code: string }) => it)).toEqual([
      "burstBelowEpoch",
      "notPositive",
      "shareWithoutUnit",
    ]);
  });

  it("has agreements in JSON, in the words of their files", async () => {
    const file = "examples/policies/agreement.policy.yaml";
    const { out } = await stint("policy", "check", file, "-o", "json");
    expect(JSON.parse(out).agreements).toMatchObject([
      {
        ...{ agreement: "west-atlas", provider: "west", consumer: "atlas", clock: "+01:00" },
        definitions: { capacity: { downtime: "excluded", drain: "counted" }, nodeFailure: "provider" },
        prices: { unitPrice: 1, penalty: 0.1 },
        validity: { from: "2025-12-31T23:00:00.000Z" },
        versions: [{ version: 1, until: "2026-06-30T23:00:00.000Z" }, { version: 2 }],
      },
    ]);
  });

  it("reads the examples", async () => {
    const files = ["source", "shares", "agreement", "daily"].map(
      (name) => `examples/policies/${name}.policy.yaml`,
    );
    for (const file of files) expect((await stint("policy", "check", file)).code).toBe(0);
    expect(
      (await stint("policy", "check", "examples/policies/shares.policy.yaml", "-o", "wide")).out,
    ).toContain("cms       cms/higgs  cpu       60% of 7d");
  });
});

describe("stint policy diff", () => {
  it("tells what came, went and changed, however it is written", async () => {
    const before = written("CPU, s, a, (3600, 40)\nCPU, s, b, (3600, 10)\nCPU, s, c, (1, 5)\n");
    const after = written(
      "- { provider: s, consumer: a, epoch: { interval: 1h, share: 40.0% } }\n" +
        "- CPU, s, b, (1h, 20), (5, 50)\n- GPU, s, d, (1, 5)\n",
    );
    const { code, out } = await stint("policy", "diff", before, after);
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n").slice(1)).toEqual([
      expect.stringMatching(/^changed +s +b +cpu +10% of 1h → 20% of 1h +100%, by 1m → 50%, by 5s +/),
      expect.stringMatching(/^removed +s +c +cpu +5% of 1s/),
      expect.stringMatching(/^added +s +d +gpu +5% of 1s/),
    ]);
    expect(JSON.parse((await stint("policy", "diff", before, after, "-o", "json")).out).items).toMatchObject([
      {
        change: "changed",
        consumer: "b",
        before: { epoch: { share: "10%" } },
        after: { epoch: { share: "20%" } },
      },
      { change: "removed", after: null },
      { change: "added", resource: "gpu", before: null },
    ]);
    expect(await stint("policy", "diff", before, before)).toEqual({
      code: 0,
      out: "",
      err: "stint: the files have the same policies\n",
    });
    expect((await stint("policy", "diff", before, join(folder, "none"))).code).toBe(2);
  });

  it("each has help with examples, and completion knows them", async () => {
    for (const verb of ["check", "diff", "admit"]) {
      const { code, out } = await stint("policy", verb, "--help");
      expect(code).toBe(0);
      expect(out).toContain(`$ stint policy ${verb} `);
      expect((await stint("completion", "bash")).out).toContain(`policy ${verb}`);
    }
  });
});

describe("SI-84 policies against a recorded workload", () => {
  // Two users of a machine of four, each with half; two jobs each, at once, as they really ran.
  const TRACE = [
    "; MaxProcs: 4",
    "1 0 0 100 2 -1 -1 2 100 -1 1 1 1 -1 -1 -1 -1 -1",
    "2 0 0 100 2 -1 -1 2 100 -1 1 1 1 -1 -1 -1 -1 -1",
    "3 10 90 100 2 -1 -1 2 100 -1 1 2 1 -1 -1 -1 -1 -1",
  ].join("\n");
  const HALVES = "- (1) CPU, here, u1, (3600,50), (5,50)\n- (2) CPU, here, u2, (3600,50), (5,50)\n";

  it("tells how well today explains the record, then who waits longer and who less", async () => {
    const [trace, policies] = [written(`${TRACE}\n`, "trace.swf"), written(HALVES, "halves.policy.yaml")];
    const { code, out, err } = await stint("policy", "check", policies, "--against", trace);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^u1 +2 +0s +0s +50s +waits 50s longer/m);
    expect(out).toMatch(/^u2 +1 +1m30s +1m30s +0s +gains 1m30s/m);
    expect(out).toContain("3 jobs on 4 processors: starts under today's rules are off those recorded by 0s");
    const json = await stint("policy", "check", policies, "--against", trace, "-o", "json");
    expect(JSON.parse(json.out)).toMatchObject({
      ...{ site: "here", baseline: { medianErrorSec: 0 } },
      consumers: [{ waitRecordedSec: 0, waitChangedSec: 50 }, { waitTodaySec: 90 }],
    });
  });

  it("says that nothing is said where today is not explained", async () => {
    const late = TRACE.replace("3 10 90", "3 10 9000");
    const same = "- (1) CPU, here, u1, (3600,100), (5,100)\n- (2) CPU, here, u2, (3600,100), (5,100)\n";
    const [trace, policies] = [written(`${late}\n`, "late.swf"), written(same, "same.policy.yaml")];
    const { out } = await stint("policy", "check", policies, "--against", trace);
    expect(out).toMatch(/^u2 .* none/m);
  });

  it("takes a workload in JSON lines, and what sacct printed; other options are refused", async () => {
    const lines = [
      { pool: "all", procs: 4 },
      ...["a", "b"].map((job) => ({ job, submit: 0, recordedStart: 0, runtime: 100, procs: 2, user: "u1" })),
      { job: "c", submit: 10, recordedStart: 100, runtime: 100, procs: 2, user: "u2" },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const [record, policies] = [written(text, "record.workload.jsonl"), written(HALVES)];
    const { out } = await stint("policy", "check", policies, "--against", record);
    expect(out).toMatch(/^u1 +2 +0s +0s +50s +waits 50s longer/m);
    expect(out).toContain(
      "3 jobs on 4 processors of all: starts under today's rules are off those recorded by 0s",
    );
    const accounting = "examples/accounting.txt";
    const shares = written("- (1) CPU, here, physics, (3600,50), (5,50)\n");
    const period = ["--since", "2026-03-03", "--until", "2026-03-07", "--zone", "UTC"];
    const read = await stint("policy", "check", shares, "--against", accounting, ...period, "-o", "json");
    expect(JSON.parse(read.out)).toMatchObject({ record: { running: 5 }, pools: [{ name: "gpu" }, {}] });
    const refused = await stint("policy", "check", policies, "--against", record, "--zone", "UTC");
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("--zone has no effect here") });
  });

  it("refuses what means something for a workload alone, without one", async () => {
    const policies = written(HALVES, "alone.policy.yaml");
    for (const option of ["--owners", "--before"]) {
      const { code, err } = await stint("policy", "check", policies, option, policies);
      expect({ code, err }).toMatchObject({
        code: 2,
        err: expect.stringContaining(`${option} has no effect here`),
      });
    }
  });
});

describe("FO-86 a site and an organisation of one name", () => {
  const OWN = "providers: [local]\npolicies:\n  - (1) CPU, local, local, (3600,50), (5,60)\n";

  it("the site may give to it; what is below the name is the organisation's", async () => {
    const file = written(`${OWN}  - (2) CPU, local, local/ann, (3600,50), (5,100)\n`, "own.policy.yaml");
    const requests = written(
      '[{ "consumer": "local/ann", "share": 0.3 }, { "consumer": "local/bob", "share": 0.2 }]',
      "own.json",
    );
    const { out } = await stint("policy", "admit", requests, "--policies", file, "-o", "json");
    expect(JSON.parse(out).items).toMatchObject([
      { provider: "local", admitted: false, reason: "epoch", level: "local/ann" },
      { provider: "local", admitted: true },
    ]);
  });
});
