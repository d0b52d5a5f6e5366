import { describe, expect, it } from "vitest";
import {
  SCENARIO_METRICS,
  type Scenario,
  type ScenarioDifference,
  type ScenarioRow,
  type ScenarioSummary,
  type SlotSummary,
  type WorkloadFacts,
} from "../../model/index.ts";
import { differencesOf, estimatesOf } from "../scenario/intervals.ts";
import type { SiteOutcome } from "../scenario/site-outcome.ts";
import { waitCounts } from "../scenario/wait-counts.ts";
import { metricAxis, metricValue } from "./metric-text.ts";
import { outcomeText } from "./outcome-text.ts";
import { shortNames } from "./report-matter.ts";
import { scenarioReport } from "./scenario-report.ts";

const cut = { kind: "time", lengthMs: 0 } as const;
const NASTY = `<script>alert("1")</script>&`;

/** A scenario of `runs` runs at two sites with two replicates, made up. */
function matter(runs: number, waitMs = 90_000) {
  const site = (name: string) => ({
    name,
    pools: [{ name: "all", procs: 4 }],
    discipline: "easy" as const,
    estimates: "exact" as const,
    overrun: "extend" as const,
    workload: {
      kind: "recorded" as const,
      trace: `/data/${NASTY}.swf`,
      lenient: false,
      scale: "overlay" as const,
      load: 1,
    },
  });
  const scenario: Scenario = {
    name: NASTY,
    folder: "/data",
    seed: 1,
    replicates: 2,
    warmUp: { kind: "jobs", count: 3 },
    coolDown: cut,
    baseline: "run 0",
    compare: ["waitMeanSec", "utilisation", "backfilled"],
    jobsOut: "none",
    runs: Array.from({ length: runs }, (_, i) => ({
      name: i === 1 ? NASTY : `run ${i}`,
      settings: {},
      sites: [site("west"), site("east")],
    })),
  };
  const outcomes = scenario.runs.flatMap((run) =>
    [1, 2].flatMap((replicate) =>
      run.sites.map(({ name }): SiteOutcome => {
        const measures = Object.fromEntries(SCENARIO_METRICS.map((metric) => [metric, replicate / 4]));
        const counts = { replicate, seed: 1, jobs: 9, jobsCounted: 6, classes: [] };
        const row = { ...measures, run: run.name, site: name, ...counts };
        return {
          row: row as unknown as ScenarioRow,
          course: { stepSec: 60, busy: [0, 0.5, 1], waiting: [0, 3, 1], fromSec: 60, untilSec: 180 },
          waitCounts: waitCounts([0, waitMs]),
          users: [],
        };
      }),
    ),
  );
  const rows = outcomes.map(({ row }) => row);
  const summary: ScenarioSummary = {
    version: "1.2.3",
    scenario: scenario.name,
    ...{ seed: 1, replicates: 2, warmUp: scenario.warmUp, coolDown: cut, baseline: "run 0" },
    compare: scenario.compare,
    simulationsPlanned: 2 * runs,
    simulationsDone: 2 * runs,
    estimates: estimatesOf(scenario, rows),
    differences: differencesOf(scenario, rows),
    rows,
  };
  return { scenario, summary, outcomes };
}

/** The same with slots sampled in the first run, and events in the second. */
function eventful(): ReturnType<typeof matter> {
  const { scenario, summary, outcomes } = matter(2);
  const spread = { mean: 3.25, median: 3, p95: 8, p99: 9, max: 9 };
  const slots: SlotSummary = {
    everySec: 3600,
    samples: 24,
    ...{ count: spread, jobsInSystem: spread, countJobsCorrelation: -0.5 },
    ...{ procs: spread, startSec: spread, durationSec: { ...spread, mean: 7200 }, extensibleShare: 0.25 },
  };
  const workload: WorkloadFacts = {
    pools: [],
    stoppedJobs: "lost",
    fitNowhere: { unknownPool: 0, procs: 0, memory: 0, gpus: 0, together: 0 },
    cancelled: { waiting: 2, running: 1, ended: 0 },
    ...{ outages: 5, stopped: 7, requeued: 0, lost: 7, brokenReservations: 0, startedLate: 0 },
    ...{ wastedProcSec: 5400, downProcSec: 0 },
  };
  const more = outcomes.map((outcome): SiteOutcome => {
    if (outcome.row.run !== "run 0") return { ...outcome, row: { ...outcome.row, workload } };
    const slotCourse = { stepSec: 3600, counts: [1, 4, 2] };
    return { ...outcome, row: { ...outcome.row, slots }, slotCourse };
  });
  return { scenario, summary: { ...summary, rows: more.map(({ row }) => row) }, outcomes: more };
}

/** The sentence of a base of 10 s and other runs, by the interval of their difference. */
function outcomeOf(...intervals: readonly (readonly [number | null, number | null])[]): string {
  const { scenario, summary, outcomes } = matter(1);
  const means = [5, 20, 9];
  const [first] = summary.estimates;
  const estimate = (run: string, mean: number) => {
    const waitMeanSec = { mean, low: null, high: null, count: 2 };
    return { ...first, run, metrics: { ...first.metrics, waitMeanSec } };
  };
  const names = ["one", "two", "three"].slice(0, intervals.length);
  const differences = names.map((run, at): ScenarioDifference => {
    const [low, high] = intervals[at];
    return {
      run,
      baseline: "base",
      site: "west",
      metric: "waitMeanSec",
      mean: means[at] - 10,
      low,
      high,
      count: 2,
    };
  });
  const estimates = [estimate("base", 10), ...names.map((run, at) => estimate(run, means[at]))];
  const own = { ...summary, baseline: "base", estimates, differences };
  return outcomeText({ scenario, summary: own, outcomes, called: (run) => run }, "west", "");
}

function reportOf({ scenario, summary, outcomes }: ReturnType<typeof matter>): string {
  return scenarioReport(scenario, summary, outcomes);
}

/** Whether every element that is opened is closed, in order. */
function isWellFormed(html: string): boolean {
  const open: string[] = [];
  for (const [, slash, name, selfClosing] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*?(\/?)>/g)) {
    if (selfClosing === "/" || ["meta", "br"].includes(name)) continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0;
}

describe("the report of a scenario", () => {
  const html = reportOf(matter(3));

  it("SI-35 the page has no scripts and loads nothing", () => {
    expect(html).not.toMatch(/<script|<link|<img|<iframe|@import|url\((?!#hatch)|https?:|\bon[a-z]+=/i);
    expect(html).toContain("prefers-color-scheme:dark");
    expect(html).toContain("@page{size:A4");
  });

  it("SI-35 names are escaped", () => {
    expect(html).toContain("<h1>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;</h1>");
    expect(isWellFormed(html)).toBe(true);
  });

  it("SI-35 each chart has a name and a table", () => {
    const pictures = html.match(/<svg viewBox="[^"]*" role="img" aria-label="[^"]+"><title>[^<]+<\/title>/g);
    // Three metrics, two courses and one distribution at two sites.
    expect(pictures).toHaveLength(2 * (3 + 2 + 1));
    expect(html.match(/<svg(?![^>]*aria-)/g)).toBeNull();
    expect(html.match(/<details>/g)).toHaveLength(2 * (2 + 1));
    for (const caption of [
      "The runs at west",
      "The runs at east",
      "Jobs waiting at west",
      "Started within, at east",
    ]) {
      expect(html).toContain(`<caption>${caption}`);
    }
  });

  it("slots are shown over time and as distributions, for the runs that sample them", () => {
    const report = reportOf(eventful());
    expect(report).toContain("<h2>Slots</h2>");
    expect(report.match(/<title>Slots advertised at (west|east)<\/title>/g)).toHaveLength(2);
    expect(report).toContain("<caption>Slots at west: ");
    const cells = ["24", "3.25", "3.25", "−0.50", "3.25", "3.3s", "2h00m", "25.0 %"];
    const row = cells.map((cell) => `<td class="number">${cell}`).join("(<br><small>[^<]+</small>)?</td>");
    expect(report).toMatch(new RegExp(`<th scope="row">run 0</th>${row}`));
    expect(isWellFormed(report)).toBe(true);
    expect(report).not.toMatch(/NaN|Infinity|undefined|null/);
    expect(html).not.toContain("Slots");
  });

  it("jobs that did not start and end are reported", () => {
    const report = reportOf(eventful());
    const cells = ["3", "5", "7", "0", "7", "1.5", "0.0"].map((cell) => `<td class="number">${cell}</td>`);
    expect(report).toContain(`<td>west</td>${cells.join("")}`);
    expect(html).not.toContain("Cancellations");
  });

  it("the report begins with the result at each site", () => {
    const sentence = (text: string) => expect(html).toContain(`<p>${text}.</p>`);
    // Every run has the same values here.
    const nasty = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;";
    const others = `not clearly different with ${nasty} (0.4s) and run 2 (0.4s)`;
    sentence(`Mean wait at west: 0.4s with run 0, the baseline; ${others}`);
    sentence(`Mean wait at east: 0.4s with run 0, the baseline; ${others}`);
    expect(outcomeOf([-9, -1], [6, 12], [-9, 3])).toBe(
      "Mean wait: 10s with base, the baseline; clearly lower with one (5s); clearly higher with two (20s); " +
        "not clearly different with three (9s).",
    );
    expect(outcomeOf([null, null])).toBe("Mean wait: 10s with base, the baseline; lower with one (5s).");
  });

  it("an empty chart is replaced by a sentence", () => {
    const { scenario, summary, outcomes } = matter(1, 0);
    const calm = outcomes.map((one) => ({ ...one, course: { ...one.course, waiting: [0, 0, 0] } }));
    const report = scenarioReport(scenario, summary, calm);
    expect(report).toContain("<h3>Jobs waiting at west</h3>\n<p>No job waited.</p>");
    expect(report).toContain("<p>Every job started within a second.</p>");
    expect(report.match(/<svg[^>]* role="img"/g)).toHaveLength(2 * (3 + 1));
  });

  it("a run that dwarfs the others does not set their axis", () => {
    const { scenario, summary, outcomes } = matter(3);
    const estimates = summary.estimates.map((one, at) => {
      const mean = at < 2 ? 1e6 : 100 + at;
      return { ...one, metrics: { ...one.metrics, waitMeanSec: { ...one.metrics.waitMeanSec, mean } } };
    });
    const busy = outcomes.map((one, at) => ({
      ...one,
      course: { ...one.course, waiting: at < 4 ? [9000, 0, 0] : [at, 0, 0] },
    }));
    const report = scenarioReport(scenario, { ...summary, estimates }, busy);
    expect(report).toContain("run 0: 11d13h, beyond the axis");
    expect(report).toContain("Each run has a scale of its own");
  });

  it("runs that can be read on one scale share it", () => {
    expect(html).not.toContain("a scale of its own");
  });

  it("charts contain numbers only", () => {
    expect(html).not.toMatch(/NaN|Infinity|undefined|null/);
    expect(reportOf(matter(2, 0))).not.toMatch(/NaN|Infinity|undefined|null/);
    expect(reportOf(matter(2, 1e13))).not.toMatch(/NaN|Infinity|undefined|null/);
  });

  it("charts show the first eight runs, tables all", () => {
    const many = reportOf(matter(10));
    expect(many).toContain("The first 8 runs are drawn");
    expect(many).toContain('<th scope="row">run 9</th>');
    expect(isWellFormed(many)).toBe(true);
  });

  it("SI-7 an early stop is stated, even without any result", () => {
    const { scenario, summary } = matter(1);
    const none = { ...summary, simulationsDone: 0, rows: [], estimates: [], differences: [] };
    expect(scenarioReport(scenario, none, [])).toContain("0 of 2 simulations");
  });
});

describe("words of the report", () => {
  it.each([
    ["waitMeanSec", -5, "−5s"],
    ["waitMeanSec", 3725, "1h02m"],
    ["utilisation", 0.12345, "12.35 %"],
    ["boundedSlowdownMean", 3.146, "3.15"],
    ["backfilled", 12.25, "12.3"],
  ] as const)("the text of %s %f is %s", (metric, value, text) => {
    expect(metricValue(metric, value)).toBe(text);
    expect(metricAxis("utilisation", 0.7).ticks.at(-1)).toMatchObject({ text: "80" });
  });

  it.each([
    ["discipline=fcfs", "discipline=easy", "easy"],
    ["load=0.8 estimates=exact", "load=0.9 estimates=exact", "load=0.9"],
    ["load=0.8 estimates=exact", "load=0.9 estimates=requested", "load=0.9 requested"],
    ["as today", "load=0.9", "load=0.9"],
    ["load=0.9", "discipline=easy", "discipline=easy"],
    ["load=0.9", "load=0.9", "load=0.9"],
  ])("beside %s, the short name of %s is %s", (one, other, short) => {
    expect(shortNames([one, other])(other)).toBe(short);
  });
});
