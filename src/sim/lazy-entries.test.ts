/**
 * What is loaded before a simulation of a trace begins: the imports of its source, followed.
 */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { SimulationRequest } from "../model/index.ts";

const source = join(import.meta.dirname, "..");

/** Every file that is loaded with this one: its imports of values, and theirs. */
function loadedWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const statements = readFileSync(file, "utf8").matchAll(
    /^(?:import|export)\s+(?!type\b)(?:[^;"]*?\sfrom\s+)?"(\.[^"]+)";/gm,
  );
  for (const [, target] of statements) loadedWith(join(dirname(file), target), seen);
  return seen;
}

function foldersLoadedWith(file: string): string[] {
  const files = [...loadedWith(join(source, file))].map((path) => relative(source, path));
  const rooms = files.map((path) => /^(?:formats|sim)\/[a-z-]+\/|^[a-z]+\//.exec(path)?.[0] ?? path);
  return [...new Set(rooms)].sort();
}

describe("the entry points of sim", () => {
  it("a simulation of a trace does not load what other simulations need", () => {
    const needed = ["base/", "formats/", "formats/swf/", "formats/workload-jsonl/", "model/", "profile/"];
    expect(foldersLoadedWith("sim/simulate.ts")).toEqual(
      [...needed, "queue/", "sim/", "sim/workload/"].sort(),
    );
  });

  it("importing the entries loads no policies, prices or configuration", () => {
    const folders = foldersLoadedWith("sim/index.ts");
    expect(folders).toContain("sim/");
    expect(folders.filter((folder) => /policy|market|yaml|scenario|what-if|enforcing/.test(folder))).toEqual(
      [],
    );
  });

  it("are found where they lead to", async () => {
    const { simulateFile } = await import("./index.ts");
    const nowhere: SimulationRequest = {
      trace: "no such trace.swf",
      discipline: "easy",
      estimates: "exact",
      overrun: "extend",
      lenient: false,
    };
    const asked = simulateFile(nowhere, { version: "0" });
    await expect(asked).rejects.toMatchObject({ code: "fileNotFound" });
  });
});
