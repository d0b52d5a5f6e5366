import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import type { DrawRequest } from "../../model/index.ts";
import { drawWorkload } from "./draw-workload.ts";
import { dailyCycle } from "./lublin.ts";
import { LUBLIN_PARAMETERS } from "./lublin-parameters.ts";

const folder = temporaryFolder();
const plain: DrawRequest = {
  kind: "draw",
  model: "lublin",
  set: "combined",
  jobs: 5000,
  procs: 256,
  seed: 1,
  scale: "arrivals",
  parameters: {},
};

async function drawn(changes: Partial<DrawRequest> = {}) {
  let text = "";
  const summary = await drawWorkload({ ...plain, ...changes }, "1.2.3", async (piece) => {
    text += piece;
  });
  const lines = text.trimEnd().split("\n");
  const rows = lines.filter((line) => !line.startsWith(";")).map((line) => line.split(" ").map(Number));
  return { text, summary, rows, header: lines.filter((line) => line.startsWith(";")).join("\n") };
}

function column(rows: readonly (readonly number[])[], at: number): number[] {
  return rows.map((row) => row[at]);
}

/** By the words of SI-11. */
function loadOf(rows: readonly (readonly number[])[], procs: number): number {
  const submits = column(rows, 1);
  const work = rows.reduce((sum, row) => sum + row[3] * row[4], 0);
  return work / (procs * (Math.max(...submits) - Math.min(...submits)));
}

describe("a drawn workload", () => {
  it.each([
    { model: "lublin", scale: "arrivals", load: 0.8 },
    { model: "lublin", scale: "arrivals", load: 2.5 },
    { model: "lublin", scale: "runtimes", load: 0.3 },
    { model: "poisson", scale: "arrivals", load: 0.7 },
    { model: "poisson", scale: "runtimes", load: 1.1 },
  ] as const)("SI-11 SI-14 of $model has the load $load by scaling $scale", async ({ load, ...request }) => {
    const { rows, summary } = await drawn({ ...request, load });
    expect(rows).toHaveLength(5000);
    expect(loadOf(rows, 256) / load).toBeCloseTo(1, 3);
    expect(summary.load).toBeCloseTo(loadOf(rows, 256), 9);
  });

  it("SI-7 the same request gives the same workload, another seed another", async () => {
    const first = await drawn({ load: 0.8 });
    expect((await drawn({ load: 0.8 })).text).toBe(first.text);
    expect(column((await drawn({ load: 0.8, seed: 2 })).rows, 3)).not.toEqual(column(first.rows, 3));
  });

  it("SI-12 another load keeps the jobs, another rule of requests the arrivals", async () => {
    const own = await drawn();
    const busy = await drawn({ load: 0.9 });
    const asked = await drawn({ requests: "popular" });
    for (const field of [3, 4]) expect(column(busy.rows, field)).toEqual(column(own.rows, field));
    for (const field of [1, 3, 4]) expect(column(asked.rows, field)).toEqual(column(own.rows, field));
  });

  it("SI-14 scaling by arrivals keeps the daily cycle", async () => {
    const { rows } = await drawn({ load: 0.4, jobs: 20_000 });
    const hours = column(rows, 1).map((submitSec) => Math.floor((submitSec % 86_400) / 3600));
    const share = (from: number, to: number) =>
      hours.filter((h) => h >= from && h < to).length / hours.length;
    const { aNum, bNum } = LUBLIN_PARAMETERS.combined;
    const { weights } = dailyCycle(aNum, bNum);
    for (const [from, to] of [
      [4, 7],
      [8, 11],
      [12, 15],
      [20, 23],
    ]) {
      const expected = weights.slice(2 * from, 2 * to).reduce((sum, weight) => sum + weight / 48, 0);
      expect(Math.abs(share(from, to) - expected)).toBeLessThan(0.015);
    }
    expect(share(12, 15)).toBeGreaterThan(5 * share(4, 7));
  });

  it("requests are no less than the run time under each rule", async () => {
    const exact = await drawn();
    expect(column(exact.rows, 8)).toEqual(column(exact.rows, 3));
    const { rows: uniform } = await drawn({ requests: "uniform" });
    expect(uniform.every((row) => row[8] >= row[3] && row[8] <= Math.ceil(3 * row[3]))).toBe(true);
    const accuracy = uniform.reduce((sum, row) => sum + row[8] / row[3], 0) / uniform.length;
    expect(accuracy).toBeGreaterThan(1.95);
    const { rows: popular } = await drawn({ requests: "popular" });
    expect(popular.every((row) => row[8] >= row[3])).toBe(true);
    expect(new Set(column(popular, 8)).size).toBeLessThan(30);
  });

  it("the header states how the workload was generated", async () => {
    const { header } = await drawn({ load: 0.8, parameters: { serialProb: 0.3 } });
    const said = ["Lublin & Feitelson 2003, combined", "serialProb=0.3", "seed 1", "load 0.8", "Stint 1.2.3"];
    for (const words of [...said, "; MaxProcs: 256", "; MaxJobs: 5000"]) expect(header).toContain(words);
  });

  it("parameters can be set", async () => {
    const { rows } = await drawn({ parameters: { serialProb: 1, pow2Prob: 0 } });
    expect(new Set(column(rows, 4))).toEqual(new Set([1]));
  });

  it("a file that ends in .gz is packed", async () => {
    const file = join(folder, "drawn.swf.gz");
    await drawWorkload(plain, "1.2.3", file);
    expect(gunzipSync(readFileSync(file)).toString()).toBe((await drawn()).text);
  });

  it("SI-14 refuses to copy jobs of a model, and a load of a single job", async () => {
    await expect(drawn({ scale: "overlay", load: 0.8 })).rejects.toMatchObject({ code: "scaleImpossible" });
    await expect(drawn({ jobs: 1, load: 0.8 })).rejects.toMatchObject({ code: "loadUnknown" });
    expect((await drawn({ jobs: 1 })).rows).toHaveLength(1);
  });
});
