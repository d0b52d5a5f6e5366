/**
 * The rate of a stream among cut connections, killed applications and new orders: over any ten seconds what
 * arrived is the allocation within 5 %, where an order may be obeyed up to 200 ms later.
 *
 * Ten seconds in which the machine kept the wrapper or its source from running for longer than a token bucket
 * holds are left out, and counted.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom, drawFraction, drawInteger } from "../../src/base/index.ts";
import { sourceData, startSource } from "../../test/stream-source.ts";
import { longestStall, recordStalls, type Stall } from "./machine-stalls.ts";
import { killApplication, startWrapper } from "./misfortunes.ts";

const WINDOW_MS = 10_000;
const TOLERANCE = 0.05;
const LENGTH_MS = 14_000;
/** Time within which a new rate holds. */
const OBEYED_MS = 200;
/** What a bucket holds, as time: a longer stall of the machine cannot be made up for. */
const DEPTH_MS = 250;
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

/** Runs one stream for some seconds, and judges its rate. */
export async function tortureRate(folder: string, seed: number): Promise<RateVerdict> {
  mkdirSync(join(folder, "stream"), { recursive: true });
  const chance = createRandom(seed);
  const source = await startSource(sourceData(BYTES, seed));
  const draw = (): number => drawInteger(chance, 1_000_000, 4_000_000);
  const ordered: Ordered[] = [{ atMs: Date.now(), bytesPerSec: draw() }];
  writeOrder(folder, source.href, ordered[0].bytesPerSec);
  const wrapper = startWrapper(folder);
  const { stalls, stop } = recordStalls(wrapper.pid ?? 0);
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
    return compareRate(arrivalsIn(folder), ordered, stalls);
  } finally {
    stop();
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

/** What was found of a rate. */
export interface RateVerdict {
  readonly wrong: readonly string[];
  /** Windows of ten seconds that were judged, and those in which the machine did not keep its part. */
  readonly judged: number;
  readonly leftOut: number;
}

/** Compares what arrived in each ten seconds with what was allowed. */
export function compareRate(
  arrivals: readonly Arrival[],
  ordered: readonly Ordered[],
  stalls: readonly Stall[] = [],
): RateVerdict {
  const wrong: string[] = [];
  const begun = arrivals.filter(({ bytes }) => bytes > 0);
  let [judged, leftOut] = [0, 0];
  for (const from of begun) {
    const to = begun.find(({ atMs }) => atMs >= from.atMs + WINDOW_MS);
    if (to === undefined) continue;
    if (longestStall(stalls, from.atMs - DEPTH_MS, to.atMs + DEPTH_MS) > DEPTH_MS) {
      leftOut++;
      continue;
    }
    judged++;
    const got = to.bytes - from.bytes;
    const [least, most] = allowedBetween(from.atMs, to.atMs, ordered);
    const isWrong = got < least * (1 - TOLERANCE) || got > most * (1 + TOLERANCE);
    if (!isWrong) continue;
    wrong.push(`${got} bytes in ten seconds, where ${Math.round(least)} to ${Math.round(most)} were allowed`);
  }
  if (judged + leftOut === 0) wrong.push("the stream has run for less than ten seconds");
  return { wrong, judged, leftOut };
}

/** Least and most bytes: each order may be obeyed at once, or up to 200 ms later. */
function allowedBetween(fromMs: number, toMs: number, ordered: readonly Ordered[]): readonly number[] {
  let [least, most] = [0, 0];
  const [first] = ordered;
  for (const [at, { atMs, bytesPerSec }] of ordered.entries()) {
    if (at === 0) {
      least += ((toMs - fromMs) * first.bytesPerSec) / 1000;
      most = least;
      continue;
    }
    const change = bytesPerSec - ordered[at - 1].bytesPerSec;
    const after = (sinceMs: number): number =>
      (Math.max(0, toMs - Math.max(fromMs, sinceMs)) * change) / 1000;
    const amounts = [after(atMs), after(atMs + OBEYED_MS)];
    least += Math.min(...amounts);
    most += Math.max(...amounts);
  }
  return [least, most];
}
