/**
 * What the program prints and writes, held against hashes of what it did: a change of the house must not
 * change a result. Where one is meant to, `STINT_PINS=write npx vitest run test/pins` writes them anew, and
 * the commit says why.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { stintFile, temporaryFolder } from "../stint.ts";
import { PINNED_RUNS } from "./pinned-runs.ts";

const root = resolve(import.meta.dirname, "../..");
const file = resolve(import.meta.dirname, "fixtures/outputs.json");
const pinned: Record<string, Record<string, string>> = JSON.parse(readFileSync(file, "utf8"));
const isWriting = process.env.STINT_PINS === "write";
const folder = temporaryFolder();
const seen = new Map<string, Record<string, string>>();

/** What a clock says, and where the run wrote. */
function withoutClock(text: string, out: string): string {
  return text
    .replaceAll(`${out}/`, "OUT/")
    .replace(/"(simulationMs|readMs)": [\d.]+/g, '"$1": 0')
    .replace(/simulated in [\d.]+ m?s, read in [\d.]+ m?s/, "simulated in 0 ms, read in 0 ms");
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** A hash of each stream and file that a run leaves, beside its exit code. */
async function outputsOf(name: string): Promise<Record<string, string>> {
  const out = join(folder, name);
  mkdirSync(out);
  const words = PINNED_RUNS[name].split(" ").map((word) => word.replace("OUT/", `${out}/`));
  const env = { ...process.env, NO_COLOR: "1", TZ: "UTC" };
  const ran = await promisify(execFile)(process.execPath, [stintFile, ...words], { cwd: root, env });
  const outputs: Record<string, string> = { stdout: hashOf(withoutClock(ran.stdout, out)) };
  for (const path of readdirSync(out, { recursive: true, withFileTypes: true })) {
    if (!path.isFile()) continue;
    const whole = join(path.parentPath, path.name);
    outputs[whole.slice(out.length + 1)] = hashOf(withoutClock(readFileSync(whole, "utf8"), out));
  }
  return outputs;
}

afterAll(() => {
  if (isWriting) writeFileSync(file, `${JSON.stringify(Object.fromEntries([...seen].sort()), null, 2)}\n`);
});

describe.concurrent("pinned outputs", () => {
  it("are of the runs that there are", ({ expect: expectHere }) => {
    if (!isWriting) expectHere(Object.keys(pinned)).toEqual(Object.keys(PINNED_RUNS).sort());
  });

  it.each(Object.keys(PINNED_RUNS))("%s", async (name) => {
    const outputs = await outputsOf(name);
    seen.set(name, outputs);
    if (!isWriting) expect(outputs).toEqual(pinned[name]);
  });
});
