/** Stint's reader on one file in a fresh process. Prints the rows and the milliseconds. */
import { readSwf, traceBytes } from "../dist/formats/index.js";

const file = process.argv[2] ?? "";
const beganAt = performance.now();
const bytes = traceBytes(file);
const reader = readSwf(bytes, { file, lenient: false });
for await (const _ of reader);
bytes.sha256();
process.stdout.write(`${reader.rows} ${performance.now() - beganAt}\n`);
