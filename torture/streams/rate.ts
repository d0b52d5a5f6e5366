/**
 * The rate of a stream among cut connections, killed applications and new orders: over any ten seconds what
 * arrived is the allocation within 5 %.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom, drawFraction, drawInteger } from "../../src/base/index.ts";
import { sourceData, startSource } from "../../test/stream-source.ts";
import { killApplication, startWrapper } from "./misfortunes.ts";

const WINDOW_MS = 10_000;
const TOLERANCE = 0.05;
const LENGTH_MS = 14_000;
/** Small enough for a part of it to be a small part of ten seconds' data, and large enough to be a block. */
const BLOCK = 500_000;
const BYTES = 80_000_000;

/** An order of a rate, from an instant on. */
interface Ordered {
  readonly atMs: number;
  readonly bytesPerSec: number;
}

/** What had arrived at an instant. */
export interface Arrival {
  readonly atMs: number;
  readonly bytes: number;
}

/** Runs one stream for some seconds; returns what is wrong with its rate. */
export async function tortureRate(folder: string, seed: number): Promise<readonly string[]> {
  mkdirSync(join(folder, "stream"), { recursive: true });
  const chance = createRandom(seed);
  const source = await startSource(sourceData(BYTES, seed));
  const draw = (): number => drawInteger(chance, 1_000_000, 4_000_000);
  const ordered: Ordered[] = [{ atMs: Date.now(), bytesPerSec: draw() }];
  writeOrder(folder, source.href, ordered[0].bytesPerSec);
  const wrapper = startWrapper(folder);
  try {
    while (source.sentBytes() === 0 && wrapper.exitCode === null) await sleep(10);
    const endsAt = Date.now() + LENGTH_MS;
    while (Date.now() < endsAt) {
      await sleep(drawInteger(chance, 100, 2000));
      const what = drawFraction(chance);
      if (what < 0.4) source.behaviour.cuts.push(drawInteger(chance, 0, BLOCK));
      else if (what < 0.6) killApplication(folder);
      else {
        const bytesPerSec = draw();
        const path = join(folder, "stream/control.json");
        writeFileSync(`${path}.ordered`, JSON.stringify({ serial: ordered.length, bytesPerSec }));
        renameSync(`${path}.ordered`, path);
        ordered.push({ atMs: Date.now(), bytesPerSec });
      }
    }
    return compareRate(arrivalsIn(folder), ordered);
  } finally {
    wrapper.kill("SIGKILL");
    killApplication(folder);
    await source.stop();
  }
}

function writeOrder(folder: string, href: string, first: number): void {
  const order = {
    ...{ stream: "timed", directory: join(folder, "stream"), sources: [{ href }], lease: "none" },
    ...{ blockSize: BLOCK, quota: 2 * BYTES, connections: 4, rate: { least: 1, first } },
    application: {
      ...{ command: ["sh", "-c", "exec cat > /dev/null"], delivery: "lines", restarts: 1000 },
    },
  };
  writeFileSync(join(folder, "order.json"), JSON.stringify(order));
}

function arrivalsIn(folder: string): readonly Arrival[] {
  const lines = readFileSync(join(folder, "stream/reports.jsonl"), "utf8").trim().split("\n");
  return lines.map((line) => {
    const { at, receivedBytes } = JSON.parse(line) as { readonly at: string; readonly receivedBytes: number };
    return { atMs: Date.parse(at), bytes: receivedBytes };
  });
}

/** Windows of ten seconds in which another amount arrived than was allowed. */
export function compareRate(arrivals: readonly Arrival[], ordered: readonly Ordered[]): readonly string[] {
  const wrong: string[] = [];
  const begun = arrivals.filter(({ bytes }) => bytes > 0);
  let windows = 0;
  for (const from of begun) {
    const to = begun.find(({ atMs }) => atMs >= from.atMs + WINDOW_MS);
    if (to === undefined) continue;
    windows++;
    const allowed = allowedBetween(from.atMs, to.atMs, ordered);
    const deviation = (to.bytes - from.bytes) / allowed - 1;
    if (Math.abs(deviation) > TOLERANCE)
      wrong.push(`${to.bytes - from.bytes} bytes in ten seconds, where ${Math.round(allowed)} were allowed`);
  }
  return windows === 0 ? ["the stream has run for less than ten seconds"] : wrong;
}

function allowedBetween(fromMs: number, toMs: number, ordered: readonly Ordered[]): number {
  let bytes = 0;
  for (const [at, { atMs, bytesPerSec }] of ordered.entries()) {
    const endMs = ordered[at + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    const overlap = Math.min(toMs, endMs) - Math.max(fromMs, atMs);
    bytes += (Math.max(0, overlap) * bytesPerSec) / 1000;
  }
  return bytes;
}
