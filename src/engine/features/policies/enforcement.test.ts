import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, type Scene, scene, shown } from "../../../../test/engine-scene.ts";
import {
  ENFORCEMENT_DEFAULTS,
  type EnforcementRules,
  enforcementActionText,
  JOB_DEFAULTS,
  type Policy,
  type SiteSpec,
} from "../../../model/index.ts";
import { apply, createProjection, decide, explain, restore } from "../../index.ts";
import { sharesAt } from "../../state/enforced-site.ts";
import { enforcedView } from "./enforced-view.ts";
import { policyVerdictAt, policyVerdictText } from "./policy-verdict.ts";
import { usageAt } from "./site-usage.ts";

const MINUTE = 60_000;
const GRANTED: EnforcementRules = { ...ENFORCEMENT_DEFAULTS, granted: ["hold", "suspend"], minRunMs: 1000 };

function managed(procs: number, enforcement?: EnforcementRules): SiteSpec {
  return {
    ...{ type: "managed", procs, memoryBytes: 2 ** 30, discipline: "fcfs", defaultWallTimeMs: HOUR },
    ...(enforcement === undefined ? {} : { enforcement }),
  };
}

function policy(consumer: string, percent: number, more: Partial<Policy> = {}): Policy {
  return {
    ...{ resource: "cpu", provider: "here", consumer },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: percent * 10_000 },
    burst: { bucketMs: MINUTE, sharePpm: 1_000_000 },
    ...{ rule: "entitlement", mode: "shared", carry: "forgive" },
    ...more,
  };
}

function stage(enforcement: EnforcementRules | undefined, policies: readonly Policy[], procs = 10): Scene {
  const play = scene({});
  play.ask({ kind: "addSite", site: "here", spec: managed(procs, enforcement) });
  applyAll(play, policies);
  return play;
}

function applyAll(play: Scene, policies: readonly Policy[]): string {
  return play.ask({
    kind: "applyPolicies",
    ...{ policies, effectiveFromMs: null, onVersion: null, by: "admin", note: "" },
  });
}

function submit(play: Scene, job: string, consumer: string, procs: number): string {
  const description = { ...JOB_DEFAULTS, executable: "true", procs, wallTimeMs: 10 * MINUTE };
  return play.ask({ kind: "submit", job, description, consumer, owner: consumer });
}

/** Starts what may, and lets what starts report. */
function go(play: Scene): string[] {
  const starts = play.settle();
  for (const job of starts) if (play.records.get(job)?.startedAtMs === null) play.running(job);
  return starts;
}

const HALF = [policy("a", 50), policy("b", 50)];

describe("policies", () => {
  it("EN-50 are applied as versions; the latest whose time has come is in force", () => {
    const play = stage(undefined, HALF);
    const later = play.now + HOUR;
    const request = { kind: "applyPolicies", policies: HALF, by: "admin", note: "next" } as const;
    expect(play.ask({ ...request, effectiveFromMs: later, onVersion: 7 })).toBe("policiesChanged");
    expect(play.ask({ ...request, effectiveFromMs: later, onVersion: 1 })).toBe("ok");
    expect(play.projection.policies.versions.map(({ version }) => version)).toEqual([1, 2]);
    expect(decide(play.projection, play.now).wakeAtMs).toBe(later);
    play.now = later;
    expect(applyAll(play, [policy("a", 20)])).toBe("ok");
    expect(play.projection.policies.versions.map(({ version }) => version)).toEqual([2, 3]);
  });

  it("EN-50 are refused with a provider that is neither a site nor a consumer", () => {
    const play = stage(undefined, HALF);
    expect(applyAll(play, [policy("a", 20, { provider: "there" })])).toBe("unknownProvider");
    expect(applyAll(play, [policy("a", 20), policy("a/x", 50, { provider: "a" })])).toBe("ok");
  });
});

describe("the enforcer of a managed site", () => {
  it("EN-51 sees each job as its record is now, not as it was cached", () => {
    const play = stage(GRANTED, HALF);
    const isSeenAnew = () => {
      const site = play.projection.sites.get("here");
      const shares = sharesAt(play.projection, "here", play.now);
      if (site === undefined || shares === undefined) throw new Error("the site has policies");
      const seen = enforcedView(play.projection, site, shares, play.now);
      const copy = { ...site, enforcer: { ...site.enforcer } };
      const anew = enforcedView(play.projection, copy, shares, play.now);
      expect({ ...seen, shares: null }).toEqual({ ...anew, shares: null });
      return seen.jobs.map(({ id, state }) => `${id} ${state}`);
    };
    for (const job of ["a1", "a2"]) submit(play, job, "a/u", 5);
    submit(play, "s1", "stranger/u", 1);
    expect(isSeenAnew()).toEqual([]);
    go(play);
    expect(isSeenAnew()).toContain("a1 running");
    play.ended("a1");
    play.now += MINUTE;
    expect(isSeenAnew()).not.toContain("a1 running");
    go(play);
    expect(isSeenAnew()).toContain("a2 running");
  });

  it("EN-52 lets jobs in one by one, the least served consumer first", () => {
    const play = stage(GRANTED, HALF);
    for (const job of ["a1", "a2", "a3"]) submit(play, job, "a/u", 5);
    submit(play, "b1", "b/u", 5);
    expect(go(play)).toEqual(["a1", "b1"]);
    expect(play.records.get("a2")?.enforced?.isHeld).toBe(true);
    play.now += MINUTE;
    play.ended("b1");
    expect(go(play)).toEqual(["a2"]);
  });

  it("EN-52 keeps a burst limit though the site is idle", () => {
    const burst = { bucketMs: MINUTE, sharePpm: 600_000 };
    const play = stage(GRANTED, [policy("a", 20, { burst })]);
    for (const job of ["a1", "a2", "a3"]) submit(play, job, "a/u", 3);
    expect(go(play)).toEqual(["a1", "a2"]);
    const why = explain(play.projection, jobOf(play, "a3"), play.now);
    expect(why.causes).toContainEqual({
      kind: "policy",
      site: "here",
      cause: { kind: "burst", consumer: "a" },
    });
  });

  it("EN-52 takes back what was lent at once, resumes it later, and says so", () => {
    const play = stage(GRANTED, [policy("a", 50), policy("b", 50, { mode: "preempting" })]);
    for (const job of ["a1", "a2"]) submit(play, job, "a/u", 5);
    expect(go(play)).toEqual(["a1", "a2"]);
    play.now += MINUTE;
    submit(play, "b1", "b/u", 5);
    expect(go(play)).toEqual(["b1"]);
    expect(play.state("a2")).toBe("SUSPENDED");
    expect(play.records.get("a2")).toMatchObject({ enforced: { stops: 1, stoppedFor: ["b1"] } });
    expect(play.act("resume", "a2")).toBe("stoppedByPolicy");
    const why = explain(play.projection, jobOf(play, "a2"), play.now);
    expect(why.causes[0]).toMatchObject({ kind: "policy", site: "here" });
    play.now += MINUTE;
    play.ended("b1");
    expect(go(play)).toEqual(["a2"]);
    expect(play.state("a2")).toBe("RUNNING");
  });

  it("EN-51 leaves alone jobs without a policy, held jobs and exempted jobs", () => {
    const play = stage(GRANTED, []);
    submit(play, "x1", "nobody/u", 10);
    expect(go(play)).toEqual(["x1"]);
    applyAll(play, [policy("a", 50, { burst: { bucketMs: MINUTE, sharePpm: 500_000 } })]);
    submit(play, "a1", "a/u", 5);
    expect(go(play)).toEqual([]);
    play.act("hold", "a1");
    play.ended("x1");
    expect(go(play)).toEqual([]);
    play.act("release", "a1");
    expect(go(play)).toEqual(["a1"]);
    submit(play, "a2", "a/u", 5);
    expect(go(play)).toEqual([]);
    expect(play.ask({ kind: "undoEnforcement", enforcedJob: "a2", by: "admin" })).toBe("ok");
    expect(go(play)).toEqual(["a2"]);
  });

  it("EN-52 with only `watch` granted, it records once what it would do and does nothing", () => {
    const play = stage(undefined, [policy("a", 50), policy("b", 50, { mode: "preempting" })]);
    for (const job of ["a0", "a1"]) submit(play, job, "a/u", 5);
    expect(go(play)).toEqual(["a0", "a1"]);
    play.now += 2 * MINUTE;
    submit(play, "b1", "b/u", 5);
    expect(go(play)).toEqual([]);
    const advice = play.log.filter(({ kind }) => kind === "enforcementAdvised");
    expect(advice.at(-1)).toMatchObject({ actions: [{ verb: "suspend", job: "a1" }] });
    const before = play.log.length;
    play.now += 1;
    go(play);
    expect(play.log.length).toBe(before);
    expect(play.state("a1")).toBe("RUNNING");
  });

  it("EN-52 paused, it releases and resumes what it had held and stopped", () => {
    const play = stage(GRANTED, [policy("a", 50, { rule: "cap" }), policy("b", 50, { mode: "preempting" })]);
    for (const job of ["a1", "a2"]) submit(play, job, "a/u", 5);
    go(play);
    play.now += MINUTE;
    submit(play, "b1", "b/u", 5);
    go(play);
    submit(play, "a3", "a/u", 5);
    go(play);
    expect(play.ask({ kind: "pauseEnforcement", site: "here", by: "admin" })).toBe("ok");
    go(play);
    expect(play.records.get("a3")?.enforced).toMatchObject({ isHeld: false });
    expect(play.records.get("a2")?.enforced).toMatchObject({ isStopped: false });
    expect(play.ask({ kind: "continueEnforcement", site: "here", by: "admin" })).toBe("ok");
    submit(play, "a4", "a/u", 5);
    go(play);
    expect(play.records.get("a4")?.enforced).toMatchObject({ isHeld: true });
  });

  it("EN-52 an action is undone once; without an action there is nothing to undo", () => {
    const play = stage(GRANTED, [policy("a", 50), policy("b", 50, { mode: "preempting" })]);
    for (const job of ["a0", "a1"]) submit(play, job, "a/u", 5);
    go(play);
    play.now += MINUTE;
    submit(play, "b1", "b/u", 5);
    go(play);
    expect(play.state("a1")).toBe("SUSPENDED");
    const undo = (job: string) => play.ask({ kind: "undoEnforcement", enforcedJob: job, by: "admin" });
    expect(undo("a1")).toBe("ok");
    play.ended("b1");
    expect(go(play)).toEqual(["a1"]);
    expect(undo("a1")).toBe("ok");
    expect(undo("nobody")).toBe("unknownJob");
  });

  it("EN-52 the record of an action names what reversed it and who asked for it", () => {
    const play = stage(GRANTED, [policy("a", 50)]);
    for (const job of ["a1", "a2"]) submit(play, job, "a/u", 10);
    go(play);
    const undone = { kind: "enforcementUndone", site: "here", by: "ann", atMs: play.now } as const;
    const kept = apply(play.projection, { ...undone, job: "a2" }).flatMap((change) =>
      change.kind === "action" ? [change.record] : [],
    );
    const action = { verb: "release", job: "a2", cause: { kind: "undone", by: "ann" } } as const;
    expect(kept).toMatchObject([{ site: "here", consumer: "a/u", atMs: play.now, action, isAdvice: false }]);
    expect(enforcementActionText(action, String)).toMatch(/^release a2: ann undid the enforcer's actions/);
  });

  it("EN-56 use is the same after a restart", () => {
    const play = stage(GRANTED, [
      policy("a", 50, { carry: "repay" }),
      policy("b", 50, { carry: "repay", mode: "preempting" }),
    ]);
    for (const job of ["a1", "a2", "a3"]) submit(play, job, "a/u", 5);
    go(play);
    play.now += 2 * MINUTE;
    submit(play, "b1", "b/u", 5);
    go(play);
    play.now += MINUTE;
    play.ended("a1");
    go(play);
    play.now += MINUTE;
    go(play);
    const restored = restore(stored(play), play.now);
    const usage = (from: Scene["projection"]) => {
      const site = from.sites.get("here");
      return site === undefined ? undefined : usageAt(from, site, play.now + MINUTE);
    };
    expect(usage(restored)).toEqual(usage(play.projection));
    const enforced = (from: Scene["projection"]) =>
      decide(from, play.now).events.filter(({ kind }) => kind === "enforced");
    expect(enforced(restored)).toEqual(enforced(play.projection));
  });

  it("PO-7 a slot is quoted and offered only where the policies admit it", () => {
    const play = stage(GRANTED, [policy("a", 50, { burst: { bucketMs: MINUTE, sharePpm: 400_000 } })]);
    const offer = (reservation: string, procs: number) =>
      play.ask({
        kind: "offerSlot",
        ...{ reservation, site: "here", consumer: "a/u", owner: "u", procs, memoryBytes: 0 },
        ...{ startMs: play.now, durationMs: MINUTE },
      });
    expect(offer("r1", 5)).toBe("mayNotReserveSlot");
    expect(offer("r2", 2)).toBe("ok");
    expect(offer("r3", 3)).toBe("mayNotReserveSlot");
  });

  it("PO-21 a hypothetical job gets the verdict of the policies", () => {
    const burst = { bucketMs: MINUTE, sharePpm: 400_000 };
    const play = stage(GRANTED, [policy("a", 20, { burst }), policy("b", 50)]);
    submit(play, "b1", "b/u", 7);
    submit(play, "a1", "a/u", 2);
    go(play);
    const site = play.projection.sites.get("here");
    const verdict = (consumer: string, cpu: number) => {
      const request = { consumer, need: { cpu, gpu: 0, memory: 0 } };
      const said = site === undefined ? null : policyVerdictAt(play.projection, site, request, play.now);
      return said === null ? "none" : `${said.when} ${said.because?.limit ?? ""}: ${policyVerdictText(said)}`;
    };
    expect(verdict("a/u", 1)).toBe("now : the policies would let it go now");
    expect(verdict("a/u", 3)).toBe("later burst: the burst limit of a is in use");
    expect(verdict("a/u", 5)).toBe("never burst: it is larger than the burst limit of a");
    expect(verdict("b/u", 3)).toBe("later free: the policies would let it go when there is room");
    expect(verdict("c/u", 1)).toBe("never noPolicy: no policy gives c/u anything there");
    expect(verdict("b/u", 11)).toBe("never capacity: it is larger than the site");
  });

  it("EN-4 a replay of the log gives the same records", () => {
    const play = stage(GRANTED, [policy("a", 50), policy("b", 50, { mode: "preempting" })]);
    submit(play, "a1", "a/u", 10);
    go(play);
    play.now += MINUTE;
    submit(play, "b1", "b/u", 5);
    go(play);
    const again = createProjection();
    for (const event of play.log) apply(again, event);
    expect([...again.jobs.values()]).toEqual([...play.projection.jobs.values()]);
  });
});

describe("the enforcer of a foreign site", () => {
  const seen = (siteJob: string, account: string, more = {}) =>
    shown(siteJob, null, { account, user: "u", procs: 5, eligibleAtMs: 0, ...more });

  function cluster(enforcement: EnforcementRules): Scene {
    const play = scene({});
    play.foreign("here", 10);
    const site = play.projection.sites.get("here");
    if (site === undefined) throw new Error("it was just added");
    play.ask({ kind: "changeSite", site: "here", spec: { ...site.spec, enforcement } });
    applyAll(play, [policy("a", 50), policy("b", 50, { mode: "preempting" })]);
    return play;
  }
  const asked = (play: Scene) =>
    play.log.flatMap((event) =>
      event.kind === "enforced" ? event.actions.map(({ verb, job }) => `${verb} ${job}`) : [],
    );

  it("EN-59 holds jobs that may not start, and releases them one by one", () => {
    const play = cluster(GRANTED);
    play.look("here", { jobs: [seen("1", "a"), seen("2", "a"), seen("3", "a"), seen("4", "b")] });
    play.settle();
    expect(new Set(asked(play))).toEqual(new Set(["release 1", "release 4", "hold 2", "hold 3"]));
  });

  it("EN-56 a job ordered to stop counts as in use until it is seen stopped", () => {
    const play = cluster(GRANTED);
    applyAll(play, [policy("a", 1, { rule: "cap" }), policy("b", 50)]);
    const look = (state: "running" | "suspended") =>
      play.look("here", { jobs: [seen("1", "a", { state, startedAtMs: play.now })] });
    look("running");
    play.now += 2 * MINUTE;
    play.settle();
    expect(asked(play)).toEqual(["suspend 1"]);
    look("running");
    play.now += MINUTE;
    look("suspended");
    const [site] = play.projection.sites.values();
    expect(usageAt(play.projection, site, play.now).levels[0].usedPpm).toBe(25_000);
  });

  it("EN-59 an order that somebody else reversed is repeated once that is seen", () => {
    const play = cluster(GRANTED);
    const jobs = [seen("1", "a"), seen("2", "a"), seen("3", "a")];
    play.look("here", { jobs });
    play.settle();
    const before = asked(play).length;
    play.now += 10_000;
    play.look("here", { jobs });
    play.settle();
    expect(asked(play).length).toBe(before);
    play.now += 60_000;
    play.look("here", { jobs });
    play.settle();
    expect(asked(play).slice(before)).toContain("hold 3");
  });

  it("EN-59 leaves alone jobs that are held by their user, depend on others, or have a begin time", () => {
    const play = cluster(GRANTED);
    const jobs = [
      seen("1", "a", { state: "held" }),
      seen("2", "a", { eligibleAtMs: null }),
      seen("3", "a", { eligibleAtMs: play.now + HOUR }),
      seen("4", "nobody"),
    ];
    play.look("here", { jobs });
    play.settle();
    expect(asked(play)).toEqual([]);
  });
});

function jobOf(play: Scene, id: string) {
  const job = play.projection.jobs.get(id);
  if (job === undefined) throw new Error(`${id} is over`);
  return job;
}

function pastOf(play: Scene) {
  return [...play.records.values()].filter(({ endedAtMs }) => endedAtMs !== null);
}

function stored(play: Scene) {
  const { projection } = play;
  return {
    ...NOTHING_STORED,
    sites: [...projection.sites.values()].map(({ name, spec, order, isDraining }) => ({
      ...{ name, spec, order, isDraining },
    })),
    jobs: [...projection.jobs.values()],
    accepted: projection.accepted,
    policies: projection.policies.versions,
    pastJobs: pastOf(play),
  };
}
