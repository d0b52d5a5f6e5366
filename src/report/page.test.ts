import { expect, it } from "vitest";
import { figure, htmlPage, paragraph, section } from "./page.ts";
import { htmlTable, numberCell, tableBehind } from "./table.ts";

const NASTY = `<script src="http://x">&'`;
const text = "&lt;script src=&quot;http://x&quot;&gt;&amp;&#39;";

it("RP-1 a page has no scripts, asks nothing of a network, and is read in the dark and on paper", () => {
  const page = htmlPage(NASTY, [section(NASTY, [paragraph(NASTY)])]);
  expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\bon[a-z]+=/i);
  expect(page).toContain("@media (prefers-color-scheme:dark)");
  expect(page).toContain("@page{size:A4");
  expect(page).toContain(`<title>${text}</title>`);
  expect(page).toContain(`<section><h2>${text}</h2>\n<p>${text}</p>`);
});

it("RP-1 the pattern that charts are hatched with stands in the page once, where one uses it", () => {
  const page = htmlPage("x", [figure(NASTY, '<path fill="url(#hatch)"/>', NASTY)]);
  expect(page.match(/<pattern id="hatch"/g)).toHaveLength(1);
  expect(page).toContain(`<h3>${text}</h3>`);
  expect(page).toContain(`<figcaption>${text}</figcaption>`);
  expect(htmlPage("x", [])).not.toContain("<pattern");
});

it("RP-6 a section without content is none", () => {
  expect(section("Slots", ["", ""])).toBe("");
  expect(htmlPage("x", ["", "<p>here</p>", ""])).toContain("<body>\n<p>here</p>\n</body>");
});

it("RP-3 tables have a caption, heads, and numbers on the right", () => {
  const table = htmlTable(
    NASTY,
    [{ text: "run" }, numberCell("wait")],
    [[{ text: NASTY }, numberCell("1", NASTY)]],
  );
  expect(table).toContain(`<caption>${text}</caption>`);
  expect(table).toContain('<th scope="col" class="number">wait</th>');
  expect(table).toContain(`<th scope="row">${text}</th><td class="number">1<br><small>${text}</small></td>`);
  expect(tableBehind("x", [], [])).toMatch(/^<details><summary>The numbers<\/summary>/);
});
