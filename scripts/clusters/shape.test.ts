import { describe, expect, it } from "vitest";
import { describeShape, nodeNames, shapeOf, slurmName, threadsPerCore } from "./shape.ts";

describe("the shape of a test cluster", () => {
  it.each([
    ["A", "4 nodes of 4 CPUs and 4G, plain"],
    ["B", "4 nodes of 4 CPUs and 4G, rich"],
    ["west", "4 nodes of 4 CPUs and 4G, plain"],
  ])("%s alone is %s", (name, words) => {
    expect(describeShape(shapeOf({ name }))).toBe(words);
  });

  it("follows the options", () => {
    const shape = shapeOf({ name: "C", nodes: "1", cpus: "16", memory: "1536M", kind: "rich" });
    expect(describeShape(shape)).toBe("1 node of 16 CPUs and 1536M, rich");
    expect(nodeNames(shape)).toEqual(["cn1"]);
    expect(slurmName(shape)).toBe("c");
  });

  it("stays as it was, and is not changed by another wish", () => {
    const kept = shapeOf({ name: "A", nodes: "8" });
    expect(shapeOf({ name: "A" }, kept)).toEqual(kept);
    expect(shapeOf({ name: "A", nodes: "8" }, kept)).toEqual(kept);
    expect(() => shapeOf({ name: "A", nodes: "2" }, kept)).toThrow(
      "it is there with 8 nodes of 4 CPUs and 4G, plain, and you ask for 2 nodes",
    );
  });

  it.each([
    [{ name: "shared" }, "a name is a letter"],
    [{ name: "../x" }, "a name is a letter"],
    [{ name: "A", nodes: "0" }, "from 1 to 64"],
    [{ name: "A", nodes: "65" }, "from 1 to 64"],
    [{ name: "A", cpus: "4.5" }, "from 1 to 1024"],
    [{ name: "A", memory: "much" }, "a size is a number with a unit"],
    [{ name: "A", memory: "1M" }, "64M at least"],
    [{ name: "A", kind: "odd" }, "the kinds are plain and rich"],
  ])("refuses %o", (request, why) => {
    expect(() => shapeOf(request)).toThrow(why);
  });

  it("has two threads a core in a rich cluster, where the processors allow it", () => {
    const rich = { name: "B", kind: "rich" } as const;
    expect(threadsPerCore(shapeOf({ ...rich, cpus: "4" }))).toBe(2);
    expect(threadsPerCore(shapeOf({ ...rich, cpus: "3" }))).toBe(1);
    expect(threadsPerCore(shapeOf({ name: "A" }))).toBe(1);
  });
});
