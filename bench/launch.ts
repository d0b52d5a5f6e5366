/**
 * `npx tsx bench/launch.ts`: from launch() to the process running, beside a bare spawn in the same run.
 *
 * Three instants of a launch, one job at a time: launch() resolves, the program runs (by its own report's
 * clock), the report is here. The references are a bare spawn of the same program, and a bare start of
 * Node, which is what a wrapper cannot be faster than.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import type { ManagedSite } from "../src/runtime/index.ts";
import { openManagedSite } from "../src/sites/managed/index.ts";
import { ReportInbox } from "../test/conformance/report-inbox.ts";

const ROUNDS = 60;
const BUDGET_MS = 100;
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1];

async function bareSpawnMs(command: string, words: readonly string[]): Promise<number> {
  const beganAt = performance.now();
  await once(spawn(command, words, { stdio: "ignore" }), "exit");
  return performance.now() - beganAt;
}

interface Launched {
  readonly resolvedMs: number;
  readonly runningMs: number;
  readonly reportedMs: number;
  readonly endedMs: number;
}

async function launchOnce(site: ManagedSite, inbox: ReportInbox, token: string): Promise<Launched> {
  const beganAt = performance.now();
  const beganAtMs = performance.timeOrigin + beganAt;
  const streams = { stdOutput: "out", stdError: "err" };
  const job = { token, command: ["/bin/true"], environment: {}, limitMs: 60_000, inputFiles: [], ...streams };
  await site.launch(job);
  const resolvedMs = performance.now() - beganAt;
  const running = await inbox.until(token, "running");
  const reportedMs = performance.now() - beganAt;
  await inbox.ended(token);
  const endedMs = performance.now() - beganAt;
  return { resolvedMs, runningMs: running.atMs - beganAtMs, reportedMs, endedMs };
}

const directory = mkdtempSync(join(tmpdir(), "stint-bench-launch-"));
try {
  const site = await openManagedSite({ name: "bench", directory });
  const inbox = new ReportInbox(site);
  const launched: Launched[] = [];
  const bare: number[] = [];
  const node: number[] = [];
  for (let round = -3; round < ROUNDS; round++) {
    const figures = await launchOnce(site, inbox, `${round + 3}/1`);
    const spawnMs = await bareSpawnMs("/bin/true", []);
    const nodeMs = await bareSpawnMs(process.execPath, ["-e", "0"]);
    if (round < 0) continue;
    launched.push(figures);
    bare.push(spawnMs);
    node.push(nodeMs);
  }
  await site.close();
  const ours = (of: keyof Launched): number => median(launched.map((it) => it[of]));
  const say = (what: string, ms: number, more = ""): void =>
    console.log(`${what.padEnd(44)} ${ms.toFixed(1).padStart(7)} ms${more}`);
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, median of ${ROUNDS}\n`);
  say("launch() resolves", ours("resolvedMs"));
  const verdict = ours("runningMs") <= BUDGET_MS ? "within" : "OVER";
  const ratio = (ours("runningMs") / median(node)).toFixed(2);
  say("launch() → the process runs", ours("runningMs"), `  ${verdict} ${BUDGET_MS} ms; ${ratio} × node -e 0`);
  say('launch() → "running" is reported', ours("reportedMs"));
  say('launch() → "ended" of /bin/true is reported', ours("endedMs"));
  say("bare spawn of /bin/true, to its exit", median(bare));
  say("bare start of Node, to its exit", median(node));
  if (verdict === "OVER") process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
