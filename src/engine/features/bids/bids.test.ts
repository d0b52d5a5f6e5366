import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene } from "../../../../test/engine-scene.ts";
import { JOB_DEFAULTS, type JobDescription, type SiteBid } from "../../../model/index.ts";
import { bids } from "./bids.ts";

const MINUTE = 60_000;

function bid(play: Scene, id: string, more: Partial<SiteBid> = {}): void {
  const made: SiteBid = {
    ...{ id, site: "elm", owner: "u1", consumer: "vo/group/user", procs: 2, memoryBytes: 0, gpus: 0 },
    ...{ limitMs: HOUR, madeAtMs: play.now, validUntilMs: play.now + MINUTE },
    starts: [
      { probability: 0.5, startMs: play.now },
      { probability: 0.95, startMs: play.now + 10 * MINUTE },
    ],
    ...{ endMs: play.now + HOUR, costProcMs: 2 * HOUR, ...more },
  };
  play.ask({ kind: "recordBids", bids: [made] });
}

const submit = (play: Scene, id: string, more: Partial<JobDescription> = {}): string =>
  play.submit(id, 2, { site: "elm", wallTimeMs: HOUR, ...more });

describe("EN-330 a job takes a bid", () => {
  it.each([
    { what: "as it was made", answer: "ok" },
    { what: "that is unknown", more: { bid: "other" }, answer: "bidOver" },
    { what: "after its time", afterMs: MINUTE, answer: "bidOver" },
    { what: "of another site", more: { site: "oak" }, answer: "bidForOther" },
    { what: "with another limit", more: { wallTimeMs: 2 * HOUR }, answer: "bidForOther" },
    { what: "of another user", whose: { owner: "u2" }, answer: "bidOver" },
    { what: "of another consumer", whose: { consumer: "vo/other" }, answer: "bidForOther" },
    { what: "for fewer processors", whose: { procs: 1 }, answer: "bidForOther" },
    { what: "for more memory", whose: { memoryBytes: 1 }, answer: "bidForOther" },
    { what: "for a GPU", whose: { gpus: 1 }, answer: "bidForOther" },
  ])("$what: $answer", ({ more = {}, afterMs = 0, whose = {}, answer }) => {
    const play = scene({ elm: 4, oak: 4 });
    bid(play, "b1", whose);
    play.now += afterMs;
    expect(submit(play, "a", { bid: "b1", ...more })).toBe(answer);
    if (answer === "ok") expect(submit(play, "again", { bid: "b1" })).toBe("bidOver");
  });

  it("the jobs of an array and the nodes of a DAG take none: it is for one job", () => {
    const play = scene({ elm: 4 });
    bid(play, "b1");
    const whose = { consumer: "vo/group/user", owner: "u1" };
    const description = { ...JOB_DEFAULTS, executable: "x", procs: 2, site: "elm", bid: "b1" };
    const array = { ...description, array: "0-9" };
    expect(play.ask({ kind: "submitArray", array: "a", description: array, ...whose })).toBe("notForArrays");
    const plan = { userTags: {}, nodes: [{ name: "n", description, parents: [] }] };
    expect(play.ask({ kind: "submitDag", dag: "d", plan, ...whose })).toBe("nodeNotTaken");
    expect(submit(play, "one", { bid: "b1" })).toBe("ok");
  });

  it("the end of the first of very many is known", () => {
    const play = scene({ elm: 4 });
    bid(play, "b1");
    const [open] = play.projection.books.bids.values();
    const many = new Map(Array.from({ length: 1_000_000 }, (_, at) => [`b${at}`, open]));
    const { books } = play.projection;
    expect(bids.wakeAtMs({ ...play.projection, books: { ...books, bids: many } })).toBe(play.now + MINUTE);
  });

  it("those of a site that is removed leave the state with their scores", () => {
    const play = scene({ elm: 4, oak: 4 });
    bid(play, "b1");
    bid(play, "b2", { site: "oak" });
    play.ask({ kind: "removeSite", site: "elm", by: "u1" });
    expect([...play.projection.books.bids.keys()]).toEqual(["b2"]);
  });

  it("one that nobody takes leaves the state", () => {
    const play = scene({ elm: 4 });
    bid(play, "b1");
    bid(play, "b2");
    submit(play, "a", { bid: "b2" });
    play.now += MINUTE;
    play.settle();
    expect([...play.projection.books.bids.keys()]).toEqual(["b2"]);
  });
});

describe("EN-331 bids are compared with what happened", () => {
  it("start, end and cost of jobs that began, and promises that came true", () => {
    const play = scene({ elm: 4 });
    bid(play, "b1");
    submit(play, "a", { bid: "b1" });
    play.settle();
    play.now += 5 * MINUTE;
    play.running("a");
    play.now += 30 * MINUTE;
    play.ended("a");
    expect([...play.projection.books.bidScores.values()]).toEqual([
      {
        ...{ site: "elm", scored: 1, notBegun: 0 },
        promises: [
          { probability: 0.5, promised: 1, kept: 0 },
          { probability: 0.95, promised: 1, kept: 1 },
        ],
        ...{ startErrorMs: 5 * MINUTE, endErrorMs: 25 * MINUTE },
        ...{ bidProcMs: 2 * HOUR, dueProcMs: 2 * 30 * MINUTE },
      },
    ]);
    play.restart();
    expect(play.projection.books.bidScores.get("elm")).toMatchObject({ scored: 1 });
  });

  it("a start that is a moment late keeps its promise", () => {
    const play = scene({ elm: 4 });
    bid(play, "b1");
    submit(play, "a", { bid: "b1" });
    play.settle();
    play.now += 1000;
    play.running("a");
    play.ended("a");
    expect([...play.projection.books.bidScores.values()]).toMatchObject([
      { startErrorMs: 1000, promises: [{ kept: 1 }, { kept: 1 }] },
    ]);
  });

  it.each([
    { what: "another site", change: { site: "oak" } },
    { what: "more processors", change: { procs: 3 } },
  ])("a job that was changed to $what says nothing of the bid", ({ change }) => {
    const play = scene({ elm: 4, oak: 4 });
    for (const site of ["elm", "oak"]) play.submit(`at ${site}`, 4, { site });
    play.settle();
    bid(play, "b1");
    submit(play, "a", { bid: "b1" });
    play.settle();
    expect(play.ask({ kind: "editJob", job: "a", change, by: "u1" })).toBe("ok");
    for (const site of ["elm", "oak"]) play.ended(`at ${site}`);
    play.settle();
    play.running("a");
    play.ended("a");
    expect([...play.projection.books.bidScores.values()]).toEqual([]);
    expect(play.projection.books.bids.size).toBe(0);
  });

  it("a job that its site could not begin counts against it, one that was cancelled before does not", () => {
    const play = scene({ elm: 4 });
    play.submit("busy", 4, { site: "elm" });
    for (const id of ["a", "b"]) {
      bid(play, `of ${id}`);
      submit(play, id, { bid: `of ${id}` });
    }
    play.settle();
    play.act("cancel", "a");
    play.ended("busy");
    play.settle();
    play.ended("b", { cause: "launchFailed", exitCode: null });
    play.settle();
    expect([...play.projection.books.bidScores.values()]).toMatchObject([
      { scored: 1, notBegun: 1, promises: [{ kept: 0 }, { kept: 0 }] },
    ]);
    expect(play.projection.books.bids.size).toBe(0);
  });
});
