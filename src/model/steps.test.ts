import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { type DagNode, faultOfDag, JOB_DEFAULTS, splitSteps } from "./index.ts";
import { type JobSteps, stepRanges } from "./steps.ts";

const node = (name: string, more: Partial<DagNode> = {}): DagNode => ({
  ...{ name, description: { ...JOB_DEFAULTS, executable: "x" }, parents: [] },
  ...more,
});
const sizes = (steps: JobSteps, places: number) =>
  stepRanges("p", steps, places).map(({ from, count }) => `${from}+${count}`);

describe("splitting a job by its steps", () => {
  it("parts have about equal weight, no more than there are places or steps", () => {
    expect(sizes({ count: 10 }, 4)).toEqual(["0+2", "2+3", "5+2", "7+3"]);
    expect(sizes({ count: 10, maxParts: 2 }, 100)).toEqual(["0+5", "5+5"]);
    expect(sizes({ count: 3 }, 100)).toEqual(["0+1", "1+1", "2+1"]);
    expect(sizes({ count: 3 }, 0)).toEqual(["0+3"]);
    expect(sizes({ count: 10, currentStep: 7 }, 2)).toEqual(["7+1", "8+2"]);
    expect(sizes({ count: 4, weights: [9, 1, 1, 1] }, 2)).toEqual(["0+1", "1+3"]);
    expect(stepRanges("p", { count: 3, names: ["a", "b", "c"] }, 2).map(({ names }) => names)).toEqual([
      ["a"],
      ["b", "c"],
    ]);
  });

  it("every step is in one part, in order; no part exceeds its share by more than the heaviest step", () => {
    const weights = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 70 }), fc.nat(10), (list, places, first) => {
        const currentStep = Math.min(first, list.length - 1);
        const ranges = stepRanges("p", { count: list.length, weights: list, currentStep }, places);
        const steps = ranges.flatMap(({ from, count }) =>
          Array.from({ length: count }, (_, at) => from + at),
        );
        expect(steps).toEqual(Array.from({ length: list.length - currentStep }, (_, at) => currentStep + at));
        expect(ranges).toHaveLength(Math.min(places, list.length - currentStep));
        const left = list.slice(currentStep);
        const most = left.reduce((sum, one) => sum + one, 0) / ranges.length + Math.max(...left);
        for (const { from, count } of ranges) {
          expect(count).toBeGreaterThan(0);
          const own = list.slice(from, from + count).reduce((sum, one) => sum + one, 0);
          expect(own).toBeLessThanOrEqual(most);
        }
      }),
      draws(300),
    );
  });

  it("a node becomes its parts; what follows it follows all of them, and begins from their states", () => {
    const steps: JobSteps = { count: 4 };
    const nodes = [node("a"), node("b", { parents: [0], steps }), node("c", { parents: [1, 0] })];
    const plan = splitSteps({ userTags: {}, nodes }, () => 2);
    expect(plan.nodes.map(({ name, parents }) => [name, parents])).toEqual([
      ["a", []],
      ["b.1", [0]],
      ["b.2", [0]],
      ["c", [1, 2, 0]],
    ]);
    expect(plan.nodes.map(({ description }) => description.checkpointable)).toEqual([
      undefined,
      true,
      true,
      true,
    ]);
    expect(plan.nodes.flatMap(({ stepRange }) => stepRange ?? [])).toEqual([
      { of: "b", from: 0, count: 2 },
      { of: "b", from: 2, count: 2 },
    ]);
  });

  it("a DAG that is split into too many parts is split no further than to be refused", () => {
    const steps: JobSteps = { count: 1_000_000, maxParts: 1000 };
    const parts = Array.from({ length: 200 }, (_, at) => node(`a${at}`, { steps }));
    const many = splitSteps({ userTags: {}, nodes: parts }, () => 1).nodes;
    expect(faultOfDag(many)).toMatchObject({ kind: "tooMany" });
    expect(many.length).toBeLessThan(12_000);
    const chain = Array.from({ length: 9 }, (_, at) =>
      node(`a${at}`, { steps, parents: Array.from({ length: at }, (_, before) => before) }),
    );
    const linked = splitSteps({ userTags: {}, nodes: chain }, () => 1).nodes;
    expect(faultOfDag(linked)).toMatchObject({ kind: "tooMany" });
    expect(linked.reduce((sum, { parents }) => sum + parents.length, 0)).toBeLessThan(300_000);
  });
});
