/**
 * What foreign sites promise at which an enforcer may act on jobs of anybody: a hold is a lease that the site
 * ends by itself, and nothing that people did is undone.
 */
import { beforeEach, expect, it } from "vitest";
import { assert } from "../../src/base/index.ts";
import type { SurveyedJob } from "../../src/engine/index.ts";
import type { EnforcementVerb } from "../../src/model/index.ts";
import type { EnforcementAnswer, PlacedAttempt } from "../../src/runtime/index.ts";
import {
  aWhile,
  jobOf,
  nextLife,
  on,
  submit,
  submitAndRelease,
  surveyWith,
  untilEnded,
  untilState,
} from "./foreign-scene.ts";
import { gated } from "./site-stage.ts";

/** Clocks of batch systems have whole seconds. */
const GRAIN_MS = 1000;
const NOTHING_REFUSED = { refused: [] };

/** Gives an order; a hold is for so many steps. */
async function enforce(
  verb: EnforcementVerb,
  siteJobs: readonly string[],
  steps = 0,
): Promise<EnforcementAnswer & { readonly untilMs: number }> {
  const untilMs = on.harness.nowMs() + steps * on.harness.stepMs;
  const answer = await on.site.enforce?.({ verb, siteJobs, untilMs });
  assert(answer !== undefined, "a site that has the ability has the way");
  return { ...answer, untilMs };
}

/** Two jobs as wide as the site: one runs, one waits for it. */
async function runsAndWaits(): Promise<readonly [PlacedAttempt, PlacedAttempt]> {
  const { procs } = await on.site.capacity();
  const first = await submitAndRelease("1/1", gated, { procs });
  await untilState(first, "running");
  const second = await submitAndRelease("2/1", gated, { procs });
  await untilState(second, "waiting");
  return [first, second];
}

/** The job of an attempt, once an enforcer's hold of it is seen. */
async function untilHeld({ siteJob }: PlacedAttempt, untilMs: number): Promise<SurveyedJob> {
  const isHeld = (job: SurveyedJob | undefined): boolean =>
    job?.state === "waiting" && Math.abs((job.eligibleAtMs ?? 0) - untilMs) <= GRAIN_MS;
  const job = jobOf(await surveyWith("held", (survey) => isHeld(jobOf(survey, siteJob))), siteJob);
  assert(job !== undefined, "the survey shows the job");
  return job;
}

async function startOf(attempt: PlacedAttempt): Promise<number> {
  return (await untilState(attempt, "running")).startedAtMs ?? Number.NaN;
}

function needsEnforcing(): void {
  beforeEach(({ skip }) => {
    if (!on.site.abilities.has("enforce")) skip();
  });
}

/** The cases with jobs of ours; each has a site of its own. */
export function describeEnforcement(): void {
  needsEnforcing();
  leasing();
  respecting();
  stopping();
}

function leasing(): void {
  it("FS-23 a hold is over at its instant, and nobody has to say so", async () => {
    const [first, second] = await runsAndWaits();
    const { untilMs, ...answer } = await enforce("hold", [second.siteJob], 3);
    expect(answer).toMatchObject(NOTHING_REFUSED);
    expect(answer.commands).toHaveLength(1);
    await untilHeld(second, untilMs);
    await on.site.act("cancel", first);
    await untilEnded(first);
    expect(await startOf(second)).toBeGreaterThanOrEqual(untilMs);
  });

  it("FS-23 in another life of the broker, and in none, a hold goes on to its end", async () => {
    const [first, second] = await runsAndWaits();
    const { untilMs } = await enforce("hold", [second.siteJob], 4);
    await untilHeld(second, untilMs);
    await nextLife();
    await untilHeld(second, untilMs);
    await on.site.act("cancel", first);
    expect(await startOf(second)).toBeGreaterThanOrEqual(untilMs);
  });

  it("holding again renews it, and a release ends it; twice is as good as once", async () => {
    const [first, second] = await runsAndWaits();
    await enforce("hold", [second.siteJob], 2);
    const { untilMs } = await enforce("hold", [second.siteJob], 1000);
    await untilHeld(second, untilMs);
    await on.site.act("cancel", first);
    await untilEnded(first);
    expect(jobOf(await aWhile(), second.siteJob)?.state).toBe("waiting");
    await enforce("release", [second.siteJob]);
    expect(await startOf(second)).toBeLessThan(untilMs);
    expect(await enforce("release", [second.siteJob])).toMatchObject(NOTHING_REFUSED);
    expect(jobOf(await aWhile(), second.siteJob)?.state).toBe("running");
  });
}

function respecting(): void {
  it("what its owner holds is not touched, and stays held", async () => {
    const held = await submit("1/1");
    await untilState(held, "held");
    const { untilMs } = await enforce("hold", [held.siteJob], 1);
    await enforce("release", [held.siteJob]);
    expect(jobOf(await aWhile(), held.siteJob)?.state).toBe("held");
    await on.site.act("release", held);
    // A hold that did nothing does not keep it from starting.
    expect(await startOf(held)).toBeLessThan(untilMs + 1000 * on.harness.stepMs);
  });

  it("what its owner holds meanwhile stays held when the lease is over", async () => {
    const [first, second] = await runsAndWaits();
    const { untilMs } = await enforce("hold", [second.siteJob], 2);
    await untilHeld(second, untilMs);
    await on.site.act("hold", second);
    await untilState(second, "held");
    await on.site.act("cancel", first);
    await surveyWith("after it", ({ atMs }) => atMs > untilMs + GRAIN_MS);
    expect(jobOf(await aWhile(), second.siteJob)?.state).toBe("held");
    await on.site.act("release", second);
    await untilState(second, "running");
  });

  it("what is over, is not there or does not apply is no mistake", async () => {
    const attempt = await submitAndRelease("1/1");
    await untilState(attempt, "running");
    const gone = await submit("2/1");
    await on.site.act("cancel", gone);
    await untilEnded(gone);
    const strangers = [attempt.siteJob, gone.siteJob, "31999", "no job"];
    for (const verb of ["hold", "release", "resume", "raise", "lower"] as const) {
      expect(await enforce(verb, strangers, 1)).toMatchObject(NOTHING_REFUSED);
    }
    for (const verb of ["suspend", "requeue"] as const) {
      expect(await enforce(verb, strangers.slice(1))).toMatchObject(NOTHING_REFUSED);
    }
    expect(jobOf(await aWhile(), attempt.siteJob)?.state).toBe("running");
  });
}

function stopping(): void {
  it("FS-27 what runs is suspended and resumed; what somebody else suspended stays so", async () => {
    const ours = await submitAndRelease("1/1");
    const theirs = await submitAndRelease("2/1");
    const { startedAtMs } = await untilState(ours, "running");
    await untilState(theirs, "running");
    await on.site.act("suspend", theirs);
    await untilState(theirs, "suspended");
    const both = [ours.siteJob, theirs.siteJob];
    expect(await enforce("suspend", both)).toMatchObject(NOTHING_REFUSED);
    await untilState(ours, "suspended");
    await nextLife();
    await enforce("resume", both);
    expect((await untilState(ours, "running")).startedAtMs).toBe(startedAtMs);
    expect(jobOf(await aWhile(), theirs.siteJob)?.state).toBe("suspended");
    await on.site.act("resume", theirs);
    await untilState(theirs, "running");
  });

  it("what is requeued waits and runs anew, or is said to run on", async () => {
    const attempt = await submitAndRelease("1/1");
    const { startedAtMs } = await untilState(attempt, "running");
    const { refused } = await enforce("requeue", [attempt.siteJob]);
    if (refused.length > 0) {
      expect(refused).toEqual([{ siteJob: attempt.siteJob, why: expect.any(String) }]);
      expect(jobOf(await aWhile(), attempt.siteJob)).toMatchObject({ state: "running", startedAtMs });
      return;
    }
    const isAnew = ({ state, startedAtMs: at }: SurveyedJob): boolean =>
      state === "running" && at !== null && at > (startedAtMs ?? Number.NaN);
    await surveyWith("begun anew", ({ jobs }) =>
      jobs.some((job) => job.siteJob === attempt.siteJob && isAnew(job)),
    );
    expect((await on.site.survey()).ended).toEqual([]);
    await on.site.act("cancel", attempt);
    expect(await untilEnded(attempt)).toMatchObject({ end: { cause: "cancelled" } });
  });

  it("what is cancelled right behind its requeue is over", async () => {
    const attempt = await submitAndRelease("1/1");
    await untilState(attempt, "running");
    await enforce("requeue", [attempt.siteJob]);
    await on.site.act("cancel", attempt);
    expect(await untilEnded(attempt)).toMatchObject({ end: { cause: "cancelled" } });
  });

  it("what waits is put before and behind others, or it is said why not", async () => {
    const [, second] = await runsAndWaits();
    const third = await submitAndRelease("3/1");
    await untilState(third, "waiting");
    for (const verb of ["raise", "lower"] as const) {
      const { commands, refused } = await enforce(verb, [third.siteJob]);
      expect(commands.length + refused.length).toBeGreaterThan(0);
    }
    await untilState(second, "waiting");
  });
}

/** The cases with jobs of others. */
export function describeEnforcingOthers(): void {
  needsEnforcing();

  it("FS-27 others' jobs are suspended and resumed like ours", async () => {
    const theirs = ({ token, state }: SurveyedJob): boolean => token === null && state === "running";
    const { jobs } = await surveyWith("others run", (survey) => survey.jobs.some(theirs));
    const siteJob = jobs.find(theirs)?.siteJob ?? "";
    await enforce("suspend", [siteJob]);
    await surveyWith("suspended", (survey) => jobOf(survey, siteJob)?.state === "suspended");
    await enforce("resume", [siteJob]);
    await surveyWith("running", (survey) => jobOf(survey, siteJob)?.state === "running");
  });
}
