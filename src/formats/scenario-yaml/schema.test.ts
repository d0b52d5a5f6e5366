/**
 * The published schema and the reader say the same about what a scenario is.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Schema, schemaJudge } from "../../../test/json-schema.ts";
import { scenarioSiteShape } from "../../contract/files/index.ts";
import { readScenarioYaml } from "./read.ts";

const root = resolve(import.meta.dirname, "../../..");
const schema = JSON.parse(readFileSync(join(root, "docs/schemas/scenario.schema.json"), "utf8")) as Schema;
const isValid = schemaJudge(schema);
const problemsOf = (text: string) =>
  readScenarioYaml(text, { folder: "/", fileState: () => "readable" }).problems;

const site = (more: string, workload = "model: lublin") =>
  `{ name: s, sites: [{ name: w, procs: 4, workload: { ${workload} }, ${more} }] }`;
const whole = (more: string) =>
  `{ name: s, sites: [{ name: w, procs: 4, workload: { model: lublin } }], ${more} }`;

describe("the published schema of scenarios", () => {
  it("FO-31 vary accepts every word of a site but its name", () => {
    const vary = (path: string) => whole(`vary: { ${path}: [1] }`);
    const { vary: schemaOfVary } = schema.properties as Record<"vary", Schema>;
    const isVaried = (path: string) => isValid({ [path]: [1] }, schemaOfVary);
    const fields = Object.keys(scenarioSiteShape.fields).filter((word) => word !== "name");
    expect(fields.filter((word) => !isVaried(word))).toEqual([]);
    for (const path of ["priority.config", "slots.every", "reserving.alpha", "workload.parameters.x1"]) {
      expect(isVaried(path)).toBe(true);
    }
    for (const path of ["name", "procs.x", "workload.lod"]) {
      expect(isVaried(path)).toBe(false);
      expect(problemsOf(vary(path))).not.toEqual([]);
    }
  });

  const examples = join(root, "examples/scenarios");
  it.each(readdirSync(examples))("FO-31 the example %s is valid for both", (file) => {
    const text = readFileSync(join(examples, file), "utf8");
    expect(isValid(parse(text))).toBe(true);
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    site(""),
    site("discipline: repack, estimates: exact, overrun: kill, reservations: r.csv"),
    site("", "model: poisson, jobs: 10, load: 0.5, scale: runtimes, requests: exact, seed: 0"),
    site("", "model: lublin, set: batch, parameters: { serialProb: 0.5 }"),
    site("", "trace: t.swf, load: 2, scale: overlay, lenient: true"),
    site("").replace("procs: 4", "pools: [{ name: a, procs: 1 }, { name: b, procs: 2 }]"),
    site("discipline: exec:python3 mine.py --window 5, answerTimeout: 2m"),
    site("priority: maui, slots: { every: 30 }"),
    site("priority: { name: slurm, config: slurm.yaml }, slots: none"),
    site("priority: none, slots: { every: 1h30m }, discipline: conservative"),
    site("reserving: { share: 0.1, alpha: 0.5 }"),
    site("reserving: { share: 0, alpha: random }, slots: { every: 1h }"),
    site("reserving: none"),
    whole("vary: { reserving.alpha: [0, 1, random] }").replace(
      "procs: 4",
      "procs: 4, reserving: { share: 1, alpha: 0 }",
    ),
    site("onOutage: lost", "trace: w.workload.jsonl, lenient: true").replace("procs: 4, ", ""),
    whole("vary: { priority.name: [slurm, maui], slots.every: [1h, 2h], answerTimeout: [5s] }"),
    whole("seed: 7, replicates: 3, warmUp: { time: 1d }, coolDown: { jobs: 0 }, jobsOut: all"),
    whole("vary: { discipline: [fcfs, easy], workload.load: [0.5, 1] }, baseline: discipline=fcfs load=1"),
    whole("vary: [{ name: a b }, { name: 2, site: w, workload.parameters.serialProb: 0.2 }]"),
    whole("compare: [waitMaxSec]"),
  ])("FO-31 %j is valid for both", (text) => {
    expect(problemsOf(text)).toEqual([]);
    expect(isValid(parse(text))).toBe(true);
  });

  it.each([
    "{ sites: [] }",
    "{ name: s }",
    "{ name: /, sites: [{ name: w, procs: 4, workload: { model: lublin } }] }",
    site("").replace("procs: 4, ", ""),
    site("").replace("procs: 4", "procs: 0"),
    site("").replace("procs: 4", "pools: [{ name: a }]"),
    site("background: { trace: t }"),
    site("discipline: fifo"),
    site("discipline: 'exec:'"),
    site("answerTimeout: 0"),
    site("priority: fifo"),
    site("priority: { config: slurm.yaml }"),
    site("priority: { name: none }"),
    site("reserving: 0.1"),
    site("reserving: {}"),
    site("reserving: { share: 0.1 }"),
    site("reserving: { alpha: 1 }"),
    site("reserving: { share: 2, alpha: 1 }"),
    site("reserving: { share: 0.1, alpha: often }"),
    site("slots: 1h"),
    site("slots: {}"),
    site("slots: { every: 0 }"),
    site("onOutage: wait", "trace: w.jsonl").replace("procs: 4, ", ""),
    site("", "trace: w.jsonl, load: 0.5").replace("procs: 4, ", ""),
    site("", "trace: w.jsonl, seed: 5").replace("procs: 4, ", ""),
    site("", "trace: t.swf").replace("procs: 4, ", ""),
    site("", "jobs: 10"),
    site("", "model: lublin, trace: t.swf"),
    site("", "model: lublin, lenient: true"),
    site("", "trace: t.swf, jobs: 10"),
    site("", "model: lublin, load: 0"),
    site("", "model: lublin, load: 1, scale: overlay"),
    site("", "model: lublin, jobs: 1"),
    site("", "model: lublin, parameters: { serialProb: much }"),
    whole("warmUp: 1d"),
    whole("warmUp: { time: 1d, jobs: 3 }"),
    whole("replicates: 0"),
    whole("seed: -1"),
    whole("vary: { disciplin: [easy] }"),
    whole("vary: { discipline: easy }"),
    whole("vary: { pools: [[{ name: a, procs: 1 }]] }"),
    whole("vary: [{ discipline: easy }]"),
    whole("compare: [waits]"),
    whole("jobsOut: some"),
    whole("broker: {}"),
  ])("FO-31 %j is wrong for both", (text) => {
    expect(problemsOf(text)).not.toEqual([]);
    expect(isValid(parse(text))).toBe(false);
  });
});
