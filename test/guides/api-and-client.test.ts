import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { describeGuide } from "./run-guide.ts";

const page = "docs/guides/api-and-client.md";
describeGuide(page);

it("the program that the page shows is the one that runs", () => {
  const read = (path: string) => readFileSync(resolve(import.meta.dirname, "../..", path), "utf8");
  const [, shown] = /^```js\n([\s\S]*?)^```$/m.exec(read(page)) ?? [];
  expect(shown).toBe(read("examples/client/run-here.mjs"));
});
