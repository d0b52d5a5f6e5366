import { describe, expect, it } from "vitest";
import { NOTHING_STORED, type Scene, scene } from "../../../../test/engine-scene.ts";
import { isFinal, JOB_DEFAULTS, type Search } from "../../../model/index.ts";
import { arrayRecord, restore } from "../../index.ts";

const SEARCH: Search = {
  ...{ objective: { kind: "exitCode" }, goal: "minimize", evaluations: 6, parallel: 2 },
  method: { kind: "annealing", seed: 3, restarts: 0 },
};

function submit(
  play: Scene,
  change: Partial<Search> = {},
  more: Readonly<Record<string, unknown>> = {},
): string {
  const search = { ...SEARCH, ...change };
  const parameters = [{ name: "x", from: 0, step: 1, count: 101 }];
  return play.ask({
    kind: "submitArray",
    array: "s",
    description: {
      ...{ ...JOB_DEFAULTS, executable: "run", arguments: ["$" + "{x}"], ...more },
      ...{ array: `0-${search.evaluations - 1}%2`, sweep: { parameters, combine: "product", search } },
    },
    ...{ consumer: "vo/group/user", owner: "u1" },
  });
}

function finish(play: Scene, index: number, value: number | null = 0): void {
  play.running(`s-${index}`);
  play.ended(`s-${index}`);
  play.ask({ kind: "valuePoint", array: "s", index, value });
}

const array = (play: Scene) => {
  const state = play.projection.arrays.get("s");
  return state && arrayRecord(state, play.now);
};

describe("searches", () => {
  it("EN-270 jobs are made as points are chosen, with their values, no more than at a time", () => {
    const play = scene({ here: 8 });
    expect(submit(play)).toBe("ok");
    expect(play.settle()).toEqual(["s-0", "s-1"]);
    const { description } = play.records.get("s-0") ?? {};
    expect(description?.environment.STINT_PARAM_x).toBe(description?.arguments[0]);
    play.running("s-0");
    play.ended("s-0");
    expect(play.settle()).toEqual([]);
    play.ask({ kind: "valuePoint", array: "s", index: 0, value: 5 });
    expect(play.settle()).toEqual(["s-2"]);
    expect(array(play)?.search).toMatchObject({ evaluated: 1, best: { index: 0, value: 5 }, end: null });
  });

  it("EN-270 ends when all points have values, and so does what waits for it", () => {
    const play = scene({ here: 8 });
    submit(play);
    play.submit("b", 1, { after: ["ok:s"] });
    play.settle();
    for (let index = 0; index < 6; index++) {
      finish(play, index, index === 4 ? 1 : null);
      if (index < 5) expect(play.state("b")).toBe("WAITING");
      play.settle();
    }
    expect(array(play)).toBe(undefined);
    expect(play.projection.books.searches.get("s")?.endedAtMs).toBe(play.now);
    expect(play.state("b")).toBe("SCHEDULED");
  });

  it("EN-271 a search whose objective is missing ends, with its reason; what runs runs on", () => {
    const play = scene({ here: 8 });
    submit(play);
    play.settle();
    play.running("s-0");
    play.ended("s-0");
    const end = { kind: "objectiveMissing", index: 0, why: "stdout: no line fits" } as const;
    play.ask({ kind: "endSearch", array: "s", end });
    expect(play.settle()).toEqual([]);
    expect(array(play)).toMatchObject({ size: 2, search: { end, best: null }, endedAtMs: null });
    expect(play.ask({ kind: "valuePoint", array: "s", index: 0, value: 1 })).toBe("ok");
    expect(array(play)?.search?.evaluated).toBe(0);
    play.running("s-1");
    play.ended("s-1");
    expect(array(play)).toBe(undefined);
  });

  it("EN-271 cancelled, no point follows; also while it has no job", () => {
    const play = scene({ here: 8 });
    submit(play, { method: { kind: "exec", command: ["/choose"] } });
    expect(play.settle()).toEqual([]);
    expect(play.ask({ kind: "actOnArray", array: "s", verb: "cancel", by: "u1" })).toBe("ok");
    expect([array(play), play.projection.books.searches.get("s")?.endedAtMs]).toEqual([undefined, play.now]);
    const other = scene({ here: 8 });
    submit(other);
    other.settle();
    other.ask({ kind: "actOnArray", array: "s", verb: "cancel", by: "u1" });
    expect(other.settle()).toEqual([]);
    expect(array(other)?.search?.end).toEqual({ kind: "cancelled" });
  });

  it("EN-270 a restart goes on with the same points", () => {
    const play = scene({ here: 8 });
    submit(play);
    play.settle();
    finish(play, 1, 7);
    play.settle();
    const { jobs, arrays, books } = play.projection;
    const again = restore(
      {
        ...NOTHING_STORED,
        ...{ jobs: [...jobs.values()].filter(({ state }) => !isFinal(state)), accepted: 10 },
        ...{ arrays: [...arrays.values()].map((one) => arrayRecord(one, play.now)) },
        ...{ searches: [...books.searches.values()], sites: [...play.projection.sites.values()] },
      },
      play.now,
    );
    expect(again.books.searches).toEqual(books.searches);
    expect(again.arrays.get("s")?.accepted.search).toEqual(arrays.get("s")?.accepted.search);
    expect(again.arrays.get("s")?.counts).toEqual(arrays.get("s")?.counts);
  });

  it("EN-270 a point is chosen once, and what cannot be searched is refused", () => {
    const play = scene({ here: 8 });
    submit(play, { method: { kind: "exec", command: ["/choose"] } });
    const points = [{ index: 0, values: { x: "1" } }];
    for (let time = 0; time < 2; time++) play.ask({ kind: "choosePoints", array: "s", points });
    expect(play.settle()).toEqual(["s-0"]);
    expect(submit(scene({ here: 8 }), {}, { after: ["ok:b"] })).toBe("badArray");
    const objective = { kind: "pattern", pattern: "(" } as const;
    expect(submit(scene({ here: 8 }), { objective })).toBe("badArray");
    expect(submit(scene({ here: 8 }), { evaluations: 6, parallel: 2 }, {})).toBe("ok");
  });
});
