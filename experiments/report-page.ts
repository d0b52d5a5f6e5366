/**
 * What the reports of all experiments share: one HTML file, figures beside the claims, no scripts.
 */
import { type Cell, escaped, htmlTable } from "../src/sim/report/markup.ts";
import { STYLE } from "../src/sim/report/style.ts";
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
    const pictures = own.map(figureHtml).join("");
    const table = verdictTable(verdicts.filter(({ figure }) => figure === name));
    return `<section><h2>${escaped(name)}</h2>\n${pictures}${table}</section>`;
  });
  const others = verdicts.filter(({ figure }) => !shown.has(figure));
  const items = deviations.map((text) => `<li>${escaped(text)}</li>`).join("\n");
  return (
    `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n` +
    `<meta name="viewport" content="width=device-width,initial-scale=1">\n` +
    `<title>${escaped(title)}</title>\n<style>${STYLE}</style>\n</head>\n<body>\n` +
    `<header><h1>${escaped(title)}</h1>\n<p>${escaped(summary(verdicts))}</p>\n` +
    `<p>Deviations from the source:</p>\n<ul>${items}</ul>\n</header>\n` +
    `<section><h2>What was run</h2>\n${opening}${verdictTable(others)}</section>\n` +
    `${sections.join("\n")}\n</body>\n</html>\n`
  );
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
