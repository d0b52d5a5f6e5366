/**
 * An application of a stream for tests: writes each block's number, place and content hash into a ledger,
 * acknowledges it (with a result where
 * the stream has a sink), and crashes once at the blocks that STINT_TEST_CRASHES lists.
 */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const { STINT_TEST_LEDGER: ledger = "", STINT_TEST_CRASHES = "", STINT_TEST_ALWAYS = "" } = process.env;
const { STINT_STREAM_RESULTS: folder = "" } = process.env;
const { STINT_TEST_MS = "0", STINT_STREAM_INBOX: inbox = "", STINT_TEST_BYTES_PER_SEC = "0" } = process.env;
const crashes = STINT_TEST_CRASHES.split(",").filter(Boolean).map(Number);
const always = STINT_TEST_ALWAYS.split(",").filter(Boolean).map(Number);

/** @param {{ seq: number, path: string, bytes: number, last: boolean }} block */
async function take({ seq, path, bytes, last }) {
  const data = readFileSync(path);
  if (data.length !== bytes) throw new Error(`block ${seq} has ${data.length} bytes`);
  await sleep(Number(STINT_TEST_MS));
  if (Number(STINT_TEST_BYTES_PER_SEC) > 0) await sleep((bytes / Number(STINT_TEST_BYTES_PER_SEC)) * 1000);
  if (always.includes(seq)) process.kill(process.pid, "SIGKILL");
  if (crashes.includes(seq) && !existsSync(`${ledger}.${seq}`)) {
    writeFileSync(`${ledger}.${seq}`, "");
    process.kill(process.pid, "SIGKILL");
  }
  const sha1 = createHash("sha1").update(data).digest("hex");
  appendFileSync(ledger, `${JSON.stringify({ seq, bytes, sha1, last, atMs: Date.now() })}\n`);
  if (folder === "") return {};
  const name = `hash-${seq}`;
  writeFileSync(join(folder, name), sha1);
  return { results: [name] };
}

async function overLines() {
  for await (const line of createInterface({ input: process.stdin })) {
    const block = JSON.parse(line);
    const results = await take(block);
    process.stdout.write(`${JSON.stringify({ kind: "ack", seq: block.seq, ...results })}\n`);
  }
}

async function overDirectory() {
  for (;;) {
    const names = readdirSync(inbox);
    const next = names.filter((name) => name.endsWith(".block")).sort();
    const open = next.filter((name) => !names.includes(name.replace(".block", ".ack")));
    for (const name of open) {
      const results = await take(
        JSON.parse(readFileSync(join(inbox, name.replace(".block", ".json")), "utf8")),
      );
      const base = join(inbox, name.replace(".block", ""));
      writeFileSync(`${base}.new`, JSON.stringify(results));
      renameSync(`${base}.new`, `${base}.ack`);
    }
    if (open.length === 0 && names.includes("end")) return;
    await sleep(10);
  }
}

await (process.argv[2] === "directory" ? overDirectory() : overLines());
