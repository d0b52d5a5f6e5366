import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, type Scene, scene, shown } from "../../../test/engine-scene.ts";
import {
  ENFORCEMENT_DEFAULTS,
  type EnforcementStep,
  type EnforcementVerb,
  POLICY_DEFAULTS,
  type Policy,
  type RefusalAbout,
} from "../../model/index.ts";
import { createProjection, decide, restore } from "../index.ts";

const MINUTE = 60_000;

const policy = (consumer: string): Policy => ({
  ...POLICY_DEFAULTS,
  ...{ provider: "here", consumer, mode: "preempting" },
  epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: 500_000 },
});

/** A cluster of ten processors, of which two organisations have a half each. */
function cluster(...granted: readonly EnforcementStep[]): Scene {
  const play = scene({});
  play.foreign("here", 10);
  const site = play.projection.sites.get("here");
  if (site === undefined) throw new Error("it was just added");
  const enforcement = { ...ENFORCEMENT_DEFAULTS, granted, minRunMs: 1000 };
  play.ask({ kind: "changeSite", site: "here", spec: { ...site.spec, enforcement } });
  play.ask({
    ...{ kind: "applyPolicies", policies: [policy("a"), policy("b")] },
    ...{ effectiveFromMs: null, onVersion: null, by: "admin", note: "" },
  });
  return play;
}

/** Two jobs of `a`, five processors each, and one of `b` that wants to have its half. */
function contended(play: Scene, more: Readonly<Record<string, object>> = {}): void {
  const job = (id: string, account: string, rest: object) =>
    shown(id, null, { account, user: "u", procs: 5, eligibleAtMs: 0, ...rest, ...more[id] });
  const runs = (startedAtMs: number) => ({ state: "running", startedAtMs });
  play.look("here", { jobs: [job("1", "a", runs(1)), job("2", "a", runs(2)), job("3", "b", {})] });
}

function refuse(play: Scene, verb: EnforcementVerb, job: string, about?: RefusalAbout): void {
  const refused = [{ job, why: "it will not", ...(about === undefined ? {} : { about }) }];
  play.tell({ kind: "enforcementAnswered", site: "here", verb, jobs: [job], commands: [], refused });
}

/** What is asked for now; and that as done. */
function asked(play: Scene): string[] {
  const before = play.log.length;
  play.settle();
  const events = play.log.slice(before);
  return events.flatMap((it) =>
    it.kind === "enforced" ? it.actions.map(({ verb, job }) => `${verb} ${job}`) : [],
  );
}

/** Who is stopped now. */
const stopped = (play: Scene): string[] => asked(play).filter((it) => /^(suspend|requeue) /.test(it));

/** The instant of the first look, when the jobs have run for their minimum time. */
function begun(...granted: readonly EnforcementStep[]): Scene {
  const play = cluster(...granted);
  play.now += MINUTE;
  contended(play);
  return play;
}

describe("EN-106 what a site refuses", () => {
  it("for one job leaves that job alone for that verb: the next candidate is stopped", () => {
    const play = begun("hold", "suspend");
    expect(asked(play)).toEqual(["suspend 2", "release 3"]);
    refuse(play, "suspend", "2", "job");
    expect(asked(play)).toEqual(["suspend 1"]);
  });

  it("for one job, the next step of the ladder is taken for it where that is granted", () => {
    const play = begun("hold", "suspend", "requeue");
    asked(play);
    refuse(play, "suspend", "2");
    expect(stopped(play)).toEqual(["requeue 2"]);
  });

  it("for want of a right stops the verb at the site for an hour, and something milder is asked", () => {
    const play = begun("hold", "suspend", "requeue");
    asked(play);
    refuse(play, "suspend", "2", "right");
    expect(stopped(play)).toEqual(["requeue 2"]);
    refuse(play, "requeue", "2", "right");
    expect(stopped(play)).toEqual([]);
  });

  it("is about the job where some of the order was done, whatever the words", () => {
    const play = begun("hold", "suspend");
    asked(play);
    const refused = [{ job: "2", why: "denied", about: "right" as const }];
    const report = { site: "here", verb: "suspend" as const, jobs: ["2", "9"], commands: [], refused };
    play.tell({ kind: "enforcementAnswered", ...report });
    expect(asked(play)).toEqual(["suspend 1"]);
  });

  it("not reached, the site is asked for the same a minute later", () => {
    const play = begun("hold", "suspend");
    asked(play);
    for (const job of ["2", "1"]) refuse(play, "suspend", job, "site");
    expect(stopped(play)).toEqual([]);
    play.now += MINUTE;
    expect(stopped(play)).toEqual(["suspend 2"]);
  });

  it("what waits and cannot be held is left alone, and not asked for at every look", () => {
    const play = begun("hold");
    expect(asked(play)).toEqual(["hold 3"]);
    refuse(play, "hold", "3");
    for (let looks = 0; looks < 3; looks++) {
      play.now += MINUTE;
      contended(play);
      expect(asked(play)).toEqual([]);
    }
  });

  it("a priority that a site does not change is not asked for again", () => {
    const play = cluster("priority");
    const waits = (id: string, account: string) => shown(id, null, { account, user: "u", eligibleAtMs: 0 });
    const look = () => play.look("here", { jobs: [waits("1", "a")] });
    look();
    expect(asked(play)).toEqual(["raise 1"]);
    refuse(play, "raise", "1");
    play.now += MINUTE;
    look();
    expect(asked(play)).toEqual([]);
  });

  it("what gives back is asked for all the same", () => {
    const play = begun("hold", "suspend");
    asked(play);
    play.ask({ kind: "pauseEnforcement", site: "here", by: "admin" });
    expect(asked(play)).toEqual(["resume 2"]);
    refuse(play, "resume", "2", "right");
    expect(asked(play)).toEqual(["resume 2"]);
  });

  it("is recorded as the site's, with its words and what they are about", () => {
    const play = begun("hold", "suspend");
    asked(play);
    refuse(play, "suspend", "2", "right");
    const cause = { kind: "siteRefused", why: "it will not", about: "right" };
    expect(play.actions.at(-1)?.action).toEqual({ verb: "suspend", job: "2", cause });
  });
});

describe("EN-106 refusals survive a restart and end with their delay", () => {
  it("an hour, and then it is asked again though nothing happens", () => {
    const play = begun("hold", "suspend");
    asked(play);
    for (const job of ["2", "1"]) refuse(play, "suspend", job);
    expect(stopped(play)).toEqual([]);
    expect(decide(play.projection, play.now).wakeAtMs).toBeLessThanOrEqual(play.now + HOUR);
    play.now += HOUR;
    expect(stopped(play)).toEqual(["suspend 2"]);
  });

  it("over a restart, rights and jobs", () => {
    const play = begun("hold", "suspend", "requeue");
    asked(play);
    refuse(play, "suspend", "2");
    refuse(play, "requeue", "2", "right");
    const { projection, now } = play;
    const [site] = projection.sites.values();
    const { name, spec, order, isDraining } = site;
    const again = restore(
      {
        ...NOTHING_STORED,
        sites: [{ name, spec, order, isDraining }],
        policies: projection.policies.versions,
        actions: play.actions,
      },
      now,
    );
    const refusals = again.sites.get("here")?.enforcer.refusals;
    expect(refusals).toEqual(site.enforcer.refusals);
    expect([...(refusals?.rights.keys() ?? [])]).toEqual(["requeue"]);
    expect(createProjection().sites.size).toBe(0);
  });

  it("not for another job that has the id later", () => {
    const play = begun("hold", "suspend");
    asked(play);
    for (const job of ["2", "1"]) refuse(play, "suspend", job);
    play.now += 10 * MINUTE;
    contended(play, { "2": { submittedAtMs: play.now - MINUTE, startedAtMs: play.now - MINUTE } });
    expect(asked(play)).toContain("suspend 2");
  });
});
