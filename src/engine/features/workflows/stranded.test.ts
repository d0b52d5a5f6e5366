import { describe, expect, it } from "vitest";
import { foreignSpec, HOUR, type Scene } from "../../../../test/engine-scene.ts";
import { at, RULES, request, START, site, USER } from "../../../../test/reservation-scene.ts";
import type { Command, OfKind } from "../../../model/index.ts";
import { strandedTasks } from "./stranded.ts";

const ID = "wwwwwwwwwwww";
const MINUTE = 60_000;
const program = { executable: "true", arguments: [], environment: {} };
type Start = OfKind<Command, "startWorkflow">;

/** Task a in a pilot of an hour, b and c after it in one of the next hour, all at a site. */
function start(where: string): Start {
  const pilots = [1, 2].map((hour) => ({
    ...{ job: `${ID}-p${hour - 1}`, reservation: `r${hour - 1}`, site: where, procs: 4 },
    ...{ startMs: START + hour * HOUR, endMs: START + (hour + 1) * HOUR },
  }));
  const task = { procs: 1, runtimeMs: 10 * MINUTE, program };
  return {
    ...{ kind: "startWorkflow", workflow: ID, name: "flow", owner: "u1", consumer: USER },
    ...{ retries: 0, directory: null, isBestEffort: false, mostProcMs: null },
    tasks: [
      { ...task, id: "a", parents: [] },
      { ...task, id: "b", parents: [0] },
      { ...task, id: "c", parents: [] },
    ],
    pilots,
    places: [0, 1, 1].map((pilot, number) => ({ task: number, pilot, ...pilots[pilot] })),
  };
}

/** The workflow at a site, with another one beside it. */
function planned(where = "here"): Scene {
  const play = site();
  expect(play.ask({ kind: "addSite", site: "there", spec: foreignSpec(4) })).toBe("ok");
  play.look("there");
  if (where !== "here") {
    expect(play.ask({ kind: "addSite", site: where, spec: { ...foreignSpec(4), reservations: RULES } })).toBe(
      "ok",
    );
    play.look(where);
  }
  for (const [at, hour] of [1, 2].entries()) {
    const offer = { site: where, startMs: START + hour * HOUR };
    expect(play.ask(request(`r${at}`, offer))).toBe("ok");
  }
  expect(play.ask(start(where))).toBe("ok");
  play.settle();
  return play;
}

const workflow = (play: Scene) => play.projection.books.workflows.get(ID);
const stranded = (play: Scene) => strandedTasks(play.projection, ID, play.now);
const placed = (play: Scene): string =>
  [0, 1, 2]
    .flatMap((number) => play.projection.books.workflowTasks.get(`${ID}/${number}`) ?? [])
    .map(({ id, place }) => `${id} ${place?.pilot ?? "-"}`)
    .join(", ");

describe("EN-217 tasks that wait at a site which does not run them", () => {
  it("leave a drained site at once; its reservations are given up, and the site can be removed", () => {
    const play = planned();
    expect(stranded(play)).toEqual([]);
    expect(play.ask({ kind: "drainSite", site: "here", by: "operator" })).toBe("ok");
    expect(stranded(play)).toEqual([
      { site: "here", why: "it takes no new jobs", tasks: [0, 1, 2], pilots: [0, 1] },
    ]);
    expect(play.ask({ kind: "leaveSites", workflow: ID })).toBe("ok");
    play.settle();
    expect(placed(play)).toBe("a -, b -, c -");
    expect(workflow(play)?.left).toEqual([
      { site: "here", why: "it takes no new jobs", tasks: 3, pilots: [0, 1] },
    ]);
    expect(workflow(play)?.pilots.map(({ state }) => state)).toEqual(["DISMISSED", "DISMISSED"]);
    expect(stranded(play)).toEqual([]);
    expect(play.ask({ kind: "removeSite", site: "here", by: "operator" })).toBe("ok");
  });

  it("stay where their pilot runs; a job goes on at a drained site", () => {
    const play = planned();
    at(play, START + HOUR);
    play.running(`${ID}-p0`);
    play.settle();
    expect(play.ask({ kind: "drainSite", site: "here", by: "operator" })).toBe("ok");
    expect(stranded(play)).toMatchObject([{ tasks: [1, 2], pilots: [1] }]);
  });

  it("leave a cluster once it has not answered for two minutes", () => {
    const play = planned("far");
    const far = play.projection.sites.get("far");
    if (far === undefined) throw new Error("it was added");
    far.observation.trouble = "no route to host";
    play.now += 2 * MINUTE - 1;
    expect(stranded(play)).toEqual([]);
    play.now += 1;
    expect(stranded(play)).toMatchObject([{ site: "far", why: "it has not answered for 2m" }]);
    far.observation.trouble = null;
    expect(stranded(play)).toEqual([]);
  });

  it("stay if no other site takes jobs", () => {
    const play = planned();
    expect(play.ask({ kind: "drainSite", site: "there", by: "operator" })).toBe("ok");
    expect(play.ask({ kind: "drainSite", site: "here", by: "operator" })).toBe("ok");
    expect(stranded(play)).toEqual([]);
  });
});
