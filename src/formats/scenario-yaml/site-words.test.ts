/**
 * Who decides at a site, what is looked at, and workloads that bring their machine.
 */
import { describe, expect, it } from "vitest";
import { readScenarioYaml } from "./read.ts";

function read(text: string) {
  return readScenarioYaml(text, {
    folder: "/data",
    fileState: (path) => (path.includes("missing") ? "missing" : "readable"),
  });
}

/** A scenario of one site; `words` and `workload` are in braces, `more` are lines below it. */
function textOf(words: string, workload = "model: lublin", more = ""): string {
  const machine = words.includes("pools:") || workload.includes("jsonl") ? "" : "procs: 64, ";
  return `name: s\nsites:\n  - { name: west, ${machine}${words}, workload: { ${workload} } }\n${more}`;
}

/** The sites of each run of a text without problems. */
function sitesOf(text: string) {
  const { scenario, problems } = read(text);
  expect(problems).toEqual([]);
  return scenario?.runs.map(({ sites }) => sites[0]) ?? [];
}

describe("who decides at a site", () => {
  it.each([
    ["discipline: exec:python3 mine.py -x 5, answerTimeout: 2m", "exec:python3 mine.py -x 5", 120_000],
    ["discipline: 'exec:''./my program'' 5'", "exec:'./my program' 5", undefined],
    ["discipline: exec:/opt/mine", "exec:/opt/mine", undefined],
  ])("%s", (words, discipline, answerLimitMs) => {
    const [site] = sitesOf(textOf(words));
    expect([site.discipline, site.answerLimitMs]).toEqual([discipline, answerLimitMs]);
  });

  it.each([
    ["priority: slurm", { name: "slurm" }],
    ["priority: { name: maui, config: sub/maui.yaml }", { name: "maui", config: "/data/sub/maui.yaml" }],
    ["priority: none", undefined],
  ])("%s", (words, priority) => {
    expect(sitesOf(textOf(words))[0].priority).toEqual(priority);
  });

  it("slots have a sampling interval or none", () => {
    expect(sitesOf(textOf("slots: { every: 1h30m }"))[0].sampleSlotsMs).toBe(5_400_000);
    expect(sitesOf(textOf("slots: none"))[0]).not.toHaveProperty("sampleSlotsMs");
  });

  it.each([
    ["reserving: { share: 0.1, alpha: 0.5 }", { sharePpm: 100_000, alphaPpm: 500_000 }],
    ["reserving: { share: 1, alpha: random }", { sharePpm: 1_000_000, alphaPpm: "random" }],
    ["reserving: none", undefined],
  ])("%s", (words, reserving) => {
    expect(sitesOf(textOf(words))[0].reserving).toEqual(reserving);
  });

  it("jobs that reserve are drawn, so a recorded workload may have replicates", () => {
    const { problems } = read(textOf("reserving: { share: 0.1, alpha: 0 }", "trace: t.swf", "replicates: 3"));
    expect(problems).toEqual([]);
  });

  it("each word varies, as a whole and by its path", () => {
    const vary = `vary:
  - name: as it is
  - { name: maui, priority.name: maui }
  - { name: program, discipline: exec:./mine.py, priority: none, slots: none }
  - { name: seldom, slots.every: 1d }
`;
    const sites = sitesOf(textOf("priority: { name: slurm }, slots: { every: 1h }", "model: lublin", vary));
    expect(
      sites.map(({ discipline, priority, sampleSlotsMs }) => [discipline, priority, sampleSlotsMs]),
    ).toEqual([
      ["easy", { name: "slurm" }, 3_600_000],
      ["easy", { name: "maui" }, 3_600_000],
      ["exec:./mine.py", undefined, undefined],
      ["easy", { name: "slurm" }, 86_400_000],
    ]);
    const grid = "vary: { discipline: [easy, exec:./mine.py], answerTimeout: [1s] }";
    expect(
      read(textOf("estimates: exact", "model: lublin", grid)).scenario?.runs.map(({ name }) => name),
    ).toEqual(["discipline=easy answerTimeout=1s", "discipline=exec-.-mine.py answerTimeout=1s"]);
  });
});

describe("usage policies of a site", () => {
  const tuple = "(1) CPU, west, u1, (3600,20), (5,60)";

  it.each([
    ["policies: a.yaml", { files: ["/data/a.yaml"], tuples: [], pep: "ours" }],
    [`policies: "${tuple}", pep: literal`, { files: [], tuples: [tuple], pep: "literal" }],
    [
      `policies: [sub/a.yaml, "${tuple}"], owners: o.yaml`,
      { files: ["/data/sub/a.yaml"], tuples: [tuple], owners: "/data/o.yaml", pep: "ours" },
    ],
    ["policies: none, owners: o.yaml", undefined],
  ])("%s", (words, policies) => {
    expect(sitesOf(textOf(`discipline: fcfs, ${words}`))[0].policies).toEqual(policies);
  });

  it("policies vary; without an enforcer they go with any discipline", () => {
    const vary = "vary: { policies: [none, a.yaml], pep: [none] }";
    const sites = sitesOf(textOf("discipline: easy", "model: poisson", vary));
    expect(sites.map(({ policies }) => policies?.pep)).toEqual([undefined, "none"]);
  });

  it.each([
    [
      "policies: a.yaml, reserving: { share: 0.1, alpha: 0 }",
      "reserving cannot be combined",
      "no enforcer lets it in",
    ],
    ["discipline: fcfs, policies: missing.yaml", "cannot be read", "/data/missing.yaml"],
    ["discipline: fcfs, policies: []", "policies", "another type"],
    ["discipline: fcfs, policies: a.yaml, pep: mine", "mine", "ours, literal, none"],
  ])("refuses %s", (words, what, why) => {
    const { problems } = read(textOf(words));
    expect(problems).toMatchObject([
      { what: expect.stringContaining(what), why: expect.stringContaining(why) },
    ]);
  });
});

describe("a workload in JSON lines", () => {
  it("a workload in JSON lines has its own pools", () => {
    expect(sitesOf(textOf("onOutage: lost", "trace: sub/w.jsonl.gz, lenient: true"))[0]).toEqual({
      name: "west",
      pools: [],
      discipline: "easy",
      estimates: "requested",
      overrun: "extend",
      stoppedJobs: "lost",
      workload: { kind: "lines", trace: "/data/sub/w.jsonl.gz", lenient: true },
    });
  });

  it("as an overlay it replaces the processors of a site, and is replaced by them", () => {
    const vary = "vary: [{ name: a }, { name: b, workload: { trace: w.jsonl } }, { name: c, procs: 8 }]";
    const sites = sitesOf(textOf("estimates: exact", "trace: t.swf", vary));
    expect(sites.map(({ pools }) => pools.map(({ procs }) => procs))).toEqual([[64], [], [8]]);
    const back = "vary: [{ name: a }, { name: b, procs: 8, workload.trace: t.swf }]";
    const other = sitesOf(textOf("estimates: exact", "trace: w.jsonl", back));
    expect(other.map(({ workload }) => workload.kind)).toEqual(["lines", "recorded"]);
  });

  it("FO-43 a workload in JSON lines has no replicates", () => {
    const { problems } = read(textOf("estimates: exact", "trace: w.jsonl", "replicates: 3"));
    expect(problems).toMatchObject([{ line: 4, code: "nothingDrawn" }]);
  });
});

describe("words that do not fit", () => {
  const two = "pools: [{ name: a, procs: 4 }, { name: b, procs: 4 }]";
  it.each([
    [
      "discipline: exec:./a, priority: slurm",
      undefined,
      "priority cannot be combined",
      "exec:./a orders its queue itself",
    ],
    [
      "discipline: exec:./a, slots: { every: 1h }",
      undefined,
      "slots cannot be combined",
      "it cannot be predicted which jobs exec:./a",
    ],
    [
      "discipline: exec:./a, reserving: { share: 0.1, alpha: 0 }",
      undefined,
      "reserving cannot be combined",
      "it cannot be predicted which jobs exec:./a",
    ],
    ["onOutage: lost", undefined, "onOutage cannot be combined", "outages are lines of a workload"],
    [two, "trace: w.jsonl", "pools cannot be combined", "describes its pools itself"],
    ["procs: 5", "trace: w.jsonl", "procs cannot be combined", "describes its pools itself"],
    [
      "discipline: exec:./a, priority: age",
      "trace: w.jsonl",
      "priority cannot be combined",
      "orders its queue",
    ],
    [
      "discipline: exec:./a, slots: { every: 1h }",
      "trace: w.jsonl",
      "slots cannot be combined",
      "it cannot be predicted",
    ],
    ["estimates: exact", "trace: w.jsonl, load: 0.8", "has no load", "played as it is written"],
    ["estimates: exact", "trace: w.jsonl, jobs: 8", "has no jobs", "how jobs are drawn"],
  ])("FO-43 %s with %s", (words, workload, what, why) => {
    const { scenario, problems } = read(textOf(words, workload));
    expect(scenario).toBeUndefined();
    expect(problems).toEqual([
      expect.objectContaining({
        line: 3,
        what: expect.stringContaining(what),
        why: expect.stringContaining(why),
        remedy: expect.stringContaining("take it out"),
      }),
    ]);
  });

  it.each([
    [`discipline: exec:./a, ${two}`, undefined],
    [`slots: { every: 1h }, ${two}`, undefined],
    [`reserving: { share: 0.1, alpha: 0 }, ${two}`, undefined],
    ["priority: age, reserving: { share: 0.1, alpha: 0 }", undefined],
    ["discipline: exec:./a", "trace: w.jsonl"],
    ["priority: age", "trace: w.jsonl"],
    ["slots: { every: 1h }", "trace: w.jsonl"],
  ])("%s goes with %s", (words, workload) => {
    expect(read(textOf(words, workload)).problems).toEqual([]);
  });

  it("FO-43 a conflict in one run is reported once, at the site's word, with what that run must say", () => {
    const text = textOf(
      "slots: { every: 1h }",
      "model: lublin",
      "vary: { discipline: [easy, exec:./a, exec:b] }",
    );
    const { problems } = read(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      line: 3,
      column: 30,
      remedy: expect.stringContaining("slots: none"),
    });
  });

  it.each([
    ["discipline: 'exec:'", "programNotNamed", "nothing comes after exec:"],
    [`discipline: "exec:python3 'x"`, "programNotNamed", "the ' at character 9 of the command is open"],
    [
      "discipline: exec:sub/missing.py 5",
      "programUnreadable",
      "no such file, looked for at /data/sub/missing.py",
    ],
    ["discipline: exac:x", "valueUnknown", "one of fcfs"],
    ["answerTimeout: 0", "notPositive", "the time must be above 0"],
    ["priority: fair", "valueUnknown", "one of slurm"],
    ["priority: { config: a.yaml }", "wordMissing", "one of several"],
    ["priority: { name: slurm, config: missing.yaml }", "fileUnreadable", "/data/missing.yaml"],
    ["priority: [slurm]", "wrongType", "another type"],
    ["slots: 1h", "valueUnknown", "none"],
    ["slots: {}", "wordMissing", "needs an interval"],
    ["slots: { every: 0 }", "notPositive", "the interval between samples"],
    ["slots: { each: 1h }", "wordUnknown", "every"],
    ["reserving: 0.1", "valueUnknown", "none"],
    ["reserving: {}", "wordMissing", "how many jobs reserve"],
    ["reserving: { share: 0.1 }", "wordMissing", "a job chooses by it"],
    ["reserving: { alpha: 0.1 }", "wordMissing", "how many jobs reserve"],
    ["reserving: { share: 1.5, alpha: 0 }", "badFraction", "from 0 to 1"],
    ["reserving: { share: 0.1, alpha: much }", "wrongType", "another type"],
    ["onOutage: wait", "valueUnknown", "requeue, lost"],
  ])("FO-43 refuses %s", (words, code, why) => {
    const { problems } = read(textOf(words));
    expect(problems.map((problem) => problem.code)).toContain(code);
    expect(problems.find((problem) => problem.code === code)).toMatchObject({
      line: 3,
      why: expect.stringContaining(why),
    });
  });
});
