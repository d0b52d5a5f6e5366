/**
 * Submissions on a slow disk: many in one request, and ten clients who submit one by one.
 *
 * `npx tsx bench/submissions.ts`. The whole way (client, socket, API, round, SQLite) in one process,
 * clients included, over a store whose every group of commits waits 3 ms longer, as on a disk that does
 * some 330 syncs a second; beside that store alone in the same run. The same on this disk, in a process of
 * its own, is in bench/broker.ts. Needs a built dist/ (the store's worker is compiled code).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createClient } from "../src/api/client/index.ts";
import { createServer, listenOnSocket, ownerOfSocket } from "../src/api/index.ts";
import { sandboxesIn, startBroker, systemClock } from "../src/broker/index.ts";
import type { SiteSpec } from "../src/model/index.ts";
import { type Logbook, VIEWS } from "../src/runtime/index.ts";
import { openSqliteLogbook } from "../src/store/index.ts";
import { scriptedSite } from "../test/scripted-site.ts";

const BULK = 1000;
const CLIENTS = 10;
const SECONDS = 3;
const SYNC_MS = 3;
const SPEC: SiteSpec = {
  type: "managed",
  procs: 4,
  memoryBytes: 2 ** 30,
  discipline: "easy",
  defaultWallTimeMs: 3_600_000,
};
const folder = mkdtempSync(join(tmpdir(), "stint-bench-"));

/** A store whose commits are durable a sync later: one sync at a time, shared by all waiting commits. */
function slowed(logbook: Logbook): Logbook {
  let underWay: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const sync = (): Promise<void> => {
    next ??= underWay.then(() => {
      underWay = setTimeout(SYNC_MS);
      next = undefined;
      return underWay;
    });
    return next;
  };
  return {
    ...logbook,
    commit: async (commit) => {
      const receipt = await logbook.commit(commit);
      await sync();
      return receipt;
    },
  };
}

/** Operations per second of ten clients that wait for each answer. */
async function perSecond(deed: (client: number, n: number) => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  let done = 0;
  const one = async (client: number): Promise<void> => {
    for (let n = 0; performance.now() - beganAt < SECONDS * 1000; n++) {
      await deed(client, n);
      done++;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => one(client)));
  return (done * 1000) / (performance.now() - beganAt);
}

function tell(what: string, figure: string, isGood: boolean, wanted: string): void {
  console.log(`${what.padEnd(56)} ${figure.padStart(9)}  ${isGood ? "within" : "OVER"} ${wanted}`);
  if (!isGood) process.exitCode = 1;
}

/** Measures the slowed store without a broker. */
async function storeAlone(logbook: Logbook): Promise<number> {
  return perSecond((client, n) => {
    const body = { job: `${client}-${n}` };
    return logbook.commit({ events: [{ kind: "jobHeld", version: 1, atMs: n, body }], changes: [] });
  });
}

async function throughTheBroker(logbook: Logbook): Promise<number> {
  const broker = await startBroker({
    logbook,
    openSite: async () => ({ kind: "managed", site: scriptedSite() }),
    clock: systemClock,
    sandboxes: sandboxesIn(join(folder, "sandboxes")),
    warn: console.error,
    onBroken: console.error,
  });
  await broker.brokerApi.ask({ kind: "addSite", site: "local", spec: SPEC });
  const server = createServer(broker.brokerApi, {
    version: "bench",
    identify: ownerOfSocket("u", "local/u"),
  });
  const socketPath = join(folder, "stint.sock");
  await listenOnSocket(server, socketPath);
  const clients = Array.from({ length: CLIENTS }, () => createClient({ socketPath }));
  const job = { executable: "true", procs: 4 };
  await clients[0].submit(Array.from({ length: CLIENTS }, () => job));
  const beganAt = performance.now();
  await clients[0].submit(Array.from({ length: BULK }, () => job));
  const bulkMs = performance.now() - beganAt;
  tell(`${BULK} jobs in one request, durable`, `${bulkMs.toFixed(0)} ms`, bulkMs < 1000, "1000 ms");
  const rate = await perSecond((client) => clients[client].submit([job]));
  for (const client of clients) client.close();
  await server.close();
  await broker.stop();
  return rate;
}

try {
  const alone = await openSqliteLogbook({ directory: join(folder, "alone"), views: VIEWS });
  const reference = await storeAlone(slowed(alone));
  await alone.close();
  const logbook = await openSqliteLogbook({ directory: join(folder, "log"), views: VIEWS });
  const rate = await throughTheBroker(slowed(logbook));
  await logbook.close();
  tell(`${CLIENTS} clients, one job at a time`, `${rate.toFixed(0)}/s`, rate >= 300, "300/s");
  console.log(`${(rate / reference).toFixed(2)} × commits to the store alone (${reference.toFixed(0)}/s)`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
