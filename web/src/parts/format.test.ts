import { expect, it } from "vitest";
import { measuredText } from "./format.ts";

it("writes measured amounts with three digits and decimal units", () => {
  const texts = [0, 999.4, 999.6, 254_720, 384_000, 1_910_000, 999_600_000, 4e17].map(measuredText);
  expect(texts).toEqual(["0 B", "999 B", "1 kB", "255 kB", "384 kB", "1.91 MB", "1 GB", "400 PB"]);
});
