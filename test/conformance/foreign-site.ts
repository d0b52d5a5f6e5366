/**
 * What only a foreign site promises: a queue of its own, seen in surveys, where jobs wait to be released.
 *
 * Circumstances in which a site cannot be made are left out, so a real batch system brings "plain" alone.
 */
import { expect, it } from "vitest";
import type { Survey } from "../../src/engine/index.ts";
import { describeEnforcement, describeEnforcingOthers } from "./foreign-enforcement.ts";
import { describeReservations } from "./foreign-reservations.ts";
import {
  aWhile,
  type Create,
  inCircumstances,
  jobOf,
  nextLife,
  on,
  submit,
  submitAndRelease,
  surveyWith,
  untilEnded,
  untilState,
} from "./foreign-scene.ts";
import type { Circumstances } from "./site-harness.ts";
import { gated, orderOf } from "./site-stage.ts";

const DEADLINE_MS = 30_000;

/** The sections for foreign sites alone. */
export function describeForeign(possible: readonly Circumstances[], create: Create): void {
  const within = (circumstances: Circumstances, section: () => void): void => {
    if (possible.includes(circumstances)) inCircumstances(circumstances, create, section);
  };
  within("plain", submitting);
  within("plain", ordering);
  within("plain", ending);
  within("plain", abilities);
  within("plain", describeReservations);
  within("plain", describeEnforcement);
  within("doubtful", doubt);
  within("vanishing", vanishing);
  within("others", others);
  within("others", describeEnforcingOthers);
}

function submitting(): void {
  it("FS-1 what is submitted is held, with its token, until it is released", async () => {
    const attempt = await submit("1/1");
    expect(await untilState(attempt, "held")).toMatchObject({ token: "1/1", procs: 1, startedAtMs: null });
    expect(jobOf(await aWhile(), attempt.siteJob)?.state).toBe("held");
    await on.site.act("release", attempt);
    const running = await untilState(attempt, "running");
    expect(running.startedAtMs).toBeGreaterThanOrEqual(running.submittedAtMs);
  });

  it("a token submitted twice is two jobs, and one of them can be taken back", async () => {
    const first = await submit("1/1");
    const second = await submit("1/1");
    expect(second.siteJob).not.toBe(first.siteJob);
    await untilState(first, "held");
    await untilState(second, "held");
    await on.site.act("cancel", second);
    expect(await untilEnded(second)).toMatchObject({ token: "1/1", end: { cause: "cancelled" } });
    await on.site.act("release", first);
    await untilState(first, "running");
  });

  it("an order that can never be carried out is refused for certain, and leaves nothing", async () => {
    const order = orderOf(on.harness, "1/1", gated);
    const wide = on.site.submit({ ...order, procs: 1_000_000 });
    await expect(wide).rejects.toMatchObject({ kind: "refused" });
    await expect(on.site.submit({ ...order, token: "a/b/c" })).rejects.toMatchObject({ kind: "badInput" });
    expect((await aWhile()).jobs.filter(({ token }) => token !== null)).toEqual([]);
  });
}

function ordering(): void {
  it("a job in the queue is held and released again", async () => {
    const { procs } = await on.site.capacity();
    const wide = { ...orderOf(on.harness, "1/1", gated), procs };
    const first = { token: "1/1", siteJob: await on.site.submit(wide) };
    await on.site.act("release", first);
    await untilState(first, "running");
    const second = await submitAndRelease("2/1");
    expect((await untilState(second, "waiting")).reason).not.toBeNull();
    await on.site.act("hold", second);
    await untilState(second, "held");
    await on.site.act("release", second);
    await untilState(second, "waiting");
    await on.site.act("cancel", first);
    await untilState(second, "running");
  });

  it("a job that never started is cancelled in the queue", async () => {
    const attempt = await submit("1/1");
    await untilState(attempt, "held");
    await on.site.act("cancel", attempt);
    expect(await untilEnded(attempt)).toMatchObject({ startedAtMs: null, end: { cause: "cancelled" } });
    expect(jobOf(await on.site.survey(), attempt.siteJob)).toBeUndefined();
  });

  it("a running job is suspended and resumed", async () => {
    const attempt = await submitAndRelease("1/1");
    const { startedAtMs } = await untilState(attempt, "running");
    await on.site.act("suspend", attempt);
    await untilState(attempt, "suspended");
    await on.site.act("resume", attempt);
    expect((await untilState(attempt, "running")).startedAtMs).toBe(startedAtMs);
  });

  it("FS-5 an order by an id that is somebody else's now touches nobody", async () => {
    const attempt = await submitAndRelease("1/1");
    await untilState(attempt, "running");
    const { siteJob } = attempt;
    for (const verb of ["suspend", "hold", "cancel"] as const) {
      await on.site.act(verb, { token: "2/1", siteJob });
    }
    await on.site.signal({ token: "2/1", siteJob }, "SIGKILL");
    expect(jobOf(await aWhile(), siteJob)).toMatchObject({ state: "running", token: "1/1" });
  });

  it("what does not apply to a job, or to no job, is ignored", async () => {
    const attempt = await submit("1/1");
    await untilState(attempt, "held");
    for (const verb of ["suspend", "resume", "hold"] as const) await on.site.act(verb, attempt);
    await on.site.act("cancel", { token: "9/1", siteJob: "31999" });
    await on.site.acknowledge("9/1");
    await on.site.purge("9/1");
    expect(jobOf(await aWhile(), attempt.siteJob)?.state).toBe("held");
    expect(await on.site.listFiles("9/1")).toEqual([]);
    expect(await on.site.readFile("9/1", "stdout", 0, 1)).toBeUndefined();
    expect((await on.site.survey()).ended).toEqual([]);
  });
}

function abilities(): void {
  it("FS-12 a site declares what it can, and has a way to exactly that", () => {
    expect(on.site.abilities.has("snapshot")).toBe(on.site.snapshot !== undefined);
    expect(on.site.abilities.has("history")).toBe(on.site.history !== undefined);
    expect(on.site.abilities.has("requeue")).toBe(on.site.requeue !== undefined);
    expect(on.site.abilities.has("setPriority")).toBe(on.site.setPriority !== undefined);
    expect(on.site.abilities.has("enforce")).toBe(on.site.enforce !== undefined);
  });

  it("a requeued job runs anew, as one attempt with one end", async ({ skip }) => {
    if (!on.site.abilities.has("requeue")) skip();
    const attempt = await submitAndRelease("1/1");
    await untilState(attempt, "running");
    await untilBegun("1/1", 1);
    await on.site.requeue?.({ ...attempt, token: "2/1" });
    expect(jobOf(await aWhile(), attempt.siteJob)?.state).toBe("running");
    await on.site.requeue?.(attempt);
    await untilState(attempt, "waiting");
    await untilBegun("1/1", 2);
    await on.harness.letGo("1/1");
    const end = await untilEnded(attempt);
    expect(end).toMatchObject({ token: "1/1", end: { cause: "exited", exitCode: 7 } });
    expect((await aWhile()).ended).toEqual([end]);
    expect(await on.harness.begun("1/1")).toBe(2);
    await on.site.requeue?.(attempt);
    expect((await aWhile()).ended).toEqual([end]);
  });

  it("a job that waits is given a priority; one that does not is left alone", async ({ skip }) => {
    if (!on.site.abilities.has("setPriority")) skip();
    const held = await submit("1/1");
    await untilState(held, "held");
    await on.site.setPriority?.(held, 5, true);
    expect(jobOf(await aWhile(), held.siteJob)?.state).toBe("held");
    await on.site.setPriority?.({ token: "9/1", siteJob: "31999" }, 5, true);
  });
}

async function untilBegun(token: string, times: number): Promise<void> {
  const deadlineMs = performance.now() + (on.harness.deadlineMs ?? DEADLINE_MS);
  while ((await on.harness.begun(token)) < times) {
    if (performance.now() > deadlineMs) throw new Error(`${token} was never begun ${times} times`);
    await on.harness.pause();
  }
}

function ending(): void {
  it("FS-10 an end is in every survey until it is acknowledged, and the job in none", async () => {
    const attempt = await submitAndRelease("1/1", { kind: "exit", code: 3 });
    const end = await untilEnded(attempt);
    expect(end.end).toMatchObject({ cause: "exited", exitCode: 3 });
    const { ended, jobs } = await aWhile();
    expect(ended).toEqual([end]);
    expect(jobs.some(({ token }) => token === "1/1")).toBe(false);
    await on.site.acknowledge("1/1");
    await on.site.acknowledge("1/1");
    expect((await aWhile()).ended).toEqual([]);
  });

  it("in another life of the broker the queue is as it was", async () => {
    const running = await submitAndRelease("1/1");
    const held = await submit("2/1");
    const ended = await submitAndRelease("3/1", { kind: "exit", code: 4 });
    const { startedAtMs } = await untilState(running, "running");
    await untilState(held, "held");
    const end = await untilEnded(ended);
    await nextLife();
    const survey = await on.site.survey();
    expect(jobOf(survey, running.siteJob)).toMatchObject({ state: "running", token: "1/1", startedAtMs });
    expect(jobOf(survey, held.siteJob)).toMatchObject({ state: "held", token: "2/1" });
    expect(survey.ended).toEqual([end]);
    await on.site.act("cancel", running);
    expect(await untilEnded(running)).toMatchObject({ end: { cause: "cancelled" } });
  });
}

function doubt(): void {
  it("FS-7 a submission in doubt is found by its token, and can be acted upon", async () => {
    const order = orderOf(on.harness, "1/1", gated);
    const failure = await on.site.submit(order).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(["refused", "badInput"]).not.toContain(kindOf(failure));
    const survey = await surveyWith("there", ({ jobs }) => jobs.some(({ token }) => token === "1/1"));
    const siteJob = survey.jobs.find(({ token }) => token === "1/1")?.siteJob ?? "";
    await on.site.act("release", { token: "1/1", siteJob });
    await untilState({ token: "1/1", siteJob }, "running");
  });
}

function kindOf(error: unknown): unknown {
  return error instanceof Error && "kind" in error ? error.kind : undefined;
}

function vanishing(): void {
  it("FS-7 a job that vanished is missing from surveys, and its end is not told", async () => {
    const held = await submit("1/1");
    const released = await submitAndRelease("2/1");
    const isGone = ({ jobs }: Survey): boolean =>
      ![held, released].some(({ siteJob }) => jobs.some((job) => job.siteJob === siteJob));
    await surveyWith("gone", isGone);
    const { ended, jobs } = await aWhile();
    expect(ended).toEqual([]);
    expect(jobs.filter(({ token }) => token !== null)).toEqual([]);
  });
}

function others(): void {
  it("other people's jobs are in surveys, without a token, beside ours", async () => {
    await surveyWith("others there", ({ jobs }) => jobs.length > 0);
    const attempt = await submit("1/1");
    await untilState(attempt, "held");
    const { jobs } = await on.site.survey();
    expect(jobs.filter(({ siteJob }) => siteJob === attempt.siteJob)).toHaveLength(1);
    const theirs = jobs.filter(({ siteJob }) => siteJob !== attempt.siteJob);
    expect(theirs.length).toBeGreaterThan(0);
    for (const job of theirs) expect(job).toMatchObject({ token: null, submittedAtMs: expect.any(Number) });
  });
}
