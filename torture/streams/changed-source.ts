/**
 * A server comes back with other data while a stream reads from it. The wrapper detects it, by whatever the
 * server tells (a tag, a date, the size) or by the checksum of the whole, and hands over no block of them.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom, drawInteger } from "../../src/base/index.ts";
import { type StreamSource, sourceData, startSource } from "../../test/stream-source.ts";
import { compareSoFar } from "./compare-ledger.ts";
import { BLOCK, startWrapper } from "./misfortunes.ts";

const application = resolve(import.meta.dirname, "../../test/stream-application.mjs");
const BYTES = 1_500_000;
const SIGNS = ["tag", "size", "checksum"] as const;

/** Runs one stream whose source changes; returns what is wrong. */
export async function changeSource(folder: string, seed: number): Promise<readonly string[]> {
  mkdirSync(join(folder, "stream"), { recursive: true });
  const chance = createRandom(seed);
  const sign = SIGNS[drawInteger(chance, 0, SIGNS.length - 1)];
  const data = sourceData(BYTES, seed);
  const source = await startSource(data, { bytesPerSec: 500_000, etag: sign === "tag" ? '"1"' : "" });
  const checksum = `sha256:${createHash("sha256").update(data).digest("hex")}`;
  const order = {
    ...{ stream: "changed", directory: join(folder, "stream"), lease: "none", rate: { least: 1e9 } },
    sources: [{ href: source.href, ...(sign === "checksum" ? { checksum } : {}) }],
    ...{ blockSize: BLOCK, quota: 10 * BLOCK, connections: drawInteger(chance, 1, 3) },
    application: {
      command: [process.execPath, application, "lines"],
      environment: { STINT_TEST_LEDGER: join(folder, "ledger") },
    },
  };
  writeFileSync(join(folder, "order.json"), JSON.stringify(order));
  const wrapper = startWrapper(folder);
  let said = "";
  wrapper.stderr?.on("data", (chunk) => {
    said += String(chunk);
  });
  // Not "exit": what it said last may come after it.
  const ended = once(wrapper, "close");
  try {
    while (source.sentBytes() === 0 && wrapper.exitCode === null) await sleep(10);
    await sleep(drawInteger(chance, 0, 1000));
    await change(source, sign);
    const [code] = await ended;
    return judge({ code, said, sign }, compareSoFar(placesIn(folder), data));
  } finally {
    wrapper.kill("SIGKILL");
    await source.stop();
  }
}

const placesIn = (folder: string) => ({
  ledger: join(folder, "ledger"),
  directory: join(folder, "stream"),
});

async function change(source: StreamSource, sign: (typeof SIGNS)[number]): Promise<void> {
  await source.stop();
  const { data } = source.behaviour;
  const other = data.map((byte) => byte ^ 1);
  source.behaviour.data = Buffer.from(sign === "size" ? other.subarray(1) : other);
  if (sign === "tag") source.behaviour.etag = '"2"';
  await source.start();
}

interface End {
  readonly code: number | null;
  readonly said: string;
  readonly sign: (typeof SIGNS)[number];
}

function judge(
  { code, said, sign }: End,
  { highest, wrong }: ReturnType<typeof compareSoFar>,
): readonly string[] {
  const blocks = Math.ceil(BYTES / BLOCK);
  // All had been fetched when it changed.
  if (code === 0) return highest + 1 === blocks ? wrong : ["the wrapper ended with 0 too early"];
  const isNamed = /block \d+/.test(said) && /changed|checksum .* differs/.test(said);
  if (!isNamed) return [...wrong, `the wrapper ended with ${code} and named no changed block: ${said}`];
  if (sign !== "checksum") return wrong;
  // A checksum of the whole is known at its end alone: before it some blocks may be of either kind.
  return highest + 1 < blocks ? [] : ["the last block was handed over, although the checksum differs"];
}
