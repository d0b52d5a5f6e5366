/**
 * Foreign sites, whatever their batch system does. The batch system here is plain: it accepts, loses,
 * doubles and ends jobs, uses ids again, and is looked at late or twice; but what it shows is true of the
 * instant at which it was looked at.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { PATIENCE, type Scene, scene, shown } from "../../test/engine-scene.ts";
import { attemptToken, isFinal, type JobRecord, type JobVerb } from "../model/index.ts";
import { copyQueue, nextInstant, settle } from "../queue/index.ts";
import { apply, createProjection, decide, explain, type Survey, type SurveyedEnd } from "./index.ts";

interface SystemJob {
  readonly token: string | null;
  state: "held" | "waiting" | "running" | "suspended";
  startedAtMs: number | null;
}

const STEPS = [
  "accept",
  "fail",
  "doubt",
  "double",
  "order",
  "start",
  "end",
  "vanish",
  "other",
  "meddle",
] as const;
const LOOKS = ["take", "show", "show", "showAgain", "acknowledge"] as const;
const VERBS: readonly JobVerb[] = ["cancel", "hold", "release", "suspend", "resume"];

type Step =
  | { readonly kind: "submit"; readonly procs: number; readonly isAnywhere: boolean }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: (typeof STEPS)[number] | (typeof LOOKS)[number] | JobVerb; readonly pick: number };

const steps = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("submit" as const),
        procs: fc.integer({ min: 1, max: 4 }),
        isAnywhere: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("wait" as const),
        ms: fc.integer({ min: 0, max: 2 * PATIENCE }),
      }),
    },
    {
      weight: 12,
      arbitrary: fc.record({
        kind: fc.constantFrom(...STEPS, "accept" as const, "order" as const, ...LOOKS, ...LOOKS, ...VERBS),
        pick: fc.nat({ max: 9 }),
      }),
    },
  ),
  { maxLength: 60 },
) as fc.Arbitrary<Step[]>;

/** A batch system at the site "far", and what became of its jobs. */
class PlainSystem {
  readonly jobs = new Map<string, SystemJob>();
  /** All ends that it ever told of. */
  readonly history: SurveyedEnd[] = [];
  ended: SurveyedEnd[] = [];
  #taken: Survey | undefined;
  #shown: Survey | undefined;
  readonly #play: Scene;

  constructor(play: Scene) {
    this.#play = play;
  }

  do(kind: Exclude<Step, { readonly kind: "submit" | "wait" }>["kind"], pick: number): void {
    const play = this.#play;
    const mine = [...play.projection.jobs.values()].filter(({ site }) => site === "far");
    const job = mine[pick % Math.max(1, mine.length)];
    const [siteJob, there] = [...this.jobs][pick % Math.max(1, this.jobs.size)] ?? [];
    switch (kind) {
      case "accept":
      case "doubt":
      case "double":
        if (job?.siteJob === null) this.#accept(job, kind);
        return;
      case "order":
        if (job?.siteJob !== null && job !== undefined) this.#obey(job);
        return;
      case "start":
        if (there?.state === "waiting") Object.assign(there, { state: "running", startedAtMs: play.now });
        return;
      case "end":
        if (siteJob !== undefined) this.#end(siteJob, "exited", pick);
        return;
      case "vanish":
        if (siteJob !== undefined) this.jobs.delete(siteJob);
        return;
      case "other":
        this.#add(null);
        return;
      case "meddle":
        if (there?.state === "running" || there?.state === "suspended") {
          there.state = there.state === "running" ? "suspended" : "running";
        } else if (there !== undefined) there.state = there.state === "held" ? "waiting" : "held";
        return;
      case "take":
        this.#taken = this.survey();
        return;
      case "show":
        this.#shown = this.#taken ?? this.survey();
        this.#taken = undefined;
        play.look("far", this.#shown);
        return;
      case "showAgain":
        if (this.#shown !== undefined) play.look("far", this.#shown);
        return;
      case "acknowledge":
        this.ended = this.ended.filter(({ token }) => mine.some((it) => tokenOf(it) === token));
        return;
      case "fail":
        return;
      default:
        play.act(kind, `${pick}`);
    }
  }

  survey(): Survey {
    const jobs = [...this.jobs].map(([siteJob, { token, state, startedAtMs }]) =>
      shown(siteJob, token, { state, startedAtMs }),
    );
    return { atMs: this.#play.now, jobs, ended: [...this.ended], reservations: [] };
  }

  /** Ids are used again as soon as they are free. */
  #add(token: string | null): string {
    let id = 1;
    while (this.jobs.has(`${id}`)) id++;
    const state = token === null ? "waiting" : "held";
    this.jobs.set(`${id}`, { token, state, startedAtMs: null });
    return `${id}`;
  }

  #accept(job: JobRecord, how: "accept" | "doubt" | "double"): void {
    const siteJob = this.#add(tokenOf(job));
    if (how === "double") this.#add(tokenOf(job));
    if (how === "doubt") return;
    const { now } = this.#play;
    this.#play.report({ kind: "queued", job: job.id, attempt: job.attempt, siteJob, atMs: now });
  }

  /** Does what the record asks for, where it applies. */
  #obey(job: JobRecord): void {
    const there = this.jobs.get(job.siteJob ?? "");
    if (there?.token !== tokenOf(job)) return;
    if (job.isCancelRequested) this.#end(job.siteJob ?? "", "cancelled", 0);
    else if (job.state === "HELD" && there.state === "waiting") there.state = "held";
    else if (job.state === "SUSPENDED" && there.state === "running") there.state = "suspended";
    else if (job.state === "SCHEDULED" && there.state === "held") there.state = "waiting";
    else if (job.state === "SCHEDULED" && there.state === "suspended") there.state = "running";
  }

  #end(siteJob: string, cause: "exited" | "cancelled", exitCode: number): void {
    const job = this.jobs.get(siteJob);
    this.jobs.delete(siteJob);
    if (job === undefined || job.token === null) return;
    const { token, startedAtMs } = job;
    const didExit = cause === "exited" && startedAtMs !== null;
    const nothing = { signal: null, cpuMs: null, detail: null };
    const end = {
      ...nothing,
      cause: didExit ? cause : "cancelled",
      exitCode: didExit ? exitCode : null,
    } as const;
    const told = { token, siteJob, startedAtMs, endedAtMs: this.#play.now, end };
    this.ended.push(told);
    this.history.push(told);
  }
}

const tokenOf = ({ id, attempt }: JobRecord): string => attemptToken(id, attempt);

function stageWith(list: readonly Step[], each: (play: Scene, system: PlainSystem) => void) {
  const play = scene({ here: 3 });
  play.foreign("far", 4);
  const system = new PlainSystem(play);
  let submitted = 0;
  for (const step of list) {
    if (step.kind === "submit") {
      play.submit(`${submitted++}`, step.procs, step.isAnywhere ? {} : { site: "far" });
    } else if (step.kind === "wait") play.now += step.ms;
    else system.do(step.kind, step.pick);
    play.settle();
    each(play, system);
  }
  return { play, system };
}

/** The system takes, runs and ends everything, and is looked at as it is. */
function finish(play: Scene, system: PlainSystem): void {
  for (let turn = 0; turn < 12 && play.projection.jobs.size > 0; turn++) {
    for (const { id, state, site } of [...play.projection.jobs.values()]) {
      if (state === "HELD") play.act("release", id);
      if (state === "SUSPENDED") play.act("resume", id);
      if (site === "here") play.ended(id);
    }
    play.settle();
    for (const kind of ["accept", "order", "start", "end"] as const) {
      for (let pick = 0; pick < 60; pick++) system.do(kind, kind === "end" ? 0 : pick);
    }
    play.now += PATIENCE;
    play.look("far", system.survey());
    play.settle();
  }
}

describe("foreign sites, whatever their batch system does", () => {
  it("EN-18 EN-19 EN-20 every job ends once, as its site reports, or is lost there", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const over = new Map<string, JobRecord>();
        const ids = new Map<string, string>();
        const { play, system } = stageWith(list, ({ records }, { jobs }) => {
          for (const job of records.values()) {
            if (over.has(job.id)) expect(job).toBe(over.get(job.id));
            else if (isFinal(job.state)) over.set(job.id, job);
            else if (job.siteJob !== null) {
              expect(ids.get(tokenOf(job)) ?? job.siteJob).toBe(job.siteJob);
              ids.set(tokenOf(job), job.siteJob);
            }
            if (job.abortReason?.kind === "lost" && over.get(job.id) === job && !ids.has(`lost ${job.id}`)) {
              ids.set(`lost ${job.id}`, "");
              expect(jobs.get(job.siteJob ?? "")?.token).not.toBe(tokenOf(job));
            }
          }
        });
        finish(play, system);
        expect([...play.projection.jobs.values()]).toEqual([]);
        for (const job of play.records.values()) {
          expect(isFinal(job.state)).toBe(true);
          if (job.site === "far" && job.state === "DONE") {
            const { siteJob, exitCode, endedAtMs } = job;
            const { history } = system;
            const told = history.filter((it) => it.token === tokenOf(job) && it.siteJob === siteJob);
            expect(told.map((it) => [it.end.exitCode, it.endedAtMs])).toContainEqual([exitCode, endedAtMs]);
          }
        }
        const ends = play.log.flatMap((event) =>
          event.kind === "attemptEnded" || event.kind === "jobCancelled" ? [event.job] : [],
        );
        expect(ends.sort()).toEqual([...play.records.keys()].sort());
      }),
      draws(200),
    );
  });

  it("EN-4 EN-18 the log alone gives the same records, without the snapshots", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const { play } = stageWith(list, () => undefined);
        const again = createProjection();
        const records = new Map<string, JobRecord>();
        for (const event of play.log) {
          for (const change of apply(again, event)) {
            if (change.kind === "job") records.set(change.record.id, change.record);
          }
        }
        expect(Object.fromEntries(records)).toEqual(Object.fromEntries(play.records));
        expect([...again.jobs.values()]).toEqual([...play.projection.jobs.values()]);
        for (const { name, own } of again.sites.values()) {
          expect([...own]).toEqual([...(play.projection.sites.get(name)?.own ?? [])]);
        }
      }),
      draws(150),
    );
  });

  it("EN-3 EN-11 deciding on changed parts equals deciding on everything, and every job is explained", () => {
    fc.assert(
      fc.property(steps, (list) => {
        stageWith(list, ({ projection, now }) => {
          expect(decide(projection, now).events).toEqual([]);
          const here = projection.sites.get("here");
          if (here !== undefined && nextInstant(here.queue) > now) {
            expect(settle(copyQueue(here.queue), now)).toEqual([]);
          }
          for (const job of projection.jobs.values()) {
            expect(explain(projection, job, now).job).toBe(job.id);
          }
        });
      }),
      draws(100),
    );
  });
});
