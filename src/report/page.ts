/**
 * The frame of every page: one HTML file, no scripts, nothing from elsewhere (rule RP-1).
 */
import { STYLE } from "./style.ts";
import { escaped } from "./table.ts";

/** SVG pattern that fills hatched stretches of charts. */
const HATCH =
  '<svg class="defs" aria-hidden="true"><defs><pattern id="hatch" width="7" height="7" ' +
  'patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7"/>' +
  '<line x1="0" y1="0" x2="0" y2="7"/></pattern></defs></svg>';

/** The page; `body` is HTML. */
export function htmlPage(title: string, body: readonly string[]): string {
  const parts = body.filter((part) => part !== "").join("\n");
  return (
    `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n` +
    `<meta name="viewport" content="width=device-width,initial-scale=1">\n` +
    `<title>${escaped(title)}</title>\n<style>${STYLE}</style>\n</head>\n<body>\n` +
    `${parts.includes("url(#hatch)") ? HATCH : ""}${parts}\n</body>\n</html>\n`
  );
}

/** A part of a page with its heading; empty where its parts are. */
export function section(heading: string, parts: readonly string[]): string {
  const inside = parts.filter((part) => part !== "").join("\n");
  return inside === "" ? "" : `<section><h2>${escaped(heading)}</h2>\n${inside}</section>`;
}

/** A chart with its heading and what is said below it. */
export function figure(heading: string, chart: string, caption: string): string {
  return (
    `<figure><h3>${escaped(heading)}</h3>\n${chart}\n` +
    `<figcaption>${escaped(caption)}</figcaption></figure>\n`
  );
}

/** Text of its own. */
export function paragraph(text: string): string {
  return `<p>${escaped(text)}</p>\n`;
}
