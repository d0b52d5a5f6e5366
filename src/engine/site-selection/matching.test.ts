import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { HOUR, type Scene, scene } from "../../../test/engine-scene.ts";
import { explanationText, isFinal, JOB_DEFAULTS } from "../../model/index.ts";
import { explain, query } from "../index.ts";

const causesOf = (play: Scene, id: string) => {
  const job = play.projection.jobs.get(id);
  return job === undefined ? [] : explain(play.projection, job, play.now).causes;
};
const placeOf = (play: Scene, id: string) => play.records.get(id)?.site;
const adOf = (play: Scene, site: string) =>
  query(play.projection, { name: "siteAds", question: site }, play.now);
const lost = { cause: "lost", exitCode: null, detail: "gone" } as const;

describe("matching live", () => {
  it("EN-180 the ad of a site follows its queue, and says how old it is", () => {
    const play = scene({ here: 8 });
    play.foreign("far", 4);
    expect(adOf(play, "here").classad).toContain("GlueCEStateFreeCPUs = 8;");
    expect(adOf(play, "here").atMs).toBe(play.now);
    expect(adOf(play, "far")).toMatchObject({ atMs: null });
    expect(adOf(play, "far").classad).toContain('GlueCEStateStatus = "Closed"');
    play.submit("a", 6, { site: "here" });
    play.settle();
    expect(adOf(play, "here").classad).toContain("GlueCEStateFreeCPUs = 2;");
    play.look("far");
    play.now += 1000;
    expect(adOf(play, "far").atMs).toBe(play.now - 1000);
    play.ask({ kind: "drainSite", site: "here", by: "ann" });
    expect(adOf(play, "here").classad).toContain('GlueCEStateStatus = "Draining"');
  });

  it("EN-181 a job goes where its requirements match, else waits with each clause until they do", () => {
    const play = scene({ a: 4, b: 8 });
    play.submit("wide", 1, { requirements: "other.GlueCEInfoTotalCPUs > 4" });
    expect(play.settle()).toEqual(["wide"]);
    play.submit("never", 1, { requirements: 'other.GlueCEStateFreeCPUs >= 8 && other.Name != "z"' });
    expect(play.settle()).toEqual([]);
    expect(placeOf(play, "wide")).toBe("b");
    expect(play.state("never")).toBe("WAITING");
    const [cause] = causesOf(play, "never");
    expect(cause).toMatchObject({ kind: "noMatch", sites: 2 });
    expect(cause).toMatchObject({
      clauses: [{ of: "job", text: "other.GlueCEStateFreeCPUs >= 8", sites: 2 }],
    });
    const before = play.log.length;
    play.settle();
    expect(play.log).toHaveLength(before);
    play.running("wide");
    play.ended("wide");
    expect(play.settle()).toEqual(["never"]);
    expect(placeOf(play, "never")).toBe("b");
  });

  it("EN-181 an application that no site has is named, and the change without it", () => {
    const play = scene({ a: 4, b: 8 });
    play.submit("j", 1, { applications: ["solver/2"] });
    play.settle();
    const [cause] = causesOf(play, "j");
    expect(cause).toMatchObject({ kind: "noMatch", clauses: [{ application: "solver/2", sites: 2 }] });
    const explained = play.projection.jobs.get("j");
    const text =
      explained && explanationText(explain(play.projection, explained, play.now), String).join("\n");
    expect(text).toContain("the application solver/2 is at none of them");
    expect(text).not.toContain("member(");
    expect(text).toContain("without the application solver/2: 2 sites would match");
  });

  it("EN-181 clauses of a job that is not submitted are judged for the sites that are asked about", () => {
    const play = scene({ a: 4, b: 8, small: 1 });
    const requirements = "other.GlueCEInfoTotalCPUs > 4";
    const job = { id: "", description: { ...JOB_DEFAULTS, executable: "x", procs: 2, requirements } };
    const names = (among?: readonly string[]) => {
      const question = { ...job, consumer: "vo", owner: "", ...(among === undefined ? {} : { among }) };
      const { sites, clauses } = query(play.projection, { name: "matchTable", question }, play.now);
      return [sites.map(({ name }) => name), clauses.find(({ text }) => text === requirements)?.verdicts];
    };
    expect(names()).toEqual([
      ["a", "b"],
      ["false", "true"],
    ]);
    expect(names(["b", "small"])).toEqual([["b"], ["true"]]);
  });

  it("EN-182 a rank decides among the sites that match; a drained one is not taken", () => {
    const play = scene({ a: 4, b: 8, c: 16 });
    play.submit("most", 1, { rank: "other.GlueCEInfoTotalCPUs" });
    play.submit("least", 1, { rank: "-other.GlueCEInfoTotalCPUs" });
    play.submit("usual", 1);
    play.settle();
    expect(["most", "least", "usual"].map((id) => placeOf(play, id))).toEqual(["c", "a", "a"]);
    play.ask({ kind: "drainSite", site: "c", by: "ann" });
    play.submit("next", 1, { rank: "other.GlueCEInfoTotalCPUs" });
    play.settle();
    expect(placeOf(play, "next")).toBe("b");
  });

  it("EN-182 a rank by response time is of the job itself", () => {
    const taken = (rank: string) => {
      const play = scene({ a: 4, b: 4 });
      play.submit("busy", 4, { site: "a", wallTimeMs: HOUR });
      play.settle();
      play.submit("j", 4, { rank });
      play.settle();
      return placeOf(play, "j");
    };
    expect(taken("-other.GlueCEStateEstimatedResponseTime")).toBe("b");
    expect(taken("other.GlueCEStateEstimatedResponseTime")).toBe("a");
  });

  it("EN-183 a lost attempt is repeated elsewhere, as often as the job allows", () => {
    const play = scene({ a: 4, b: 4 });
    play.submit("j", 1, { retryCount: 2 });
    play.settle();
    expect(placeOf(play, "j")).toBe("a");
    play.running("j");
    play.ended("j", lost);
    expect(play.state("j")).toBe("WAITING");
    play.settle();
    expect(placeOf(play, "j")).toBe("b");
    expect(causesOf(play, "j")).toContainEqual({ kind: "retried", deep: 1, shallow: 0, at: ["a"] });
    for (const state of ["WAITING", "ABORTED"]) {
      play.running("j");
      play.ended("j", lost);
      expect(play.state("j")).toBe(state);
      play.settle();
    }
    expect(play.records.get("j")?.abortReason).toMatchObject({ kind: "lost" });
  });

  it("EN-183 a program's own failure is not repeated; attempts that did not begin count apart", () => {
    const play = scene({ a: 4 });
    play.submit("j", 1, { retryCount: 5, shallowRetryCount: 1 });
    play.settle();
    play.ended("j", { ...lost, cause: "launchFailed" });
    expect(play.records.get("j")?.retried).toEqual({ deep: 0, shallow: 1, at: ["a"] });
    play.settle();
    play.running("j");
    play.ended("j", { exitCode: 1 });
    expect(play.state("j")).toBe("DONE");
  });

  it("EN-187 what a site could not begin goes to each other one that matches", () => {
    const play = scene({ a: 4, b: 4, c: 4, small: 1 });
    const refused = { ...lost, cause: "launchFailed" } as const;
    play.submit("j", 2, { requirements: 'other.Name != "c"' });
    play.settle();
    play.ended("j", refused);
    expect(play.records.get("j")?.retried).toEqual({ deep: 0, shallow: 1, at: ["a"] });
    play.settle();
    expect(placeOf(play, "j")).toBe("b");
    play.ended("j", refused);
    expect(play.state("j")).toBe("ABORTED");
  });

  it.each([
    ["a program that cannot be executed", {}, { cause: "launchFailed", failedStage: "program" }],
    ["never", { shallowRetryCount: -1 }, { cause: "launchFailed" }],
    ["none", { shallowRetryCount: 0 }, { cause: "launchFailed" }],
    ["its only site", { site: "a" }, { cause: "lost" }],
  ] as const)("EN-187 not repeated: %s", (_, more, end) => {
    const play = scene({ a: 4, b: 4 });
    play.submit("j", 1, more);
    play.settle();
    play.ended("j", { ...lost, ...end });
    expect(play.state("j")).toBe("ABORTED");
  });

  it("EN-187 five sites that cannot begin it are asked four times", () => {
    const play = scene({ a: 4, b: 4, c: 4, d: 4, e: 4 });
    play.submit("j", 1);
    for (let times = 0; times < 4; times++) {
      play.settle();
      play.ended("j", lost);
    }
    expect(play.state("j")).toBe("ABORTED");
    expect(play.records.get("j")?.retried).toMatchObject({ shallow: 3 });
  });

  it("EN-184 a job without a site expires, one with a site does not", () => {
    const play = scene({ a: 4 });
    expect(play.submit("gone", 1, { expiryTimeMs: play.now })).toBe("expired");
    play.submit("there", 1, { expiryTimeMs: play.now + HOUR });
    play.submit("nowhere", 1, { expiryTimeMs: play.now + HOUR, requirements: "other.Nonsense" });
    play.settle();
    play.now += HOUR;
    play.settle();
    expect(play.state("nowhere")).toBe("ABORTED");
    expect(play.records.get("nowhere")?.abortReason).toEqual({ kind: "expired", detail: "" });
    expect(play.state("there")).not.toBe("ABORTED");
  });

  it("EN-183 with any interleaving of failures every job ends once, for a stated reason", () => {
    const step = fc.record({
      job: fc.integer({ min: 0, max: 3 }),
      does: fc.constantFrom("run", "lost", "launchFailed", "exit", "cancel", "drain", "reopen", "wait"),
    });
    const retries = fc.integer({ min: 0, max: 3 });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        retries,
        fc.option(retries),
        (steps, retryCount, shallow) => {
          const play = scene({ a: 2, b: 2 });
          const shallowRetries = shallow === null ? {} : { shallowRetryCount: shallow };
          const more = { retryCount, ...shallowRetries, expiryTimeMs: play.now + 10 * HOUR };
          for (let at = 0; at < 4; at++) {
            const requirements = at % 2 === 0 ? {} : { requirements: "other.GlueCEStateFreeCPUs > 1" };
            play.submit(`j${at}`, 1, { ...more, ...requirements });
          }
          for (const { job, does } of steps) stepOn(play, `j${job}`, does);
          play.now += 10 * HOUR;
          play.settle();
          for (let at = 0; at < 4; at++) finish(play, `j${at}`);
          for (let at = 0; at < 4; at++) {
            const record = play.records.get(`j${at}`);
            expect(record !== undefined && isFinal(record.state)).toBe(true);
            if (record?.state === "ABORTED") expect(record.abortReason).not.toBeNull();
            const ends = play.log.filter(
              (event) =>
                "job" in event &&
                event.job === `j${at}` &&
                (event.kind === "jobCancelled" ||
                  event.kind === "jobExpired" ||
                  (event.kind === "attemptEnded" && event.retry === undefined)),
            );
            expect(ends).toHaveLength(1);
          }
        },
      ),
      draws(100),
    );
  });
});

function stepOn(play: Scene, job: string, does: string): void {
  const record = play.records.get(job);
  const isThere = record?.startDecidedAtMs != null && !isFinal(record.state);
  if (does === "run" && isThere) play.running(job);
  if ((does === "lost" || does === "launchFailed") && isThere) play.ended(job, { ...lost, cause: does });
  if (does === "exit" && isThere) play.ended(job);
  if (does === "cancel") play.act("cancel", job);
  if (does === "drain" || does === "reopen") play.ask({ kind: `${does}Site`, site: "a", by: "ann" });
  play.now += 1000;
  play.settle();
}

/** Ends a job wherever it is. */
function finish(play: Scene, job: string): void {
  for (let turn = 0; turn < 10 && !isFinal(play.records.get(job)?.state ?? "DONE"); turn++) {
    play.ask({ kind: "reopenSite", site: "a", by: "ann" });
    play.settle();
    if (play.records.get(job)?.startDecidedAtMs != null) play.ended(job);
  }
}
