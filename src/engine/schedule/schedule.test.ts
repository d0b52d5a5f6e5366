import { describe, expect, it } from "vitest";
import { HOUR, scene } from "../../../test/engine-scene.ts";
import type { SurveyedJob } from "../survey.ts";
import type { Bar } from "./bar.ts";
import { barsNow } from "./bars-now.ts";
import { barsSeen } from "./bars-seen.ts";
import { pastBars } from "./past-bars.ts";
import { placeBars } from "./place-bars.ts";

type Scene = ReturnType<typeof scene>;

const barsOf = ({ projection, now }: Scene, name: string): readonly Bar[] => {
  const site = projection.sites.get(name);
  if (site === undefined) throw new Error(`no site ${name}`);
  return barsNow(projection, site, now);
};
const shown = (bars: readonly Bar[]) =>
  [...bars].map(({ key, kind, procs, startMs, endMs }) => [key, kind, procs, startMs, endMs]).sort();
const place = { nowMs: 0, procs: 4, nodes: [], before: new Map() };
const there: SurveyedJob = {
  ...{ siteJob: "7", token: null, state: "running", procs: 2, memoryBytes: 0, limitMs: HOUR },
  ...{ submittedAtMs: 0, startedAtMs: 0, reason: null, user: "eve", account: "bio", queue: "batch" },
};

describe("bars of a site", () => {
  it("what runs ends at its limit, what waits is at its planned start, what is held has none", () => {
    const s = scene({ here: 4 });
    s.submit("a", 3, { wallTimeMs: HOUR });
    s.settle();
    s.running("a");
    s.submit("b", 4, { wallTimeMs: HOUR });
    s.submit("c", 1, { wallTimeMs: HOUR });
    s.submit("d", 1);
    s.settle();
    s.act("hold", "d");
    const limit = HOUR + 15_000;
    const never = Number.POSITIVE_INFINITY;
    expect(shown(barsOf(s, "here"))).toEqual([
      ["a", "running", 3, s.now, s.now + limit],
      ["b", "queued", 4, s.now + limit, s.now + 2 * limit],
      // It is placed and not yet reported to run.
      ["c", "queued", 1, s.now, s.now + limit],
      ["d", "held", 1, never, never],
    ]);
  });

  it("jobs of others at a site that is only observed, with their users", () => {
    const s = scene({});
    s.foreign("far", 4);
    const waiting = { ...there, siteJob: "8", state: "waiting", procs: 4, startedAtMs: null } as const;
    s.look("far", {
      jobs: [there, waiting],
      setAside: [{ name: "upgrade", procs: 4, startMs: 3 * HOUR, endMs: 4 * HOUR }],
    });
    const bars = barsOf(s, "far");
    expect(shown(bars)).toEqual([
      ["~7", "running", 2, 0, HOUR],
      ["~8", "queued", 4, HOUR, 2 * HOUR],
      [`~upgrade@${3 * HOUR}`, "setAside", 4, 3 * HOUR, 4 * HOUR],
    ]);
    expect(bars.find(({ key }) => key === "~7")?.whose).toEqual({
      owner: "bio/eve",
      consumer: "bio/eve",
      site: "far",
    });
  });

  it("a job that was suspended has a bar for each time that it ran", () => {
    const s = scene({ here: 4 });
    s.submit("a", 1);
    s.settle();
    s.running("a");
    const job = s.records.get("a");
    if (job === undefined) throw new Error("it was submitted");
    const ran = { ...job, earlierRuns: [{ fromMs: 0, toMs: 10 }], startDecidedAtMs: 20, endedAtMs: 35 };
    expect(shown(pastBars([ran]))).toEqual([
      ["a@0", "past", 1, 0, 10],
      ["a@20", "past", 1, 20, 35],
    ]);
  });
});

describe("who sees what", () => {
  const bar = (key: string, startMs: number, endMs: number, procs = 1): Bar => ({
    ...{ key, kind: "queued", procs, startMs, endMs, inside: null, nodes: ["n1"] },
    ...{ whose: { owner: key, consumer: `vo/${key}` }, facts: { setAside: "secret" } },
  });
  const bars = [bar("me", 0, 10), bar("you", 0, 10, 2), bar("they", 5, 20)];
  const sees = ({ whose }: Bar): boolean => whose?.owner === "me";

  it("what is not the reader's to see has its size and its times, and nothing else", () => {
    const [mine, ...others] = barsSeen(bars, { sees, areJobsPrivate: false });
    expect(mine).toBe(bars[0]);
    expect(others.map(({ facts, nodes, procs }) => [facts, nodes, procs])).toEqual([
      [undefined, [], 2],
      [undefined, [], 1],
    ]);
  });

  it("where the site hides jobs, others' are the sum of what they use", () => {
    const seen = barsSeen(bars, { sees, areJobsPrivate: true });
    expect(seen.map(({ kind, procs, startMs, endMs }) => [kind, procs, startMs, endMs])).toEqual([
      ["queued", 1, 0, 10],
      ["others", 2, 0, 5],
      ["others", 3, 5, 10],
      ["others", 1, 10, 20],
    ]);
    expect(JSON.stringify(seen)).not.toContain("they");
  });

  it("where the site hides jobs, one's own job in others' reservation has rows beside the rest of it", () => {
    const room = bar("they", 0, 20, 4);
    const seen = barsSeen([room, { ...bar("me", 5, 30), inside: "they" }], { sees, areJobsPrivate: true });
    const placed = placeBars(seen, place);
    expect(
      placed.map(({ kind, procs, startMs, endMs, rows }) => [kind, procs, startMs, endMs, rows]),
    ).toEqual([
      ["queued", 1, 5, 30, [[0, 1]]],
      ["others", 4, 0, 5, [[0, 4]]],
      ["others", 3, 5, 20, [[1, 3]]],
    ]);
  });

  it("a job that a site shows to all its users is shown, unless the site hides jobs", () => {
    const seen: Bar = { ...bar("eve", 0, 10), facts: { seen: there } };
    expect(barsSeen([seen], { sees, areJobsPrivate: false })).toEqual([seen]);
    expect(barsSeen([seen], { sees, areJobsPrivate: true })).toMatchObject([{ kind: "others" }]);
  });
});

type Span = readonly [startMs: number, endMs: number];

describe("rows", () => {
  const bar = (key: string, [startMs, endMs]: Span, procs: number, more: Partial<Bar> = {}): Bar => ({
    ...{ key, kind: "running", procs, startMs, endMs, inside: null, nodes: [], whose: undefined, ...more },
  });

  it("what runs has the same rows before and after now, and what has ended none of them", () => {
    const bars = [
      bar("old", [-20, -5], 4),
      bar("a", [-5, 10], 2),
      bar("gone", [-4, -1], 2),
      bar("next", [0, 5], 2),
    ];
    expect(placeBars(bars, place).map(({ rows }) => rows)).toEqual([[[0, 4]], [[0, 2]], [[2, 2]], [[2, 2]]]);
  });

  it("a bar keeps its rows in the next schedule", () => {
    const before = new Map([["b", [[2, 1]] as const]]);
    const placed = placeBars([bar("b", [-1, 10], 1)], { ...place, before });
    expect(placed[0].rows).toEqual([[2, 1]]);
  });

  it("jobs of a reservation are in its rows; jobs on nodes in those of their nodes", () => {
    const nodes = [
      { name: "n1", procs: 2 },
      { name: "n2", procs: 2 },
    ];
    const bars = [
      bar("res", [0, 10], 2),
      bar("in", [2, 5], 1, { inside: "res" }),
      bar("on", [-1, 10], 1, { nodes: ["n2"] }),
    ];
    expect(placeBars(bars, { ...place, nodes }).map(({ rows }) => rows)).toEqual([
      [[0, 2]],
      [[0, 1]],
      [[2, 1]],
    ]);
  });
});
