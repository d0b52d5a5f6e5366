/**
 * One test's foreign site, by its own port: submitting, and looking until a survey shows something.
 */
import { afterEach, beforeEach, describe } from "vitest";
import { assert } from "../../src/base/index.ts";
import type { Survey, SurveyedEnd, SurveyedJob } from "../../src/engine/index.ts";
import type { ForeignSite, PlacedAttempt, SubmitOrder } from "../../src/runtime/index.ts";
import type { Behaviour, Circumstances, ForeignSiteHarness } from "./site-harness.ts";
import { gated, orderOf } from "./site-stage.ts";

/** Makes a harness in some circumstances. */
export type Create = (circumstances: Circumstances) => Promise<ForeignSiteHarness>;

const DEADLINE_MS = 30_000;

let played: { readonly harness: ForeignSiteHarness; readonly site: ForeignSite } | undefined;

/** The site under test. */
export const on = {
  get harness(): ForeignSiteHarness {
    assert(played !== undefined, "a test plays on a site that is open");
    return played.harness;
  },
  get site(): ForeignSite {
    assert(played !== undefined, "a test plays on a site that is open");
    return played.site;
  },
};

/** A section of tests, each with a site of its own in these circumstances. */
export function inCircumstances(circumstances: Circumstances, create: Create, section: () => void): void {
  describe(`with a queue of its own, ${circumstances}`, () => {
    beforeEach(async () => {
      const harness = await create(circumstances);
      played = { harness, site: await harness.open() };
    });
    afterEach(() => on.harness.dispose());
    section();
  });
}

/** Another life of the broker. */
export async function nextLife(): Promise<void> {
  const { harness, site } = on;
  await site.close();
  played = { harness, site: await harness.open() };
}

/** Submits a job of one processor for an hour, unless said otherwise; it is held. */
export async function submit(
  token: string,
  behaviour: Behaviour = gated,
  more: Partial<SubmitOrder> = {},
): Promise<PlacedAttempt> {
  const order = { ...orderOf(on.harness, token, behaviour), ...more };
  return { token, siteJob: await on.site.submit(order) };
}

/** Submits it and lets it go. */
export async function submitAndRelease(
  token: string,
  behaviour: Behaviour = gated,
  more: Partial<SubmitOrder> = {},
): Promise<PlacedAttempt> {
  const attempt = await submit(token, behaviour, more);
  await on.site.act("release", attempt);
  return attempt;
}

/** Looks again and again until a survey shows it. */
export async function surveyWith(what: string, shows: (survey: Survey) => boolean): Promise<Survey> {
  const deadlineMs = performance.now() + (on.harness.deadlineMs ?? DEADLINE_MS);
  for (;;) {
    const survey = await on.site.survey();
    if (shows(survey)) return survey;
    if (performance.now() > deadlineMs) throw new Error(`never ${what}: ${JSON.stringify(survey)}`);
    await on.harness.pause();
  }
}

/** A job in a survey by the site's id. */
export const jobOf = ({ jobs }: Survey, siteJob: string): SurveyedJob | undefined =>
  jobs.find((job) => job.siteJob === siteJob);

/** The job of an attempt, once it is in that state. */
export async function untilState(
  { siteJob }: PlacedAttempt,
  state: SurveyedJob["state"],
): Promise<SurveyedJob> {
  const survey = await surveyWith(`${state}`, (it) => jobOf(it, siteJob)?.state === state);
  const job = jobOf(survey, siteJob);
  assert(job !== undefined, "the survey shows the job");
  return job;
}

/** The end of an attempt, once it is told. */
export async function untilEnded({ siteJob }: PlacedAttempt): Promise<SurveyedEnd> {
  const survey = await surveyWith("ended", ({ ended }) => ended.some((end) => end.siteJob === siteJob));
  const end = survey.ended.find((it) => it.siteJob === siteJob);
  assert(end !== undefined, "the survey shows the end");
  return end;
}

/** Enough surveys that something that was going to happen has happened. */
export async function aWhile(): Promise<Survey> {
  for (let i = 0; i < 20; i++) {
    await on.harness.pause();
    await on.site.survey();
  }
  return on.site.survey();
}
