/**
 * What the reports of all experiments share: one HTML file, figures beside the claims, no scripts.
 */
import { type Cell, escaped, htmlPage, htmlTable, paragraph, section } from "../src/report/index.ts";
import { type Control, summary, type Verdict } from "./verdict.ts";

/** A figure of the source as we find it. */
export interface Figure {
  /** As verdicts name it. */
  readonly figure: string;
  readonly title: string;
  /** SVG. */
  readonly pictures: readonly string[];
  readonly caption: string;
}

/** A report. */
export interface ReportPage {
  readonly title: string;
  /** Plain sentences: how this differs from the source. */
  readonly deviations: readonly string[];
  /** HTML that comes before the figures: what was run. */
  readonly opening: string;
  readonly figures: readonly Figure[];
  /** Those of a figure stand below it, others at the end. */
  readonly verdicts: readonly Verdict[];
}

/** The HTML text. */
export function reportPage({ title, deviations, opening, figures, verdicts }: ReportPage): string {
  const shown = new Set(figures.map(({ figure }) => figure));
  const sections = [...shown].map((name) => {
    const own = figures.filter(({ figure }) => figure === name);
    const table = verdictTable(verdicts.filter(({ figure }) => figure === name));
    return section(name, [...own.map(figureHtml), table]);
  });
  const others = verdicts.filter(({ figure }) => !shown.has(figure));
  const items = deviations.map((text) => `<li>${escaped(text)}</li>`).join("\n");
  const header =
    `<header><h1>${escaped(title)}</h1>\n${paragraph(summary(verdicts))}` +
    `<p>Deviations from the source:</p>\n<ul>${items}</ul>\n</header>`;
  return htmlPage(title, [header, section("What was run", [opening, verdictTable(others)]), ...sections]);
}

/** A figure as HTML. */
function figureHtml({ title, pictures, caption }: Figure): string {
  const pair = pictures.map((picture) => `<div>${picture}</div>`).join("\n");
  return (
    `<figure><h3>${escaped(title)}</h3>\n` +
    `<div class="${pictures.length > 1 ? "pair" : "one"}">${pair}</div>\n` +
    `<figcaption>${escaped(caption)}</figcaption></figure>\n`
  );
}

/** What became of the same check without the mechanism. */
export function controlText({ system, outcome, numbers }: Control): string {
  return `${system}: ${CONTROL_WORDS[outcome] ?? "fails"} (${numbers})`;
}

const CONTROL_WORDS: Partial<Record<Control["outcome"], string>> = {
  reproduced: "passes too",
  partly: "fails in part",
  "not measured": "not measured",
};

function verdictTable(verdicts: readonly Verdict[]): string {
  if (verdicts.length === 0) return "";
  const isControlled = verdicts.some(({ controls }) => controls !== undefined);
  const columns = ["the source's claim", "verdict", "our numbers", ...(isControlled ? ["control"] : [])];
  const heads: Cell[] = columns.map((text) => ({ text }));
  const rows = verdicts.map(({ claim, outcome, numbers, why, controls = [] }): Cell[] => [
    { text: claim },
    { text: outcome },
    { text: numbers, ...(why === undefined ? {} : { note: why }) },
    ...(isControlled ? [{ text: controls.map(controlText).join("; ") }] : []),
  ]);
  return htmlTable("Claims", heads, rows);
}
