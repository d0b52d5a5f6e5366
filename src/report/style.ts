/**
 * Style sheet of pages: for light and dark screens, phones, and A4 paper.
 *
 * The series' colours are told apart by people with the common kinds of colour blindness, after Okabe and
 * Ito's set; lines also differ in their dashes, so that a black-and-white print can be read.
 */

/** As many series as have a colour of their own. */
export const MOST_SERIES = 8;

/** Dashes of the lines, by series. */
export const DASHES: readonly (readonly number[])[] = [
  [],
  [7, 3],
  [2, 3],
  [9, 3, 2, 3],
  [4, 2],
  [12, 4],
  [1, 2],
  [6, 2, 1, 2, 1, 2],
];

const LIGHT = ["#0072b2", "#d55e00", "#007a5e", "#b0438c", "#8a6d00", "#2a9bd6", "#555555", "#7b3fb5"];
const DARK = ["#56b4e9", "#ff8a3c", "#33c79d", "#e68ac6", "#e6c229", "#9cd6ff", "#bbbbbb", "#b692f0"];

function colours(set: readonly string[]): string {
  return set.map((colour, at) => `--s${at}:${colour};`).join("");
}

const ON_LIGHT = `--paper:#fff;--ink:#1c2228;--faint:#5d6873;--rule:#d9dee3;${colours(LIGHT)}`;
const ON_DARK = `--paper:#14181c;--ink:#e6eaee;--faint:#9aa6b1;--rule:#343c44;${colours(DARK)}`;

const SERIES = Array.from({ length: MOST_SERIES }, (_, at) => `.l${at}{stroke:var(--s${at})}`).join("\n");

/** The style sheet. */
export const STYLE = `
:root{color-scheme:light dark;${ON_LIGHT}}
@media (prefers-color-scheme:dark){:root{${ON_DARK}}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:60rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .3rem}
h2{font-size:1.2rem;margin:2.4rem 0 .4rem;padding-top:.6rem;border-top:1px solid var(--rule)}
h3{font-size:1rem;margin:1.4rem 0 .2rem}
p{margin:.3rem 0 .8rem;max-width:46rem}
.faint,small{color:var(--faint)}
small{font-size:.9em}
.wide{overflow-x:auto;margin:.6rem 0 1rem}
table{border-collapse:collapse;font-size:.86rem;min-width:50%}
caption{text-align:left;color:var(--faint);padding-bottom:.3rem}
th,td{text-align:left;padding:.28rem .9rem .28rem 0;border-bottom:1px solid var(--rule);vertical-align:top}
th{font-weight:600}
tbody th{font-weight:400}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
code{font:.85em ui-monospace,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
figure{margin:.8rem 0 1rem;break-inside:avoid}
figcaption{font-size:.86rem;color:var(--faint);max-width:46rem}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr));gap:0 1.5rem}
.pair figure{margin:0 0 .6rem}
svg{display:block;width:100%;height:auto}
svg text{font:12px system-ui,"DejaVu Sans",sans-serif}
.defs{position:absolute;width:0;height:0}
#hatch rect{fill:var(--paper)}#hatch line{stroke:var(--faint);stroke-width:1.2}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;
margin:.3rem 0;padding:0;font-size:.86rem}
.legend svg{display:inline-block;width:28px;height:10px;margin-right:.4rem;vertical-align:middle}
${SERIES}
details{margin:.2rem 0 1rem}
summary{cursor:pointer;font-size:.86rem;color:var(--faint)}
@page{size:A4;margin:16mm 14mm}
@media print{:root{${ON_LIGHT}}
body{max-width:none;padding:0;font-size:10pt}
h2{break-after:avoid}h3{break-after:avoid}
details:not([open]){display:none}
.wide{overflow:visible}table{font-size:8pt}tr{break-inside:avoid}
.pair{grid-template-columns:1fr 1fr}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`;
