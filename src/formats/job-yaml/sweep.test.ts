import { describe, expect, it } from "vitest";
import { valuesAt } from "../../model/index.ts";
import { readJobYaml } from "./read.ts";

function read(sweep: string, files: Readonly<Record<string, string>> = {}) {
  return readJobYaml(`executable: /bin/run\narguments: --t $\{t}\nsweep:\n${sweep}`, {
    ...{ folder: "/here", fileState: () => "readable" },
    readText: (path) => ({ ok: true, value: files[path] ?? "" }),
  });
}

describe("sweep", () => {
  it("FO-193 lists, ranges, random draws and columns are combined", () => {
    const files = { "/here/cases.csv": 'case,size\none,"1,5"\ntwo,2\n' };
    const { jobs, problems, warnings } = read(
      "  parameters:\n    t: [280, 300]\n    seed: { from: 1, to: 2, step: 0.5 }\n" +
        "    noise: { random: 2, seed: 7, from: 0, to: 1 }\n    size: { csv: cases.csv }\n  atMost: 5\n",
      files,
    );
    expect([problems, warnings]).toEqual([[], []]);
    const { sweep, array } = jobs[0]?.description ?? {};
    expect(array).toBe("0-23%5");
    expect(sweep?.parameters[1]).toEqual({ name: "seed", from: 1, step: 0.5, count: 3 });
    expect(sweep && valuesAt(sweep, 0)).toMatchObject({ t: "280", seed: "1", size: "1,5" });
    expect(read("  parameters:\n    x: { random: 3, seed: 7, from: 0, to: 1 }\n").jobs).toEqual(
      read("  parameters:\n    x: { random: 3, seed: 7, from: 0, to: 1 }\n").jobs,
    );
  });

  it("FO-193 where leaves points out; zip takes values one by one", () => {
    const of = (text: string) => read(text).jobs[0]?.description;
    const product = of('  parameters: { t: [280, 300], s: [a, b, c] }\n  where: t < 300 || s == "b"\n');
    expect([product?.array, product?.sweep?.points]).toEqual(["0-3", "0-2,4"]);
    expect(of("  parameters: { t: [280, 300], s: [a, b, c] }\n  combine: zip\n")?.array).toBe("0-1");
  });

  it.each([
    ["  parameters: { a: { from: 1, to: 100000 }, b: { from: 1, to: 10000 } }\n", "1,000,000,000 points"],
    ["  parameters: {}\n", "no parameters"],
    ["  parameters: { a: [] }\n", "cannot be read"],
    ["  parameters: { a: { from: 2, to: 1 } }\n", "cannot be read"],
    ["  parameters: { a: { csv: none.csv } }\n", "cannot be read"],
    ["  parameters: { a: [1] }\n  where: a >\n", "the condition `where` is true at no point"],
    ["  parameters: { a: [1] }\n  where: a > 1\n", "the condition `where` is true at no point"],
    ["  parameters: { 1a: [1] }\n", "name of a parameter"],
    ["  parameters: { a: [1] }\narray: 0-9\n", "array and sweep are given"],
  ])("FO-193 %j is refused", (text, what) => {
    const { jobs, problems } = read(text);
    expect(jobs).toEqual([]);
    expect(problems.map((one) => one.what).join("; ")).toContain(what);
  });
});
