import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/house/finding.ts";

/** Features that anybody can find by a word, and in how many product files it may stand. */
const PRICES = [
  { word: /follower/i, most: 10 },
  { word: /site-?note|noteSite/i, most: 9 },
];

const source = join(repositoryRoot, "src");
const product = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => ({ file, text: readFileSync(join(source, file), "utf8") }));

describe("the price of a feature", () => {
  it("a feature stands in ten product files at most", () => {
    for (const { word, most } of PRICES) {
      const files = product.filter(({ text }) => word.test(text)).map(({ file }) => file);
      expect(files.length, `${word} stands in\n${files.sort().join("\n")}`).toBeLessThanOrEqual(most);
      expect(files.length, `${word} is a word of the product`).toBeGreaterThan(2);
    }
  });
});
