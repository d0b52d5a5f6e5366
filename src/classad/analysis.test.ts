import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adFrom } from "../../test/classad-value.ts";
import { draws } from "../../test/draws.ts";
import { adNode, expressionNode } from "../../test/plain/classad-arbitrary.ts";
import { compileAd } from "./compile.ts";
import { analyzeMatch, findMatches, type Node, tableOf } from "./index.ts";
import type { RecordNode } from "./language.ts";

/** Machines as in a pool: demands behind two attributes, written alike. */
function machine(memory: number, rest = ""): ReturnType<typeof adFrom> {
  return adFrom(`Memory = ${memory}; KeyboardIdle = 900;
    ${rest.includes("Arch") ? "" : `Arch = "X86_64";`} ${rest}
    Start = KeyboardIdle > 600 && other.Owner != "eve";
    WithinResourceLimits = other.RequestMemory <= Memory;
    Requirements = Start && WithinResourceLimits`);
}

const pool = tableOf([
  machine(2048),
  machine(4096),
  machine(8192, 'Arch = "arm64";'),
  machine(8192, "Gpus = 1;"),
]);

function job(requirements: string, memory = 6000) {
  return adFrom(`Owner = "ann"; RequestMemory = ${memory}; Requirements = ${requirements}`);
}

/** Conditions in short: `text by through: alone of asked, cumulative`. */
function told(requirements: string, memory?: number) {
  const { conditions } = analyzeMatch(job(requirements, memory), pool);
  return conditions.map(
    ({ text, through, alone, asked, cumulative }) =>
      `${[...through, text].join(" > ")}: ${alone} of ${asked}, ${cumulative}`,
  );
}

describe("CA-50 the conditions of a match", () => {
  it("are told apart on both sides, behind references too", () => {
    expect(told('other.Arch == "x86_64" && other.Memory >= RequestMemory')).toEqual([
      'other.Arch == "x86_64": 3 of 4, 3',
      "other.Memory >= RequestMemory: 2 of 4, 1",
      "Start > KeyboardIdle > 600: 4 of 4, 1",
      'Start > other.Owner != "eve": 4 of 4, 1',
      "WithinResourceLimits > other.RequestMemory <= Memory: 2 of 4, 1",
    ]);
  });

  it("are of the ads that make them", () => {
    const table = tableOf([machine(1), adFrom('Requirements = other.Owner == "bob"'), adFrom("a = 1")]);
    const { conditions, ads, matching } = analyzeMatch(adFrom('Owner = "ann"'), table);
    expect({ ads, matching }).toEqual({ ads: 3, matching: 1 });
    expect(
      conditions.map(({ asked, alone, undefinedIn, only }) => [asked, alone, undefinedIn, only]),
    ).toEqual([
      ...[
        [1, 1, 0, 0],
        [1, 1, 0, 0],
        [1, 0, 1, 1],
      ],
      [1, 0, 0, 1],
    ]);
  });

  it("that exclude each other are paired; attributes that nobody has are named", () => {
    const { exclusions, absent, conditions } = analyzeMatch(
      job('other.Arch == "arm64" && other.Gpus >= 1 && other.Memroy > 1 && nobody', 1),
      pool,
    );
    expect(exclusions.map(({ first, second }) => [conditions[first].text, conditions[second].text])).toEqual([
      ['other.Arch == "arm64"', "other.Gpus >= 1"],
    ]);
    expect(absent).toEqual([
      { name: "Memroy", side: "row", conditions: [2], similar: "Memory" },
      { name: "nobody", side: "row", conditions: [3] },
    ]);
  });

  it("end where references run in a circle, and where there are thousands", () => {
    const circle = adFrom("a = b && other.x; b = a && true; Requirements = a && b");
    expect(
      analyzeMatch(circle, pool)
        .conditions.slice(0, 4)
        .map(({ text }) => text),
    ).toEqual([...["a", "true", "other.x", "b"]]);
    const many = Array.from({ length: 900 }, (_, at) => `other.Memory > ${at}`).join(" && ");
    expect(analyzeMatch(job(many), pool).conditions).toHaveLength(903);
  });

  it("let the same ads through as Requirements do", () => {
    const requirements = (ad: RecordNode, node: Node): RecordNode => ({
      kind: "record",
      attributes: [...ad.attributes, { name: "Requirements", key: "requirements", node, line: 1, column: 1 }],
    });
    const conjunction = fc
      .array(fc.oneof(expressionNode, fc.constantFrom<Node>(...["a", "b", "c"].map(named))), {
        minLength: 1,
        maxLength: 3,
      })
      .map((parts) => parts.reduce((left, right) => ({ kind: "binary", operator: "&&", left, right })));
    const asking = fc.tuple(adNode, conjunction).map(([ad, node]) => compileAd(requirements(ad, node)));
    fc.assert(
      fc.property(asking, fc.array(asking, { maxLength: 5 }), (ad, ads) => {
        const table = tableOf(ads);
        const { conditions, matching } = analyzeMatch(ad, table);
        const passing = ads.filter((_, row) => conditions.every(({ verdicts }) => verdicts[row] < 2));
        expect(passing).toEqual(findMatches(ad, table).map(({ index }) => ads[index]));
        expect(matching).toBe(passing.length);
      }),
      draws(300),
    );
  });
});

function named(key: string): Node {
  return { kind: "reference", name: key, key };
}

/** Changes in short: `what from → to: wins`. */
function proposed(ad: ReturnType<typeof adFrom>, table = pool) {
  return analyzeMatch(ad, table).changes.map(({ parts, wins }) => {
    const texts = parts.map((part) => {
      if (part.kind === "attribute") return `${part.name} ${part.from} → ${part.to}`;
      return part.kind === "condition" ? `${part.from} → ${part.to}` : `without ${part.text}`;
    });
    return `${texts.join(" and ")}: ${wins}`;
  });
}

describe("CA-51 proposed changes have been tried", () => {
  it("an attribute that both sides ask for: the nearest value that wins, and the one that wins most", () => {
    expect(proposed(job("other.Memory >= RequestMemory", 9000))).toEqual([
      "RequestMemory 9000 → 2048: 4",
      "RequestMemory 9000 → 8192: 2",
    ]);
  });

  it("a literal of a condition, or a condition less", () => {
    expect(proposed(job('other.Arch == "ppc64" && other.Memory > 100', 1))).toEqual([
      'without other.Arch == "ppc64": 4',
      'other.Arch == "ppc64" → other.Arch == "X86_64": 3',
    ]);
    expect(proposed(job("other.Memory > 100 && other.HasSingularity", 1))).toEqual([
      "without other.HasSingularity: 4",
    ]);
  });

  it("an attribute that the ad lacks", () => {
    const table = tableOf([adFrom('Requirements = other.Project == "atlas"')]);
    expect(proposed(adFrom("a = 1"), table)).toEqual(['Project undefined → "atlas": 1']);
  });

  it("several together where no single one wins", () => {
    expect(proposed(job('other.Gpus >= 2 && other.Arch == "arm64" && other.Memory > 9999', 8192))).toEqual([
      "without other.Gpus >= 2 and other.Memory > 9999 → other.Memory > 8191: 1",
    ]);
  });

  it("several conditions that are left out together", () => {
    expect(proposed(job('other.Absent >= 2 && regexp("z", other.Arch)', 1))).toEqual([
      'without other.Absent >= 2 and without regexp("z", other.Arch): 4',
    ]);
  });

  it("none where all match, or where only the other side stands in the way", () => {
    expect(proposed(job("true", 1))).toEqual([]);
    expect(proposed(adFrom("a = 1"), tableOf([adFrom("Load = 2; Requirements = Load < 1")]))).toEqual([]);
  });
});
