import { describe, expect, it } from "vitest";
import { numberAxis, shareAxis, timeAxisUntil } from "./axis.ts";
import { barChart, type Layer, type Panel, panelChart, steps } from "./chart.ts";
import { lineChart } from "./line-chart.ts";

const NASTY = `<b class="zr0-c" style="x">&</b>`;
const name = { title: NASTY, description: "What it shows" };
const layers: readonly Layer[] = [
  { kind: "line", series: 0, points: steps([0.5, null, 0.25], 600), isFilled: true },
  { kind: "line", series: 1, points: steps([0.3], 1800) },
  { kind: "band", how: "hatched", spans: [[600, 1200]] },
  { kind: "band", how: "shaded", spans: [[0, 300]] },
  { kind: "marks", series: 1, spans: [[0, 600]] },
  { kind: "dots", series: 2, points: [[900, 0.1]], isHollow: true },
];
const panel: Panel = { title: NASTY, up: shareAxis(0.5, 5), layers };
const drawn = () => panelChart(name, timeAxisUntil(1800, 5), [panel, { up: panel.up, layers: [] }]);
const bars = [
  { text: `${NASTY} 3`, series: 0, value: 3, interval: [2, 4] },
  { text: "far", series: 1, value: 99 },
] as const;

/** The coordinates of the path of a colour. */
function pathOf(svg: string, colour: string): string | undefined {
  return svg.match(new RegExp(`<path d="([^"]*)" [^>]*stroke="var\\(--${colour}\\)"`))?.[1];
}

describe("charts", () => {
  const svg = drawn();

  it("RP-2 the same values give the same text, whatever was drawn before", () => {
    barChart(name, numberAxis(10, 5, ""), bars);
    expect(drawn()).toBe(svg);
  });

  it("RP-2 nothing in it is named by a counter, and its colours are those of the page", () => {
    for (const chart of [svg, barChart(name, numberAxis(10, 5, ""), bars)]) {
      expect(chart).not.toMatch(/ (id|class|style|clip-path)="|<(style|defs|g)\b|#[0-9a-f]{6}/);
      expect(chart.match(/<svg/g)).toHaveLength(1);
      expect(chart).not.toMatch(/NaN|undefined|null|Infinity/);
    }
  });

  it("RP-3 says what it shows, and takes what it is called for text", () => {
    const text = "&lt;b class=&quot;zr0-c&quot; style=&quot;x&quot;&gt;&amp;&lt;/b&gt;";
    expect(svg).toContain(`role="img" aria-label="${text}. What it shows"><title>${text}</title>`);
    expect(svg).not.toContain("<b");
    expect(svg.replaceAll("&quot;", '"')).toContain(
      '&lt;b class="zr0-c" style="x"&gt;&amp;&lt;/b&gt;</text>',
    );
  });

  it("RP-3 draws each value in its place, and interrupts the line where there is none", () => {
    // 646 points across are 1800 s, 260 up are a half.
    expect(pathOf(svg, "s0")).toBe("M56 28L271.3 28M486.7 158L702 158");
    expect(pathOf(svg, "s1")).toBe("M56 132L702 132");
    expect(svg).toContain('points="271.3 288 486.7 288 486.7 28 271.3 28" fill="url(#hatch)"');
    expect(svg).toContain('d="M56 288L271.3 288" fill="none" stroke="var(--s1)" stroke-width="5"');
    expect(svg).toMatch(/<text [^>]*>30<\/text>/);
    expect(svg).toContain(">minutes</text>");
    expect(svg).toMatch(/<text [^>]*>50 %<\/text>/);
  });

  it("RP-5 ends a bar that is longer than the axis where the axis ends", () => {
    const chart = barChart(name, numberAxis(10, 5, "hours"), bars);
    expect(chart).toContain('d="M8 24l128.4 0l0 12l-128.4 0Z" fill="var(--s0)"');
    expect(chart).toContain('d="M8 64l428 0l0 12l-428 0Z" fill="var(--s1)"');
    expect(pathOf(chart, "ink")).toBe("M93.6 30L179.2 30");
    expect(chart).toContain("&gt; 3</text>");
  });

  it("RP-3 names lines in a legend, by the dashes that they have", () => {
    const points = [[0, 1]] as const;
    const lines = [
      { name: NASTY, series: 0, points },
      { name: "two", series: 1, points },
    ];
    const chart = lineChart(name, lines, [numberAxis(1, 4, "x"), numberAxis(1, 4, "jobs")]);
    expect(chart).toContain(
      'class="l1" x1="0" x2="28" y1="5" y2="5" stroke-width="1.8" stroke-dasharray="7,3"',
    );
    expect(chart).toContain("/b&gt;</li>");
    expect(chart).toContain(">jobs</text>");
  });
});
