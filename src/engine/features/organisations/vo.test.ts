import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, type Scene, scene } from "../../../../test/engine-scene.ts";
import {
  type Command,
  explanationText,
  JOB_DEFAULTS,
  type JobRecord,
  type Policy,
  type SiteSelector,
} from "../../../model/index.ts";
import { createProjection, explain, restore } from "../../index.ts";
import { apply } from "../../register.ts";

const MINUTE = 60_000;

function policy(provider: string, consumer: string, percent: number, burstPercent = 100): Policy {
  return {
    ...{ resource: "cpu", provider, consumer, rule: "entitlement", mode: "shared", carry: "forgive" },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: percent * 10_000 },
    burst: { bucketMs: MINUTE, sharePpm: burstPercent * 10_000 },
  };
}

function applyAll(play: Scene, policies: readonly Policy[]): string {
  const request = { kind: "applyPolicies", policies, by: "admin", note: "" } as const;
  return play.ask({ ...request, effectiveFromMs: null, onVersion: null });
}

function submit(play: Scene, job: string, consumer: string, procs = 1): string {
  const wallTimeMs = 10 * MINUTE;
  const description = { ...JOB_DEFAULTS, executable: "true", procs, wallTimeMs };
  return play.ask({ kind: "submit", job, description, consumer, owner: consumer });
}

function say(play: Scene, vo: string, more: Partial<Extract<Command, { kind: "changeVo" }>> = {}): string {
  return play.ask({ kind: "changeVo", vo, selector: null, enforcement: null, by: "boss", ...more });
}

/** Decides; what is decided to start reports that it runs. */
function go(play: Scene): readonly string[] {
  const starts = play.settle();
  for (const job of starts) if (play.records.get(job)?.startedAtMs === null) play.running(job);
  return starts;
}

const sitesOf = (play: Scene, ...jobs: readonly string[]) => jobs.map((job) => play.records.get(job)?.site);

describe("placement of an organisation's jobs", () => {
  const placedBy = (selector: SiteSelector | null): Scene => {
    const play = scene({ a: 10, b: 20, c: 10 });
    if (selector !== null) say(play, "vo", { selector });
    for (const job of ["j1", "j2", "j3", "j4"]) submit(play, job, "vo/g/u", 4);
    play.settle();
    return play;
  };

  it("EN-75 without a selector, jobs go where they start earliest; ties go to the first site", () => {
    expect(sitesOf(placedBy(null), "j1", "j2", "j3", "j4")).toEqual(["a", "a", "b", "b"]);
  });

  it.each<[SiteSelector, string[]]>([
    ["roundRobin", ["a", "b", "c", "a"]],
    ["leastRecentlyUsed", ["a", "b", "c", "a"]],
    ["leastUsed", ["a", "b", "c", "b"]],
    ["bestStart", ["a", "a", "b", "b"]],
    ["cheapest", ["a", "a", "b", "b"]],
  ])("EN-75 %s", (selector, sites) => {
    expect(sitesOf(placedBy(selector), "j1", "j2", "j3", "j4")).toEqual(sites);
  });

  it("EN-75 random selection depends on the job's id alone: the same jobs go to the same sites", () => {
    const once = sitesOf(placedBy("random"), "j1", "j2", "j3", "j4");
    expect(sitesOf(placedBy("random"), "j1", "j2", "j3", "j4")).toEqual(once);
    const play = scene({ a: 1000, b: 1000, c: 1000 });
    say(play, "vo", { selector: "random" });
    const jobs = Array.from({ length: 60 }, (_, at) => `job${at}`);
    for (const job of jobs) submit(play, job, "vo/g/u");
    play.settle();
    expect(new Set(sitesOf(play, ...jobs))).toEqual(new Set(["a", "b", "c"]));
  });

  it("EN-75 selection in turn continues after a restart; other organisations are not affected", () => {
    const play = placedBy("roundRobin");
    const stored = { ...NOTHING_STORED, vos: [...play.projection.vos.records.values()] };
    const later = restore(stored, play.now).vos.records.get("vo");
    expect(later).toMatchObject({ lastSite: "a", sentAtMs: { a: play.now, b: play.now, c: play.now } });
    submit(play, "other", "vo2/g/u", 4);
    submit(play, "j5", "vo/g/u", 4);
    play.settle();
    expect(sitesOf(play, "j5", "other")).toEqual(["b", "b"]);
  });

  it("EN-75 a site that would never admit the job is selected only where no site would", () => {
    const play = scene({ a: 10, b: 10 });
    applyAll(play, [policy("a", "else", 50)]);
    say(play, "vo", { selector: "leastUsed" });
    for (const job of ["j1", "j2"]) submit(play, job, "vo/g/u", 4);
    play.settle();
    expect(sitesOf(play, "j1", "j2")).toEqual(["b", "b"]);
    applyAll(play, [policy("a", "else", 50), policy("b", "else", 50)]);
    submit(play, "j3", "vo/g/u", 4);
    play.settle();
    expect(sitesOf(play, "j3")).toEqual(["a"]);
  });

  it("the same settings again give no event; settings of a path that is no organisation are refused", () => {
    const play = scene({ a: 4 });
    expect(say(play, "vo", { selector: "random" })).toBe("ok");
    expect(say(play, "vo", { selector: "random" })).toBe("ok");
    expect(play.log.filter(({ kind }) => kind === "voChanged")).toHaveLength(1);
    expect(say(play, "vo/g", { selector: "random" })).toBe("consumerInvalid");
    expect(say(play, "", { selector: "random" })).toBe("consumerInvalid");
  });
});

describe("scores of selected sites", () => {
  it("a start in time counts for the site, a late one against it", () => {
    const play = scene({ a: 4, b: 4 });
    for (const job of ["j1", "j2", "j3"]) submit(play, job, "vo/g/u", 4);
    go(play);
    expect(sitesOf(play, "j1", "j2", "j3")).toEqual(["a", "b", "a"]);
    expect(play.records.get("j1")?.recommended).toMatchObject({ honoured: "now", outcome: "kept" });
    expect(play.records.get("j3")?.recommended).toMatchObject({ honoured: "later", outcome: "open" });
    const { byMs = 0 } = play.records.get("j3")?.recommended ?? {};
    expect(byMs).toBe(play.now + 10 * MINUTE + 15_000 + 5_000);
    play.now = byMs + 1;
    play.ended("j1");
    go(play);
    expect(play.records.get("j3")?.recommended).toMatchObject({ outcome: "missed" });
    expect(play.projection.sites.get("a")?.score).toEqual({ kept: 1, missed: 1 });
    expect(play.projection.sites.get("b")?.score).toEqual({ kept: 1, missed: 0 });
  });

  it("held or cancelled jobs do not count; a job with a single possible site is not scored", () => {
    const play = scene({ a: 4, b: 4 });
    for (const job of ["j1", "j2", "j3", "j4"]) submit(play, job, "vo/g/u", 4);
    go(play);
    play.act("hold", "j3");
    play.act("cancel", "j4");
    expect(play.records.get("j3")?.recommended).toMatchObject({ outcome: "void" });
    expect(play.records.get("j4")?.recommended).toMatchObject({ outcome: "void" });
    const alone = scene({ a: 4 });
    submit(alone, "j1", "vo/g/u", 4);
    go(alone);
    expect(alone.records.get("j1")?.recommended).toBeUndefined();
  });

  it("replaying the log gives the same scores", () => {
    const play = scene({ a: 4, b: 4 });
    for (const job of ["j1", "j2", "j3"]) submit(play, job, "vo/g/u", 4);
    go(play);
    const again = createProjection();
    for (const event of play.log) apply(again, event);
    expect([...again.sites.values()].map(({ score }) => score)).toEqual([
      { kept: 1, missed: 0 },
      { kept: 1, missed: 0 },
    ]);
  });
});

/** Two groups, of which one has a fifth and the other the rest of all that the organisation has. */
const GROUPS = [policy("vo", "vo/few", 20), policy("vo", "vo/many", 80)];
const GIVEN = ["a", "b", "c"].map((site) => policy(site, "vo", 100));

function organisation(policies: readonly Policy[] = [...GIVEN, ...GROUPS], extraPpm = 0): Scene {
  const play = scene({ a: 10, b: 20, c: 20 });
  applyAll(play, policies);
  say(play, "vo", { enforcement: { extraPpm } });
  return play;
}

function inUse(play: Scene, group: string): number {
  const its = [...play.projection.jobs.values()].filter((job) => job.consumer.startsWith(group));
  return its.reduce((sum, job) => sum + (job.site === null ? 0 : job.description.procs), 0);
}

function many(play: Scene, group: string, count: number): void {
  for (let at = 0; at < count; at++) submit(play, `${group.slice(3)}${at}`, `${group}/u`);
}

/** Ends the job that runs longest, again and again; gives the processors of a group after each. */
function passTime(play: Scene, rounds: number, group: string): number[] {
  const seen: number[] = [];
  for (let round = 0; round < rounds; round++) {
    play.now += 10_000;
    const [oldest] = [...play.projection.jobs.values()]
      .filter(({ state }) => state === "RUNNING")
      .sort((one, other) => (one.startedAtMs ?? 0) - (other.startedAtMs ?? 0) || one.order - other.order);
    play.ended(oldest.id);
    go(play);
    seen.push(inUse(play, group));
  }
  return seen;
}

describe("the enforcer of an organisation", () => {
  it("EN-77 keeps its groups' shares over all sites", () => {
    const play = organisation();
    many(play, "vo/few", 200);
    many(play, "vo/many", 200);
    go(play);
    const [few] = passTime(play, 90, "vo/few").slice(-1);
    expect(Math.abs(few - 10)).toBeLessThanOrEqual(1);
    expect(inUse(play, "vo")).toBe(50);
  });

  it("EN-77 a single group gets everything, and gives it back as its jobs end", () => {
    const play = organisation();
    many(play, "vo/few", 100);
    go(play);
    expect(inUse(play, "vo/few")).toBe(50);
    many(play, "vo/many", 100);
    go(play);
    const seen = passTime(play, 60, "vo/few");
    expect(seen.at(-1)).toBeLessThanOrEqual(11);
    expect(seen.at(-1)).toBeGreaterThanOrEqual(9);
  });

  it("EN-77 only the allowed extra jobs wait at the sites", () => {
    const play = organisation(undefined, 100_000);
    many(play, "vo/few", 100);
    many(play, "vo/many", 100);
    go(play);
    passTime(play, 60, "vo/few");
    const queued = [...play.projection.jobs.values()].filter(({ state }) => state === "SCHEDULED");
    expect(queued.length).toBeGreaterThan(0);
    expect(inUse(play, "vo")).toBeLessThanOrEqual(60);
  });

  it("EN-77 places jobs at the least loaded site", () => {
    const play = organisation();
    many(play, "vo/many", 10);
    go(play);
    const at = (site: string) => [...play.projection.jobs.values()].filter((job) => job.site === site).length;
    expect([at("a"), at("b"), at("c")]).toEqual([2, 4, 4]);
  });

  it("EN-77 explains to a waiting job whose turn it is", () => {
    const play = organisation([...GIVEN, policy("vo", "vo/few", 20, 30), policy("vo", "vo/many", 80)]);
    submit(play, "wide", "vo/few/u", 16);
    many(play, "vo/few", 20);
    many(play, "vo/many", 45);
    go(play);
    const why = (id: string) => explain(play.projection, jobOf(play, id), play.now).causes[0];
    expect(why("wide")).toMatchObject({ kind: "voTurn", because: "tooWide", burst: 15, needed: 16 });
    expect(why("few19")).toMatchObject({ because: "burst", inUse: 15, epoch: 10, group: "vo/few" });
    expect(why("many44")).toMatchObject({ kind: "voTurn", inUse: 40, epoch: 40, because: "share" });
    const lines = explanationText(explain(play.projection, jobOf(play, "many44"), play.now), String);
    expect(lines[1]).toMatch(
      /^vo has not released it yet: its groups use 5\d in total; vo\/many uses 40 of 50 processors/,
    );
  });

  it("EN-77 a group without policies gets what the others leave", () => {
    const play = organisation([...GIVEN, policy("vo", "vo/many", 80)]);
    many(play, "vo/other", 30);
    many(play, "vo/many", 200);
    go(play);
    passTime(play, 90, "vo/other");
    expect(inUse(play, "vo/many")).toBeGreaterThanOrEqual(39);
  });

  it("EN-77 decides the same after a restart", () => {
    const play = organisation();
    many(play, "vo/few", 60);
    many(play, "vo/many", 60);
    go(play);
    passTime(play, 20, "vo/few");
    const back = restored(play);
    for (const projection of [play.projection, back.projection]) expect(projection.vos.uses.size).toBe(1);
    const groups = (of: Scene) => [...(of.projection.vos.uses.get("vo")?.groups ?? [])].sort();
    expect(groups(back).map(([name, { inUse: procs, running }]) => [name, procs, running])).toEqual(
      groups(play).map(([name, { inUse: procs, running }]) => [name, procs, running]),
    );
  });

  it("switched off, it lets every job go", () => {
    const play = organisation();
    many(play, "vo/few", 80);
    go(play);
    expect([...play.projection.jobs.values()].filter(({ site }) => site === null)).toHaveLength(30);
    say(play, "vo");
    go(play);
    expect([...play.projection.jobs.values()].filter(({ site }) => site === null)).toHaveLength(0);
  });

  it("EN-77 decides the same whatever goes on inside other organisations", () => {
    const told = (others: readonly Policy[], consumer: string): unknown => {
      const play = organisation([
        ...["a", "b", "c"].flatMap((site) => [policy(site, "vo", 50), policy(site, "other", 50)]),
        ...GROUPS,
        ...others,
      ]);
      for (let at = 0; at < 30; at++) submit(play, `o${at}`, at % 2 === 0 ? consumer : "other/x/u");
      many(play, "vo/few", 60);
      many(play, "vo/many", 60);
      go(play);
      passTime(play, 40, "vo/few");
      return play.log.filter((event) => event.kind === "jobPlaced" && !event.job.startsWith("o"));
    };
    expect(told([policy("other", "other/x", 70)], "other/x/v")).toEqual(told([], "other/secret/w"));
  });
});

function jobOf(play: Scene, id: string): JobRecord {
  const job = play.projection.jobs.get(id);
  if (job === undefined) throw new Error(`${id} is over`);
  return job;
}

/** The scene after a restart. */
function restored(play: Scene): Scene {
  const { projection } = play;
  const sites = [...projection.sites.values()].map(({ name, spec, order, isDraining, score }) => ({
    ...{ name, spec, order, isDraining, score },
  }));
  const stored = {
    ...{ ...NOTHING_STORED, sites, jobs: [...projection.jobs.values()], accepted: projection.accepted },
    ...{ policies: projection.policies.versions, vos: [...projection.vos.records.values()] },
    pastJobs: [...play.records.values()].filter(({ endedAtMs }) => endedAtMs !== null),
  };
  return { ...play, projection: restore(stored, play.now) };
}
