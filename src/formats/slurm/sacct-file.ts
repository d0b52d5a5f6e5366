/**
 * The lines of an accounting in a file, plain or gzip; `-` is what comes on stdin.
 */
import { lineBlocks, traceBytes } from "../index.ts";

/**
 * All lines without their ends.
 *
 * @throws Fault as every file that is read
 */
export async function accountingLines(file: string): Promise<readonly string[]> {
  const blocks = lineBlocks();
  const decoder = new TextDecoder();
  const lines: string[] = [];
  const add = (bytes: Uint8Array): void => {
    const text = decoder.decode(bytes).replace(/\n$/, "");
    for (const line of text.split("\n")) lines.push(line.replace(/\r$/, ""));
  };
  for await (const chunk of traceBytes(file)) {
    for (const { bytes, from, end } of blocks.feed(chunk)) add(bytes.subarray(from, end));
  }
  for (const { bytes, from, end } of blocks.finish()) add(bytes.subarray(from, end));
  return lines;
}
