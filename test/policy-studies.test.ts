/** A running broker answers from its log whom policies would have affected, and whether they were kept. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, type StintClient } from "../src/api/client/index.ts";
import { policyStudies } from "../src/main/policy-studies.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const state = join(folder, "state");
let broker: LiveBroker;
let admin: StintClient;
const open: StintClient[] = [];

async function clientOf(role: "user" | "auditor", consumer: string): Promise<StintClient> {
  const { token } = await admin.createToken({ role, consumer, label: consumer });
  const client = createClient({ url: broker.url, token });
  open.push(client);
  return client;
}

beforeAll(async () => {
  const config = join(folder, "stint.yaml");
  writeFileSync(config, "sites:\n  - { name: here, type: managed, procs: 2 }\n");
  broker = await startLiveBroker(state, ["--config", config]);
  admin = createClient({ socketPath: join(state, "stint.sock") });
  open.push(admin);
  const file = join(folder, "now.policy.yaml");
  const shares = ["CPU, here, cms, (1,10), (1,50)", "CPU, here, atlas, (3600,90)"];
  writeFileSync(file, shares.map((line) => `- ${line}\n`).join(""));
  expect(stint(["policy", "apply", file], folder, broker.environment).code).toBe(0);
  const [cms, atlas] = [await clientOf("user", "cms/ann"), await clientOf("user", "atlas/bob")];
  const job = { executable: "sleep", arguments: ["1"], procs: 2, wallTimeSec: 60 };
  const ids: string[] = [];
  for (const client of [cms, cms, cms, atlas]) {
    const { ids: its } = await client.call("submitJobs", { body: job });
    ids.push(...its);
  }
  expect(stint(["wait", ...ids], folder, broker.environment).code).toBe(0);
});

afterAll(async () => {
  for (const client of open) client.close();
  if (broker?.isUp()) await broker.end("SIGTERM");
});

const narrow = "CPU, here, cms, (3600,50), (60,50)\nCPU, here, atlas, (3600,50)\n";
const trial = { site: "here", text: narrow, since: "2026-01-01T00:00:00Z" };

it("a trial tells who would never have started, and who would have waited less", async () => {
  const auditor = await clientOf("auditor", "audit");
  const { consumers, jobs, procs, baseline, notes, ...rest } = await auditor.call("tryPolicies", {
    body: trial,
  });
  expect({ jobs, procs, ...rest }).toMatchObject({ site: "here", jobs: 4, procs: 2, estimates: "requested" });
  // Starts of processes take time on a busy machine.
  expect(baseline.p95ErrorSec).toBeLessThan(10);
  const [cms, atlas] = ["cms", "atlas"].map((name) => consumers.find(({ consumer }) => consumer === name));
  // Two processors at once are more than half of the site.
  expect(cms).toMatchObject({ jobs: 0, neverStarted: 3 });
  expect(atlas).toMatchObject({ jobs: 1, neverStarted: 0, waitChangedSec: 0 });
  expect(atlas?.waitTodaySec).toBeGreaterThan(1);
  expect(notes).toEqual([
    "the enforcer of here only watches: today was played without policies, the change as enforced",
  ]);
});

it("a trial of no policies at all, at an enforcer that only watches, changes nobody", async () => {
  const { consumers } = await admin.call("tryPolicies", { body: { ...trial, text: "[]" } });
  expect(consumers.map(({ jobs }) => jobs).sort()).toEqual([1, 3]);
  for (const { waitTodaySec, waitChangedSec } of consumers) expect(waitChangedSec).toBe(waitTodaySec);
});

it("a wrong text is refused at its place, and a period without jobs is told", async () => {
  const wrong = admin.call("tryPolicies", { body: { ...trial, text: "CPU, here, cms, (3600,500)\n" } });
  await expect(wrong).rejects.toMatchObject({ code: "invalidRequest" });
  const before = { since: "2025-01-01T00:00:00Z", until: "2025-02-01T00:00:00Z" };
  const nothing = admin.call("tryPolicies", { body: { ...trial, ...before } });
  await expect(nothing).rejects.toMatchObject({ code: "nothingRan" });
});

it("a verification says whose burst was violated", async () => {
  const told = await admin.call("verifyPolicies", { params: { name: "here" } });
  const { verdict, consumers, head, seal } = told;
  expect({ verdict, site: told.site }).toEqual({ verdict: "violated", site: "here" });
  const cms = consumers.find(({ consumer }) => consumer === "cms");
  expect(cms?.violated).toContain("burst");
  expect(cms?.when.aboveBurst.count).toBeGreaterThan(0);
  expect(head?.seq).toBeGreaterThan(10);
  expect(seal).toMatch(/^[0-9a-f]{64}$/);
});

it("a user sees the verification of the own consumer, and no trial", async () => {
  const bob = await clientOf("user", "atlas/bob");
  const { consumers } = await bob.call("verifyPolicies", { params: { name: "here" } });
  expect(consumers.map(({ consumer }) => consumer)).toEqual([]);
  await expect(bob.call("tryPolicies", { body: trial })).rejects.toMatchObject({ code: "notAllowed" });
  const atlas = await clientOf("user", "atlas");
  const seen = await atlas.call("verifyPolicies", { params: { name: "here" } });
  expect(seen.consumers.map(({ consumer }) => consumer)).toEqual(["atlas"]);
});

it("a study that takes too long ends, and too many are refused", async () => {
  const bounded = policyStudies(state, { longestMs: 1, mostMib: 512, mostAtOnce: 2 });
  const asked = [1, 2, 3].map(() => bounded.verifyLog({ site: "here" }));
  const answers = await Promise.allSettled(asked);
  expect(answers.map((it) => it.status === "rejected" && it.reason.code)).toEqual([
    "studyTooLong",
    "studyTooLong",
    "tooManyStudies",
  ]);
});
