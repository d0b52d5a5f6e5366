/**
 * The logbook's figures, beside what the disk itself can do in the same run: `npx tsx bench/logbook.ts`.
 *
 * The reference is a file in which 4 KiB are overwritten and synced, over and over, as SQLite does in its
 * write-ahead log; it is taken right before and right after each figure, since disks drift. A commit from
 * one caller needs one sync, ten callers share it, a burst needs a few in all. Needs a built dist/ (the
 * worker is compiled code).
 */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import type { Commit, Logbook, ViewSchema } from "../src/runtime/index.ts";
import { openSqliteLogbook } from "../src/store/index.ts";

const EVENTS_TO_OPEN = 100_000;
const views: readonly ViewSchema[] = [
  { name: "jobs", columns: { consumer: "text", state: "text", startAtMs: "integer" } },
];
/** Folder on the checkout's disk rather than in memory, if TMPDIR says so. */
const folder = mkdtempSync(join(tmpdir(), "stint-bench-logbook-"));

function commit(n: number): Commit {
  const body = {
    job: `j${n}`,
    owner: "ada",
    consumer: "cms/higgs",
    procs: 8,
    limitMs: 3_600_000,
    state: "waiting",
  };
  const columns = { consumer: "cms/higgs", state: "waiting", startAtMs: n };
  return {
    events: [{ kind: "jobSubmitted", version: 1, atMs: 1_700_000_000_000 + n, body }],
    changes: [{ view: "jobs", key: `j${n}`, record: body, columns }],
  };
}

const referenceBlocks = 1000;

function syncsPerSecond(): number {
  const file = openSync(join(folder, "reference"), "w+");
  const block = Buffer.alloc(4096, 1);
  for (let n = 0; n < referenceBlocks; n++) writeSync(file, block);
  fdatasyncSync(file);
  const beganAt = performance.now();
  let syncs = 0;
  for (; performance.now() - beganAt < 500; syncs++) {
    writeSync(file, block, 0, block.length, (syncs % referenceBlocks) * block.length);
    fdatasyncSync(file);
  }
  closeSync(file);
  return (syncs * 1000) / (performance.now() - beganAt);
}

/** A figure, and the disk's syncs per second around it. */
async function beside(measure: () => Promise<number>): Promise<{ figure: number; syncs: number }> {
  const before = syncsPerSecond();
  const figure = await measure();
  return { figure, syncs: (before + syncsPerSecond()) / 2 };
}

/** Commits per second of this many callers, each waiting for its receipt. */
async function commitsPerSecond(logbook: Logbook, callers: number): Promise<number> {
  const beganAt = performance.now();
  let commits = 0;
  const call = async (): Promise<void> => {
    while (performance.now() - beganAt < 1_000) {
      await logbook.commit(commit(commits));
      commits += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return (commits * 1000) / (performance.now() - beganAt);
}

async function burstMs(logbook: Logbook): Promise<number> {
  const beganAt = performance.now();
  await Promise.all(Array.from({ length: 1000 }, (_, n) => logbook.commit(commit(n))));
  return performance.now() - beganAt;
}

/** Time to open a log of 100,000 events, the last ones only in the write-ahead log, in ms. */
async function openMs(): Promise<number> {
  const directory = join(folder, "large");
  const writing = await openSqliteLogbook({ directory, views });
  for (let from = 0; from < EVENTS_TO_OPEN; from += 1000) {
    await Promise.all(Array.from({ length: 1000 }, (_, n) => writing.commit(commit(from + n))));
  }
  await writing.close();
  const beganAt = performance.now();
  const logbook = await openSqliteLogbook({ directory, views });
  const ms = performance.now() - beganAt;
  const { seq } = await logbook.head();
  if (seq !== EVENTS_TO_OPEN) throw new Error(`${seq} events instead of ${EVENTS_TO_OPEN}`);
  const readAt = performance.now();
  let read = 0;
  for await (const event of logbook.events(1)) read = event.seq;
  console.log(line(`reading ${read} events, ms`, performance.now() - readAt));
  await logbook.close();
  return ms;
}

function line(what: string, figure: number, more = ""): string {
  return `${what.padEnd(36)} ${figure.toFixed(0).padStart(8)}  ${more}`;
}

function rateLine(what: string, { figure, syncs }: { figure: number; syncs: number }): string {
  const sync = `${(figure / syncs).toFixed(2)} per sync of the disk (${syncs.toFixed(0)}/s)`;
  return line(what, figure, sync);
}

try {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, in ${folder}\n`);
  const logbook = await openSqliteLogbook({ directory: join(folder, "logbook"), views });
  await burstMs(logbook);
  console.log(rateLine("commits per second, 1 caller", await beside(() => commitsPerSecond(logbook, 1))));
  const ten = await beside(() => commitsPerSecond(logbook, 10));
  console.log(`${rateLine("commits per second, 10 callers", ten)}; goal: 300/s on a disk with 330 syncs/s`);
  const burst = await beside(() => burstMs(logbook));
  const worth = `the time of ${((burst.figure * burst.syncs) / 1000).toFixed(1)} syncs; goal: under 1,000`;
  console.log(line("burst of 1,000 commits, ms", burst.figure, worth));
  await logbook.close();
  console.log(line("opening with 100,000 events, ms", await openMs(), "goal: under 500"));
} finally {
  rmSync(folder, { recursive: true });
}
