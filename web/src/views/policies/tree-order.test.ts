import { expect, it } from "vitest";
import { inTreeOrder } from "./tree-order.ts";

it("lists each consumer before its parts, and organisations apart from those whose names begin alike", () => {
  const paths = ["bio/ann", "bio-lab", "bio", "bio/ann/own", "atlas"];
  const levels = paths.map((consumer) => ({ consumer, resource: "cpu" as const }));
  const ordered = inTreeOrder(levels).map(({ consumer }) => consumer);
  expect(ordered).toEqual(["atlas", "bio", "bio/ann", "bio/ann/own", "bio-lab"]);
});
