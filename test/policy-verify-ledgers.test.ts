/**
 * What a broker's log and a cluster's accounting say of one cluster that has a queue of its own.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { verifyTools } from "../src/main/verify-policies.ts";
import { POLICY_DEFAULTS, type Policy, SLURM_DEFAULTS } from "../src/model/index.ts";
import { VIEWS, VIEWS_VERSION } from "../src/runtime/index.ts";
import { openSqliteLogbook } from "../src/store/index.ts";
import { capturedProgram } from "./captured-program.ts";
import { temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const program = capturedProgram({}, { verify: async () => verifyTools });
const verify = (...words: readonly string[]) => program.call("policy", "verify", ...words);

function put(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function value(...words: readonly string[]) {
  const { out, err } = await verify(...words, "-o", "json");
  expect(err).toBe("");
  return JSON.parse(out);
}

describe("two ledgers of one cluster that has a queue of its own", () => {
  const state = join(folder, "of-a-cluster");
  const at = (seconds: number) => seconds * 1000;
  const policy: Policy = {
    ...{ ...POLICY_DEFAULTS, resource: "cpu", provider: "west", consumer: "a", mode: "preempting" },
    epoch: { window: { kind: "sliding", lengthMs: at(100) }, sharePpm: 250_000 },
    burst: { bucketMs: at(5), sharePpm: 250_000 },
  };
  /** Of the cluster's ten processors somebody of `a` used eight for 80 of 100 seconds, past Stint. */
  const accounting = [
    "JobID|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|AllocCPUS|ReqCPUS|ReqMem|AllocTRES|" +
      "ReqTRES|NNodes|NodeList|Partition|User|Account",
    "1|1000|1000|1000|1080|80|5|COMPLETED|8|8||cpu=8|cpu=8|1|n1|main|ada|a",
  ];

  beforeAll(async () => {
    const views = { views: VIEWS, projection: VIEWS_VERSION };
    const logbook = await openSqliteLogbook({ directory: join(state, "log"), ...views });
    const spec = { ...SLURM_DEFAULTS, type: "slurm", procs: 10, memoryBytes: 0 };
    const events: readonly (readonly [string, number, object])[] = [
      ["siteAdded", 1000, { site: "west", spec }],
      ["policiesApplied", 1000, { version: 1, effectiveFromMs: 0, by: "ada", note: "", policies: [policy] }],
      ["siteDrained", 1100, { site: "west", by: "ada" }],
    ];
    await logbook.commit({
      events: events.map(([kind, seconds, body]) => ({
        ...{ kind, version: 1, atMs: at(seconds), body: JSON.parse(JSON.stringify(body)) },
      })),
      changes: [],
    });
    await logbook.close();
  });

  it("the log, which has nobody else's jobs, does not say that what they used was nothing", async () => {
    const found = await value("--state-dir", state);
    const [a] = found.consumers;
    expect([found.verdict, a.verdict]).toEqual(["unknown", "unknown"]);
    expect(found.gaps).toHaveLength(1);
    const { out } = await verify("--state-dir", state);
    expect(out).toContain("what others used there is in no log of Stint");
    expect(out).not.toMatch(/kept/);
  });

  it("the accounting says what it was", async () => {
    const policies = put("west.policy.yaml", "CPU, west, a, (100, 25), (5, 25)\n");
    const source = ["--policies", policies, "--sacct", put("west.txt", `${accounting.join("\n")}\n`)];
    const period = [
      "--procs",
      "10",
      "--zone",
      "UTC",
      "--from",
      "1000",
      "--to",
      "1100",
      "--recorded",
      "1000/1100",
    ];
    const found = await value(...source, ...period);
    expect(found.consumers).toMatchObject([{ consumer: "a", used: 0.64, verdict: "violated" }]);
  });
});
