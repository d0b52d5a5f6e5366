/**
 * Utilisation and queue length over time, of the first replicate of each run.
 */
import type { SiteOutcome } from "../scenario/simulate-site.ts";
import { type Cell, escaped, numberCell, tableBehind } from "./markup.ts";
import { lengthText } from "./metric-text.ts";
import type { ReportMatter } from "./report-matter.ts";
import { type Strip, strips } from "./strips.ts";
import { MOST_SERIES } from "./style.ts";
import { type Axis, numberAxis, shareAxis } from "./ticks.ts";

/** Steps of the picture in one row of the table. */
const STEPS_A_ROW = 4;

/** The section. */
export function courseSection({ scenario, outcomes }: ReportMatter): string {
  const sites = scenario.runs[0].sites.map(({ name }) => name);
  const parts = sites.map((site) => {
    const first = scenario.runs.flatMap(({ name }): SiteOutcome[] => {
      const found = outcomes.find(({ row }) => row.run === name && row.site === site);
      return found === undefined ? [] : [found];
    });
    return sitePart(site, first, sites.length > 1);
  });
  return `<section><h2>Over time</h2>\n${parts.join("\n")}</section>`;
}

interface Measure {
  readonly noun: string;
  readonly values: (outcome: SiteOutcome) => readonly number[];
  readonly axis: (most: number) => Axis;
  readonly text: (value: number) => string;
}

const MEASURES: readonly Measure[] = [
  {
    noun: "Utilisation",
    values: ({ course }) => course.busy,
    axis: () => shareAxis(1, 2),
    text: (value) => `${(value * 100).toFixed(1)} %`,
  },
  {
    noun: "Jobs waiting",
    values: ({ course }) => course.waiting,
    axis: (most) => numberAxis(most, 4, "jobs"),
    text: (value) => value.toFixed(1),
  },
];

function sitePart(site: string, outcomes: readonly SiteOutcome[], namesSite: boolean): string {
  const shown = outcomes.slice(0, MOST_SERIES);
  const left = outcomes.length - shown.length;
  const rest = left > 0 ? ` The first ${shown.length} runs are drawn, the table has all.` : "";
  return MEASURES.map((measure) => {
    const title = namesSite ? `${measure.noun} at ${site}` : measure.noun;
    const most = Math.max(...shown.flatMap((outcome) => measure.values(outcome)));
    const all = shown.map((outcome, series) => stripOf(outcome, series, measure));
    const name = { title, description: "One strip for each run; the numbers are in the table below." };
    const picture = strips(name, all, measure.axis(most));
    const caption = `Of each run the first replicate; shaded is what is not counted.${rest}`;
    return (
      `<figure><h3>${escaped(title)}</h3>\n${picture}\n<figcaption>${caption}</figcaption></figure>\n` +
      courseTable(title, outcomes, measure)
    );
  }).join("\n");
}

function stripOf(outcome: SiteOutcome, series: number, { values }: Measure): Strip {
  const { stepSec, fromSec, untilSec } = outcome.course;
  return { name: outcome.row.run, series, stepSec, values: values(outcome), fromSec, untilSec };
}

/** Each run has steps of its own length, so a row says by its share of the run where it is. */
function courseTable(title: string, outcomes: readonly SiteOutcome[], measure: Measure): string {
  const heads: Cell[] = [
    { text: "part of the run" },
    ...outcomes.flatMap(({ row }) => [numberCell(`${row.run}: from`), numberCell(row.run)]),
  ];
  const steps = outcomes[0].course.busy.length;
  const rows = Array.from({ length: Math.ceil(steps / STEPS_A_ROW) }, (_, row): Cell[] => {
    const from = row * STEPS_A_ROW;
    return [
      { text: `${((100 * from) / steps).toFixed(1)} %` },
      ...outcomes.flatMap((outcome) => {
        const values = measure.values(outcome).slice(from, from + STEPS_A_ROW);
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        return [numberCell(lengthText(from * outcome.course.stepSec)), numberCell(measure.text(mean))];
      }),
    ];
  });
  return tableBehind(`${title}: means over ${Math.ceil(steps / STEPS_A_ROW)} parts of each run`, heads, rows);
}
