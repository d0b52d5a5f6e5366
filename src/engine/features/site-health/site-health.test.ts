import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../../test/draws.ts";
import { HOUR, NOTHING_STORED, type Scene, scene } from "../../../../test/engine-scene.ts";
import { JOB_DEFAULTS } from "../../../model/index.ts";
import { explain, query, restore } from "../../index.ts";
import { chanceOfAtLeast } from "../../state/site-health.ts";

const MINUTE = 60_000;
const LOST = { cause: "lost", exitCode: null } as const;
const ERROR = { cause: "exited", exitCode: 1 } as const;

function submit(play: Scene, job: string, more: { readonly owner?: string; readonly program?: string } = {}) {
  const { owner = "u1", program = job } = more;
  const description = { ...JOB_DEFAULTS, executable: program, procs: 1, wallTimeMs: HOUR };
  expect(play.ask({ kind: "submit", job, description, consumer: `vo/g/${owner}`, owner })).toBe("ok");
  play.settle();
}

/** Submits a job, which begins and ends after a second, and gives the site where it was. */
function run(play: Scene, job: string, end: object, more: Parameters<typeof submit>[2] = {}): string | null {
  submit(play, job, more);
  const site = play.records.get(job)?.site ?? null;
  if (site === null) return null;
  play.running(job);
  play.now += 1000;
  play.ended(job, end);
  play.settle();
  return site;
}

const asideAt = ({ projection }: Scene, site: string) => projection.books.siteHealth.get(site)?.aside;

/** Five jobs of two programs are lost at the only site. */
function sick(): Scene {
  const play = scene({ far: 8 });
  for (let i = 0; i < 5; i++) run(play, `lost${i}`, LOST, { program: i < 3 ? "a" : "b" });
  expect(asideAt(play, "far")).toMatchObject({ quick: 5, ended: 5 });
  return play;
}

describe("sites that fail jobs", () => {
  it("EN-190 five lost jobs of two descriptions within ten minutes set a site aside", () => {
    const play = scene({ far: 8 });
    for (const job of ["a1", "a2", "a3", "a4"]) run(play, job, LOST, { program: "a" });
    run(play, "a5", LOST, { program: "a" });
    expect(asideAt(play, "far")).toBeNull();
    run(play, "b1", LOST, { program: "b" });
    expect(asideAt(play, "far")).toMatchObject({ quick: 6, ended: 6 });
    expect(play.log.filter(({ kind }) => kind === "siteSetAside")).toHaveLength(1);
  });

  it("EN-190 failures that are spread over an hour do not", () => {
    const play = scene({ far: 8 });
    for (let i = 0; i < 12; i++) {
      run(play, `j${i}`, LOST);
      play.now += 5 * MINUTE;
    }
    expect(asideAt(play, "far")).toBeNull();
  });

  it("EN-190 errors of one person's programs do not; those of two do, unless they ran long", () => {
    const play = scene({ far: 8 });
    for (let i = 0; i < 8; i++) run(play, `mine${i}`, ERROR);
    expect(asideAt(play, "far")).toBeNull();
    run(play, "hers", ERROR, { owner: "u2" });
    expect(asideAt(play, "far")).toMatchObject({ quick: 9, ended: 9 });

    const other = scene({ far: 8 });
    for (let i = 0; i < 8; i++) {
      submit(other, `long${i}`, { owner: `u${i}` });
      other.running(`long${i}`);
    }
    other.now += MINUTE;
    for (let i = 0; i < 8; i++) other.ended(`long${i}`, ERROR);
    other.settle();
    expect(asideAt(other, "far")).toBeNull();
  });

  it("EN-190 as many failures as the site always has are no reason", () => {
    const play = scene({ far: 8 });
    for (let i = 0; i < 60; i++) {
      run(play, `good${i}`, {});
      run(play, `bad${i}`, LOST);
      play.now += 5 * MINUTE;
    }
    for (let i = 0; i < 6; i++) {
      run(play, `now${i}`, LOST);
      run(play, `fine${i}`, {});
    }
    expect(asideAt(play, "far")).toBeNull();
  });

  /** Jobs of one program at one site after the other, lost as soon as they began. */
  function loseAt(play: Scene, program: string, ...sites: readonly string[]): void {
    for (const [i, site] of sites.entries()) {
      const job = `${program}${i}`;
      const description = { ...JOB_DEFAULTS, executable: program, procs: 1, wallTimeMs: HOUR, site };
      play.ask({ kind: "submit", job, description, consumer: "vo/g/u1", owner: "u1" });
      play.settle();
      play.running(job);
      play.ended(job, LOST);
      play.settle();
    }
  }

  it("EN-194 a description that fails at several sites is told so, and is counted against none", () => {
    const play = scene({ far: 8, near: 8, third: 8 });
    loseAt(play, "bad", "far", "near", "far", "near", "far", "far", "far");
    loseAt(play, "worse", "near", "far", "far", "far");
    expect(asideAt(play, "far")).toBeNull();
    submit(play, "again", { program: "bad" });
    const job = play.records.get("again");
    const causes = job === undefined ? [] : explain(play.projection, job, play.now).causes;
    expect(causes).toContainEqual({ kind: "failsEverywhere", sites: ["far", "near"], times: 7 });
    const ended = play.records.get("worse3");
    if (ended === undefined) throw new Error("it ended");
    expect(query(play.projection, { name: "ownFault", question: ended }, play.now)).toMatchObject([
      { times: 4 },
    ]);
    expect(query(play.projection, { name: "ownFault", question: ended }, play.now + HOUR)).toEqual([]);
    for (let i = 0; i < 5; i++) loseAt(play, `other${i}`, "far");
    expect(asideAt(play, "far")).toMatchObject({ quick: 5 });
  });

  it("EN-194 a test that fails by its own fault does not lengthen the pause of a site", () => {
    const play = scene({ far: 8, near: 8 });
    for (let i = 0; i < 5; i++) loseAt(play, `p${i}`, "far");
    expect(asideAt(play, "far")).not.toBeNull();
    loseAt(play, "bad", "near");
    play.now += 10 * MINUTE;
    expect(run(play, "test", LOST, { program: "bad" })).toBe("far");
    expect(asideAt(play, "far")).toMatchObject({ pauseMs: 10 * MINUTE });
    expect(run(play, "next", LOST, { program: "fine" })).toBe("far");
    expect(asideAt(play, "far")).toMatchObject({ pauseMs: 20 * MINUTE });
  });

  it("EN-191 another site is taken meanwhile; tests follow after ten minutes, then twice that", () => {
    const play = scene({ far: 8, near: 1 });
    for (let i = 0; i < 5; i++) {
      const site = { ...JOB_DEFAULTS, executable: `p${i}`, procs: 1, wallTimeMs: HOUR, site: "far" };
      play.ask({ kind: "submit", job: `s${i}`, description: site, consumer: "vo/g/u1", owner: "u1" });
      play.settle();
      play.running(`s${i}`);
      play.ended(`s${i}`, LOST);
      play.settle();
    }
    expect(asideAt(play, "far")).not.toBeNull();
    expect(run(play, "elsewhere", {})).toBe("near");
    play.now += 10 * MINUTE;
    expect(run(play, "test1", LOST)).toBe("far");
    expect(asideAt(play, "far")).toMatchObject({ pauseMs: 20 * MINUTE, probeAtMs: play.now + 20 * MINUTE });
    play.now += 19 * MINUTE;
    expect(run(play, "tooSoon", {})).toBe("near");
    play.now += MINUTE;
    expect(run(play, "test2", LOST)).toBe("far");
    for (let i = 0; i < 5; i++) {
      play.now = asideAt(play, "far")?.probeAtMs ?? 0;
      expect(run(play, `test${3 + i}`, LOST)).toBe("far");
    }
    expect(asideAt(play, "far")?.pauseMs).toBe(240 * MINUTE);
  });

  it("EN-191 two good tests readmit it, with five jobs at a time until twenty have ended well", () => {
    const play = sick();
    play.now += 10 * MINUTE;
    submit(play, "test1");
    submit(play, "next");
    expect(play.records.get("test1")?.site).toBe("far");
    expect(play.records.get("next")?.site).toBeNull();
    play.running("test1");
    play.ended("test1");
    play.settle();
    expect(play.records.get("next")?.site).toBe("far");
    play.running("next");
    play.ended("next");
    play.settle();
    expect(play.log.findLast(({ kind }) => kind === "siteReadmitted")).toMatchObject({ by: null });

    const many = Array.from({ length: 7 }, (_, i) => `many${i}`);
    for (const job of many) submit(play, job);
    const there = () => many.filter((job) => play.records.get(job)?.site === "far").length;
    expect(there()).toBe(5);
    for (const job of many) {
      play.running(job);
      play.ended(job);
      play.settle();
    }
    expect(there()).toBe(7);
    for (let i = 0; i < 13; i++) run(play, `more${i}`, {});
    expect(play.projection.books.siteHealth.get("far")).toMatchObject({ aside: null, endedWell: null });
  });

  it("EN-191 whoever reopens it readmits it at once", () => {
    const play = sick();
    expect(play.ask({ kind: "reopenSite", site: "far", by: "ann" })).toBe("ok");
    expect(play.log.at(-1)).toMatchObject({ kind: "siteReadmitted", by: "ann" });
    expect(run(play, "again", {})).toBe("far");
  });

  it("EN-192 a job that waits for it is explained, and the site shows why", () => {
    const play = sick();
    submit(play, "waits");
    const job = play.records.get("waits");
    const causes = job === undefined ? [] : explain(play.projection, job, play.now).causes;
    const trouble = { kind: "siteSetAside", site: "far", quick: 5, ended: 5, sinceMs: play.now };
    expect(causes[0]).toEqual({ ...trouble, probeAtMs: play.now + 10 * MINUTE });
    expect(query(play.projection, { name: "siteHealth", question: "far" }, play.now)).toEqual(causes[0]);
  });

  it("the health of a site survives a restart and goes with its site", () => {
    const play = sick();
    const [record] = play.projection.books.siteHealth.values();
    const again = restore({ ...NOTHING_STORED, siteHealth: [record] }, play.now);
    expect(again.books.siteHealth.get("far")).toEqual(record);
    play.ask({ kind: "removeSite", site: "far", by: "ann" });
    expect(play.projection.books.siteHealth.size).toBe(0);
  });

  it("EN-190 the chance is the tail of the binomial distribution", () => {
    expect(chanceOfAtLeast(5, 5, 0.02)).toBeCloseTo(3.2e-9, 15);
    const plain = (k: number, n: number, p: number): number => {
      // Row of Pascal's triangle times the chances, from the probability of each count.
      let of = [1];
      for (let i = 0; i < n; i++) {
        of = Array.from({ length: of.length + 1 }, (_, j) => (of[j] ?? 0) * (1 - p) + (of[j - 1] ?? 0) * p);
      }
      return of.slice(k).reduce((sum, it) => sum + it, 0);
    };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 80 }),
        fc.nat(80),
        fc.double({ min: 0.02, max: 0.9, noNaN: true }),
        (n, k, p) => {
          const atLeast = Math.min(k, n);
          expect(chanceOfAtLeast(atLeast, n, p)).toBeCloseTo(plain(atLeast, n, p), 9);
        },
      ),
      draws(200),
    );
  });
});
