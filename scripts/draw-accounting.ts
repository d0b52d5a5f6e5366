/**
 * Draws the accounting shipped as `examples/accounting.txt`: what sacct would print of a small site.
 *
 * No real site: jobs are drawn by chance and put through the simulator under EASY, with a while after each
 * in which its processors are cleaned up, of which accounting says nothing; and the result is written in the
 * form of `sacct -P`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom, drawExponential, drawFraction, drawInteger } from "../src/base/index.ts";
import { simulateFile } from "../src/sim/index.ts";

/** Monday, 2 March 2026. */
const FROM_SEC = Date.UTC(2026, 2, 2) / 1000;
const JOBS = 420;
const USERS = ["ada", "alan", "barbara", "edsger", "emmy", "grace", "kurt", "lise"] as const;
const USERS_BY_NAME: readonly string[] = USERS;
const ACCOUNTS = ["biology", "physics", "physics", "chemistry"] as const;
const LIMITS_MIN = [15, 30, 60, 120, 240, 480, 720] as const;
const POOLS = [
  { pool: "batch", procs: 64 },
  { pool: "gpu", procs: 16, gpus: 4 },
] as const;

interface Drawn {
  readonly job: string;
  readonly submit: number;
  /** Runtime including the clean-up of the processors. */
  readonly runtime: number;
  readonly cleaned: number;
  readonly limit: number;
  readonly procs: number;
  readonly gpus: number;
  readonly pools: readonly string[];
  readonly user: string;
}

const random = createRandom(1);
const drawn = drawJobs();
const startOf = await startsOf(drawn);
const head =
  "JobID|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|AllocCPUS|ReqCPUS|ReqMem|AllocTRES|" +
  "ReqTRES|NNodes|NodeList|Partition|User|Account";
const remark =
  "# No real site: drawn and simulated by scripts/draw-accounting.ts, in the form of sacct -P.\n";
const text = `${remark}${head}\n${drawn.map(rowOf).join("")}`;
writeFileSync(new URL("../examples/accounting.txt", import.meta.url), text);

function drawJobs(): readonly Drawn[] {
  let submit = 0;
  return Array.from({ length: JOBS }, (_, at): Drawn => {
    submit += Math.ceil(drawExponential(random, 1200));
    const gpus = drawFraction(random) < 0.2 ? drawInteger(random, 1, 2) : 0;
    const procs = gpus > 0 ? gpus * 2 : 2 ** drawInteger(random, 0, 5);
    const limitMin = LIMITS_MIN[drawInteger(random, 0, LIMITS_MIN.length - 1)] ?? 60;
    const cleaned = Math.round(drawExponential(random, 90));
    const runtime = cleaned + Math.max(20, Math.round(limitMin * 60 * drawFraction(random)));
    const pools = [gpus > 0 ? "gpu" : "batch"];
    const user = USERS[drawInteger(random, 0, USERS.length - 1)] ?? "ada";
    return {
      job: String(1000 + at),
      submit,
      runtime,
      cleaned,
      limit: limitMin * 60,
      procs,
      gpus,
      pools,
      user,
    };
  });
}

/** Starts of the jobs, in seconds. */
async function startsOf(jobs: readonly Drawn[]): Promise<ReadonlyMap<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), "stint-accounting-"));
  const trace = join(folder, "drawn.workload.jsonl");
  const jobsOut = join(folder, "jobs.csv");
  const lines = [...POOLS, ...jobs.map(({ cleaned: _, ...job }) => job)];
  writeFileSync(trace, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const rules = { discipline: "easy", estimates: "requested", overrun: "extend", lenient: false } as const;
  await simulateFile({ trace, ...rules, jobsOut }, { version: "example" });
  const rows = readFileSync(jobsOut, "utf8").trim().split("\n").slice(1);
  rmSync(folder, { recursive: true });
  const firstSec = jobs[0]?.submit ?? 0;
  return new Map(
    rows.map((row) => {
      const [job = "", , , start] = row.split(",");
      return [job, firstSec + Number(start)];
    }),
  );
}

function rowOf(drawnJob: Drawn, at: number): string {
  const { job, submit, limit, procs, gpus, pools, user } = drawnJob;
  const runtime = drawnJob.runtime - drawnJob.cleaned;
  const start = startOf.get(job) ?? submit;
  // Now and then somebody takes a job away while it waits, if it waits at all.
  const isWithdrawn = at % 40 === 39 && start - submit > 600;
  const end = isWithdrawn ? submit + 300 : start + runtime;
  const ofGpus = gpus > 0 ? `gres/gpu=${gpus},` : "";
  const asked = `billing=${procs},cpu=${procs},${ofGpus}mem=${procs * 2}G,node=1`;
  const account = ACCOUNTS[USERS_BY_NAME.indexOf(user) % ACCOUNTS.length];
  return `${[
    ...[job, FROM_SEC + submit, FROM_SEC + submit, FROM_SEC + (isWithdrawn ? end : start), FROM_SEC + end],
    ...[isWithdrawn ? 0 : runtime, limit / 60, isWithdrawn ? "CANCELLED by 1001" : "COMPLETED"],
    ...[isWithdrawn ? 0 : procs, procs, `${procs * 2}G`, isWithdrawn ? "" : asked, asked, 1],
    ...[isWithdrawn ? "None assigned" : nodeOf(pools[0], at), pools[0], user, account],
  ].join("|")}\n`;
}

function nodeOf(pool: string | undefined, at: number): string {
  return pool === "gpu" ? "g1" : `n${1 + (at % 2)}`;
}
