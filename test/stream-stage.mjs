/**
 * A stage of a pipeline for tests: passes on each block with its bytes reversed, so many milliseconds later.
 * It crashes once at the block `crashAt`, and passes on nothing of the block `dropped`.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const { STINT_STREAM_RESULTS: folder = "" } = process.env;
const { ms = 0, crashAt = -1, dropped = -1, times = 1, crashFile = "" } = JSON.parse(process.argv[2] ?? "{}");

for await (const line of createInterface({ input: process.stdin })) {
  const { seq, path } = JSON.parse(line);
  await sleep(ms);
  if (seq === crashAt && !existsSync(crashFile)) {
    writeFileSync(crashFile, "");
    process.kill(process.pid, "SIGKILL");
  }
  const results = seq === dropped ? [] : [`stage-${seq}`];
  for (const name of results) {
    const data = readFileSync(path).reverse();
    writeFileSync(join(folder, name), Buffer.concat(Array(times).fill(data)));
  }
  process.stdout.write(`${JSON.stringify({ kind: "ack", seq, results })}\n`);
}
