import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import type { Search, SearchMethod, SearchPoint, Sweep } from "../../model/index.ts";
import { nextPoints, objectiveIn, programPoint, summaryOf } from "./index.ts";

const PARAMETERS: Sweep["parameters"] = [
  { name: "x", from: -10, step: 0.002, count: 10_001 },
  { name: "word", values: ["a", "b", "c"] },
];
const NUMBERS = { restarts: 0, seed: 1 };

function searchOf(method: SearchMethod, evaluations: number, parallel: number): Search {
  return { objective: { kind: "exitCode" }, goal: "minimize", method, evaluations, parallel };
}

/** Plays a search to its end; `pick` says which of the points that wait gets its value next. */
function played(
  search: Search,
  value: (point: SearchPoint) => number | null,
  pick: (waiting: number) => number,
): readonly SearchPoint[] {
  const points: SearchPoint[] = [];
  for (;;) {
    points.push(...nextPoints({ parameters: PARAMETERS, search }, points));
    const waiting = points.flatMap((point, at) => (point.value === undefined ? [at] : []));
    if (waiting.length === 0) return points;
    expect(waiting.length).toBeLessThanOrEqual(search.parallel);
    const at = waiting[pick(waiting.length)];
    points[at] = { ...points[at], value: value(points[at]) };
  }
}

const byIndex = (points: readonly SearchPoint[]) => [...points].sort((one, other) => one.index - other.index);

/** Least at x = 3 and b; some points fail. */
const bowl = ({ values: { x, word } }: SearchPoint): number | null =>
  Number(x) > 9 ? null : (Number(x) - 3) ** 2 + (word === "b" ? 0 : 1);

describe("points of a search", () => {
  const methods = fc.oneof(
    fc.record({
      kind: fc.constant("annealing" as const),
      seed: fc.nat(),
      restarts: fc.nat(3),
    }),
    fc.record({ kind: fc.constant("random" as const), seed: fc.nat() }),
  );

  it("PL-60 what is chosen does not depend on the order in which values come", () => {
    const ofChains = fc.record({ method: methods, evaluations: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(
        ofChains,
        fc.integer({ min: 1, max: 6 }),
        fc.infiniteStream(fc.nat()),
        (of, parallel, any) => {
          const search = searchOf(of.method, of.evaluations, parallel);
          const first = played(search, bowl, () => 0);
          const other = played(search, bowl, (waiting) => (any.next().value ?? 0) % waiting);
          expect(byIndex(other)).toEqual(byIndex(first));
          expect(first.map(({ index }) => index).sort((a, b) => a - b)).toEqual(
            Array.from({ length: of.evaluations }, (_, at) => at),
          );
          for (const { values } of first) expect(programPoint(PARAMETERS, values).ok).toBe(true);
        },
      ),
      draws(200),
    );
  });

  it("PL-61 annealing comes nearer than random points do", () => {
    const best = (kind: "annealing" | "random", seed: number) =>
      summaryOf(
        "minimize",
        played(searchOf({ kind, ...NUMBERS, seed }, 120, 2), bowl, () => 0),
      ).best?.value ?? 9;
    const seeds = Array.from({ length: 15 }, (_, seed) => seed);
    const isNearer = seeds.filter((seed) => best("annealing", seed) < best("random", seed));
    expect(isNearer.length).toBeGreaterThan(10);
  });

  it("PL-61 a failed point is never taken, and the best is the first of equal ones", () => {
    const points = [4, null, 2, 2, undefined].map((value, index) => ({
      ...{ index, values: { x: String(index) } },
      ...(value === undefined ? {} : { value }),
    }));
    expect(summaryOf("minimize", points)).toEqual({ evaluated: 4, failed: 1, best: points[2] });
    expect(summaryOf("maximize", points).best?.value).toBe(4);
  });
});

describe("objective", () => {
  const pattern = (text: string, of: string) => objectiveIn({ kind: "pattern", pattern: of }, text);
  const json = (text: string, path: string) => objectiveIn({ kind: "json", path }, text);

  it.each<[string, ReturnType<typeof objectiveIn>, unknown]>([
    ["the group of the last match", pattern("loss=3\nloss=-1.5e2\nend", "loss=(\\S+)"), -150],
    ["all of a match without a group", pattern("a 12 b", "[0-9]+"), 12],
    ["a field of JSON", json('{"a":{"b":[1,{"c":2}]}}', "a.b.1.c"), 2],
    ["no match", pattern("nothing", "loss=(\\S+)"), "no line fits"],
    ["no number", pattern("loss=nan", "loss=(\\S+)"), "is not a number"],
    ["nothing in the group", pattern("loss=", "loss=(\\S*)"), "is not a number"],
    ["no such field", json('{"a":1}', "b"), "no field b"],
    ["a field of a prototype", json("{}", "constructor.length"), "no field"],
    ["no JSON", json("loss=1", "loss"), "not JSON"],
    ["a list", json('{"a":[1]}', "a"), "is not a number"],
  ])("PL-62 %s", (_, found, expected) => {
    expect(found).toEqual(
      typeof expected === "number"
        ? { ok: true, value: expected }
        : { ok: false, refusal: expect.stringContaining(String(expected)) },
    );
  });

  it("PL-62 no pattern takes long", () => {
    const startMs = performance.now();
    pattern(`${"a".repeat(5000)}!`, "^(a+)+$");
    expect(performance.now() - startMs).toBeLessThan(10_000);
  });

  it.each([
    [{ x: 1 }, "no value of word"],
    [{ x: 11, word: "a" }, "x is none"],
    [{ x: "", word: "a" }, "x is none"],
    [{ x: 0, word: "z" }, "word is none"],
    [[1], "a JSON object"],
  ])("PL-63 a program's point %j is refused", (point, why) => {
    const read = programPoint(PARAMETERS, point);
    expect(read.ok ? "" : read.refusal).toContain(why);
  });
});
