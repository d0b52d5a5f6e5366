/** Damaged files of attempts: each costs its own job and no other. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type LocalHarness, localHarness } from "../../../test/conformance/local-harness.ts";
import { ReportInbox } from "../../../test/conformance/report-inbox.ts";
import type { LaunchOrder, ManagedSite } from "../../runtime/index.ts";

let harness: LocalHarness;
let site: ManagedSite;
let inbox: ReportInbox;
beforeEach(async () => {
  harness = await localHarness({ pollMs: 50 });
  site = await harness.open();
  inbox = new ReportInbox(site);
});
afterEach(() => harness.dispose());

function order(token: string): LaunchOrder {
  const command = harness.command(token, { kind: "gated", code: 7 });
  const streams = { stdOutput: "stdout", stdError: "stderr" };
  return { token, command, environment: {}, limitMs: 3_600_000, inputFiles: [], ...streams };
}

async function run(token: string): Promise<void> {
  await site.launch(order(token));
  await inbox.until(token, "running");
}

/** Closes the site, damages files, and opens the site again. */
async function reopen(damage: () => void): Promise<void> {
  await site.close();
  damage();
  site = await harness.open();
  inbox = new ReportInbox(site);
}

const inJob = (token: string, name: string) => join(harness.directory, "jobs", token.replace("/", "_"), name);
const spoolOf = (token: string) => join(harness.directory, "spool", `${token.replace("/", "_")}.jsonl`);

/** Puts a directory in the place of a file, which is unreadable for any user. */
function putDirectory(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

it.each<[string, () => void]>([
  ["claim that is no JSON", () => writeFileSync(inJob("1/1", "claim.json"), "\0\0\0")],
  ["claim that is empty", () => writeFileSync(inJob("1/1", "claim.json"), "")],
  ["claim of nobody", () => writeFileSync(inJob("1/1", "claim.json"), '{"by":"magic"}')],
  ["claim in whose place is a directory", () => putDirectory(inJob("1/1", "claim.json"))],
  ["spool in whose place is a directory", () => putDirectory(spoolOf("1/1"))],
])("a %s: its job is ended and lost, told with the file; the other goes on", async (_, damage) => {
  await run("1/1");
  await run("2/1");
  await reopen(damage);
  const reports = await site.inventory(["1/1", "2/1"]);
  expect(reports).toMatchObject([
    { kind: "ended", token: "1/1" },
    { kind: "running", token: "2/1" },
  ]);
  const [lost] = reports;
  // The wrapper may have had the last word, when what it kept was ended.
  if (lost.kind === "ended" && lost.cause === "lost") {
    expect(lost.detail).toMatch(/^How the job went is not known: .*(claim\.json|\.jsonl)\) cannot be read: /);
  }
  await site.acknowledge("1/1");
  await site.launch(order("1/1"));
  expect(await harness.begun("1/1")).toBe(1);
  await harness.letGo("2/1");
  expect(await inbox.ended("2/1")).toMatchObject({ cause: "exited", exitCode: 7 });
  await expect.poll(() => harness.processes(), { timeout: 200_000 }).toEqual([]);
});

it("a spool of which no line can be understood: the job runs on, and its end is told", async () => {
  await run("1/1");
  await reopen(() => writeFileSync(spoolOf("1/1"), "no report\n"));
  expect(await site.inventory(["1/1"])).toMatchObject([{ kind: "running", token: "1/1" }]);
  await harness.letGo("1/1");
  expect(await inbox.ended("1/1")).toMatchObject({ cause: "exited", exitCode: 7 });
});

it("an order that cannot be read is never begun, and lost with the reason", async () => {
  await run("1/1");
  await harness.letGo("1/1");
  await inbox.ended("1/1");
  await reopen(() => {
    rmSync(inJob("1/1", "claim.json"));
    rmSync(spoolOf("1/1"));
    writeFileSync(inJob("1/1", "order.json"), "{");
  });
  expect(await site.inventory(["1/1"])).toMatchObject([{ kind: "ended", cause: "lost" }]);
  expect(await inbox.ended("1/1")).toMatchObject({ detail: expect.stringContaining("its order") });
  expect(await harness.begun("1/1")).toBe(1);
});

it("an end that says what cannot be is no report", async () => {
  await run("1/1");
  await reopen(() => {
    const bad = ['{"kind":"ended","atMs":1.5,"cause":"exited"}', '{"kind":"ended","atMs":1,"cause":"magic"}'];
    writeFileSync(
      spoolOf("1/1"),
      `${[...bad, '{"kind":"ended","atMs":1,"cause":"exited","exitCode":"x"}'].join("\n")}\n`,
    );
  });
  expect(await site.inventory(["1/1"])).toMatchObject([{ kind: "running" }]);
});

it("BR-9 an end that was acknowledged to a later log is told again to a restored one", async () => {
  await run("1/1");
  await harness.letGo("1/1");
  expect(await inbox.ended("1/1")).toMatchObject({ exitCode: 7 });
  await site.acknowledge("1/1");
  await reopen(() => undefined);
  await site.launch(order("1/1"));
  expect(await inbox.ended("1/1")).toMatchObject({ cause: "exited", exitCode: 7 });
  expect(await harness.begun("1/1")).toBe(1);
});
