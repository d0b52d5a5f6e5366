import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { depthsOf, type LayeredNode, layersOf } from "./layers.ts";

const node = (key: string, ...parents: string[]): LayeredNode => ({ key, parents });

/** Graphs whose nodes have parents among those before them. */
const graphs = fc
  .array(fc.array(fc.nat(30), { maxLength: 4 }), { minLength: 1, maxLength: 25 })
  .map((wishes) =>
    wishes.map((wish, at) => node(`n${at}`, ...new Set(wish.filter((it) => it < at).map((it) => `n${it}`)))),
  );

describe("layers of a graph", () => {
  it("puts every node once, after all of its parents and right after the last of them", () => {
    fc.assert(
      fc.property(graphs, (nodes) => {
        const layers = layersOf(nodes);
        expect(layers.flat().sort()).toEqual(nodes.map(({ key }) => key).sort());
        const layer = new Map(layers.flatMap((keys, at) => keys.map((key) => [key, at] as const)));
        for (const { key, parents } of nodes) {
          const last = Math.max(-1, ...parents.map((it) => layer.get(it) ?? Number.NaN));
          expect(layer.get(key)).toBe(last + 1);
        }
      }),
      draws(200),
    );
  });

  it("crosses no edges of two chains that were given crosswise", () => {
    const nodes = [node("a"), node("b"), node("of b", "b"), node("of a", "a")];
    const [first = [], second = []] = layersOf(nodes);
    expect(second).toEqual(first.map((key) => `of ${key}`));
  });

  it("ignores parents that are not in the graph", () => {
    expect(layersOf([node("a", "gone"), node("b", "a")])).toEqual([["a"], ["b"]]);
  });

  it("counts the longest chain before a node", () => {
    const depths = depthsOf([node("a"), node("b", "a"), node("c", "a", "b"), node("d")]);
    expect(Object.fromEntries(depths)).toEqual({ a: 0, b: 1, c: 2, d: 0 });
  });
});
