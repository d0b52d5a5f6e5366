import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readScenarioFile, readScenarioYaml } from "./read.ts";
import { isScenarioFile } from "./recognise.ts";

const folder = mkdtempSync(join(tmpdir(), "stint-scenario-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(text: string) {
  return readScenarioYaml(text, {
    folder: "/data",
    fileState: (path) => (path.includes("missing") ? "missing" : "readable"),
  });
}

/** The scenario of a text without problems. */
function scenarioOf(text: string) {
  const { scenario, problems } = read(text);
  expect(problems).toEqual([]);
  return scenario;
}

const SITES = `sites:
  - name: west
    procs: 64
    workload: { model: lublin, jobs: 100, load: 0.8 }
  - name: east
    procs: 32
    workload: { trace: t.swf }
`;

describe("reading a scenario", () => {
  it("fills in the defaults", () => {
    expect(scenarioOf("name: s\nsites: [{ name: w, procs: 4, workload: { trace: a/t.swf } }]")).toEqual({
      name: "s",
      folder: "/data",
      seed: 1,
      replicates: 1,
      warmUp: { kind: "time", lengthMs: 0 },
      coolDown: { kind: "time", lengthMs: 0 },
      baseline: "base",
      compare: ["waitMeanSec", "boundedSlowdownMean", "utilisation"],
      jobsOut: "first",
      runs: [
        {
          name: "base",
          settings: {},
          sites: [
            {
              name: "w",
              pools: [{ name: "all", procs: 4 }],
              discipline: "easy",
              estimates: "requested",
              overrun: "extend",
              workload: { kind: "recorded", trace: "/data/a/t.swf", lenient: false, scale: "arrivals" },
            },
          ],
        },
      ],
    });
  });

  it("FO-42 each combination of a grid is a run, for all sites", () => {
    const scenario = scenarioOf(`name: s\n${SITES}vary: { discipline: [fcfs, easy], procs: [48, 96] }`);
    expect(scenario?.runs.map(({ name }) => name)).toEqual([
      "discipline=fcfs procs=48",
      "discipline=fcfs procs=96",
      "discipline=easy procs=48",
      "discipline=easy procs=96",
    ]);
    expect(scenario?.runs[3].settings).toEqual({ discipline: "easy", procs: "96" });
    expect(scenario?.runs[1].sites).toMatchObject([
      { name: "west", discipline: "fcfs", pools: [{ procs: 96 }] },
      { name: "east", discipline: "fcfs", pools: [{ procs: 96 }] },
    ]);
  });

  it("FO-42 an overlay replaces a whole word, or one value by its path, at one site or all", () => {
    const scenario = scenarioOf(`name: s
${SITES}vary:
  - name: as it is
  - { name: path, site: west, workload.load: 0.5, workload.parameters.serialProb: 0.1 }
  - { name: word, site: west, workload: { model: poisson } }
  - { name: pools, pools: [{ name: a, procs: 3 }, { name: b, procs: 5 }] }
`);
    const west = scenario?.runs.map(({ sites }) => sites[0]);
    expect(west?.[1].workload).toMatchObject({ jobs: 100, load: 0.5, parameters: { serialProb: 0.1 } });
    expect(west?.[2].workload).toMatchObject({ model: "poisson", jobs: 10_000 });
    expect(west?.[2].workload).not.toHaveProperty("load");
    expect(west?.[3].pools).toEqual([
      { name: "a", procs: 3 },
      { name: "b", procs: 5 },
    ]);
    expect(scenario?.runs[1].sites[1]).toEqual(scenario?.runs[0].sites[1]);
    expect(scenario?.runs[2].settings).toEqual({ workload: '{"model":"poisson"}' });
  });

  it("FO-22 all problems are reported together, in the order of the text", () => {
    const text = `name: s
replicats: 3
warmUp: { time: soon }
sites:
  - name: west
    procs: none
    displine: easy
    workload: { trace: missing.swf }
  - procs: 4
    workload: { jobs: 5 }
`;
    expect(read(text).problems.map(({ line, column, code }) => [line, column, code])).toEqual([
      [2, 1, "wordUnknown"],
      [3, 17, "badDuration"],
      [6, 12, "notCount"],
      [7, 5, "wordUnknown"],
      [8, 24, "fileUnreadable"],
      [9, 5, "wordMissing"],
      [10, 15, "wordMissing"],
    ]);
  });

  it("FO-22 a problem with a value of a grid is reported once, at its position", () => {
    const text = `name: s\n${SITES}vary:\n  estimates: [exact, requested]\n  discipline: [fcfs, esy, fifo]\n`;
    expect(read(text).problems).toEqual([
      expect.objectContaining({ line: 11, column: 22, code: "valueUnknown", remedy: "did you mean easy?" }),
      expect.objectContaining({ line: 11, column: 27, code: "valueUnknown" }),
    ]);
  });

  it.each([
    ["a path that is none", "vary: { workload.lod: [1] }", "wordUnknown", "did you mean load?"],
    ["a site that is not there", "vary: [{ name: a, site: north }]", "siteUnknown", ""],
    ["runs of one name", "vary: [{ name: a b }, { name: a_b }]", "doubledName", ""],
    ["an overlay that names the site", "vary: { name: [a] }", "nameVaries", ""],
    ["an empty grid", "vary: {}", "nothingVaries", ""],
    ["a baseline that is no run", "baseline: bse", "valueUnknown", "did you mean base?"],
    ["brokering", "broker: {}", "notBrokered", "give each site its own workload"],
    ["users", "users: 3", "notBrokered", "give each site its own workload"],
    ["a merge key", "vary: [{ name: a, <<: { procs: 3 } }]", "mergeKey", ""],
  ])("FO-42 refuses %s", (_, more, code, remedy) => {
    const { problems, scenario } = read(`name: s\n${SITES}${more}\n`);
    expect(scenario).toBeUndefined();
    expect(problems[0]).toMatchObject({ code, line: 9, remedy: expect.stringContaining(remedy) });
  });

  it("FO-42 refuses more than a thousand runs", () => {
    const values = Array.from({ length: 40 }, (_, i) => i + 1).join(", ");
    const { problems } = read(`name: s\n${SITES}vary: { procs: [${values}], workload.jobs: [${values}] }`);
    expect(problems.map(({ code }) => code)).toContain("tooManyRuns");
  });

  it.each([
    ["replicates of a recorded workload", "replicates: 3", "trace: t.swf", "nothingDrawn"],
    ["a model with a trace's word", "", "model: lublin, lenient: true", "wordMisplaced"],
    ["a trace with a model's word", "", "trace: t.swf, requests: exact", "wordMisplaced"],
    ["a scale without a load", "", "trace: t.swf, scale: overlay", "scaleAlone"],
    ["copies of what is drawn", "", "model: lublin, load: 1, scale: duplicate", "nothingToCopy"],
  ])("FO-43 refuses %s", (_, more, workload, code) => {
    const text = `name: s\nsites: [{ name: w, procs: 4, workload: { ${workload} } }]\n${more}`;
    expect(read(text).problems.map((problem) => problem.code)).toEqual([code]);
  });

  it("FO-43 accepts replicates if jobs are added at random in at least one run", () => {
    const text = "name: s\nsites: [{ name: w, procs: 4, workload: { trace: t.swf } }]\nreplicates: 3\n";
    const vary = "vary: [{ name: a }, { name: b, workload.load: 0.9, workload.scale: duplicate }]";
    expect(scenarioOf(text + vary)?.replicates).toBe(3);
  });

  it.each([
    ["", "scenarioEmpty"],
    ["name: [", "yamlSyntax"],
    ["name: a\n---\nname: b", "secondDocument"],
    ["[1, 2]", "wrongType"],
  ])("%j is not a scenario", (text, code) => {
    const codes = read(text).problems.map((problem) => problem.code);
    expect(codes).toContain(code);
  });

  it("a missing file is a problem, not an exception", async () => {
    const { scenario, problems } = await readScenarioFile(join(folder, "nowhere.yaml"));
    expect(scenario).toBeUndefined();
    expect(problems).toMatchObject([{ code: "fileNotFound" }]);
  });
});

describe("recognising a scenario", () => {
  it.each([
    ["s.yaml", "; a trace", true],
    ["s.json", "", true],
    ["scenario", "# why\n\nname: s\nsites: []\n", true],
    ["inline", '{ "name": "s", "sites": [] }', true],
    ["trace", "; Computer: name: none\n1 0 0 10 1 -1 -1 1 10 -1 1 1 -1 -1 -1 -1 -1 -1\n", false],
    ["t.swf", "; x\n", false],
  ])("FO-21 %s with %j: %s", async (name, text, is) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    expect(await isScenarioFile(file)).toBe(is);
  });

  it("FO-21 a missing path, and one that is no file, is not a scenario", async () => {
    expect(await isScenarioFile(join(folder, "nothing"))).toBe(false);
    expect(await isScenarioFile(folder)).toBe(false);
  });
});
