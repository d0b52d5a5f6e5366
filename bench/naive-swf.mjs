/**
 * Reference for reading: the simplest program. All text in memory, split into lines and words. Prints the
 * milliseconds from the opened file to numbers.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const beganAt = performance.now();
const stored = readFileSync(process.argv[2] ?? "");
createHash("sha256").update(stored).digest("hex");
const rows = gunzipSync(stored)
  .toString()
  .split("\n")
  .filter((line) => line.trim() !== "" && !line.trimStart().startsWith(";"))
  .map((line) => line.trim().split(/\s+/).map(Number));
process.stdout.write(`${rows.length} ${performance.now() - beganAt}\n`);
