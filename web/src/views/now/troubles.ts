import type { JobView, ReservationView, SiteView, StreamView } from "../../app/client.ts";
import { numberText } from "../../parts/format.ts";
import { jobTitle } from "../../parts/job-title.ts";
import type { WholeRow } from "../../parts/whole-rows.ts";

/** Ended work needs attention for this long. */
export const RECENT_MS = 3_600_000;

/** Something that needs attention, and where it is shown. */
export interface Trouble {
  /** Differs between things. */
  readonly key: string;
  readonly href: string;
  readonly title: string;
  readonly text: string;
}

/** What may need attention. */
export interface Watched {
  readonly sites: readonly SiteView[];
  readonly reservations: readonly ReservationView[];
  readonly streams: readonly StreamView[];
  readonly wholes: readonly WholeRow[];
  readonly jobs: readonly JobView[];
}

/** Sites in trouble, and reservations, streams and work that failed within the last hour, in this order. */
export function troublesOf(
  { sites, reservations, streams, wholes, jobs }: Watched,
  nowMs: number,
): readonly Trouble[] {
  const isRecent = (endedAt: string | null): boolean =>
    endedAt === null || nowMs - Date.parse(endedAt) <= RECENT_MS;
  const troubles = [
    ...sites.map(ofSite),
    ...reservations.filter(({ history }) => isRecent(history.at(-1)?.at ?? null)).map(ofReservation),
    ...streams.filter(({ endedAt }) => isRecent(endedAt)).map(ofStream),
    ...wholes.filter(({ endedAt }) => isRecent(endedAt)).map(ofWhole),
    ...jobs.filter(({ endedAt }) => isRecent(endedAt)).map(ofJob),
  ].flatMap((trouble) => trouble ?? []);
  // A stream and its job are one thing, which fails once.
  const told = new Set<string>();
  return troubles.filter(({ key }) => !told.has(key) && told.add(key));
}

function ofSite({ name, trouble, cannotAct }: SiteView): Trouble | undefined {
  const text = trouble ?? cannotAct;
  return text === undefined ? undefined : { key: `site ${name}`, href: siteHref(name), title: name, text };
}

function ofReservation({ id, site, state, history }: ReservationView): Trouble | undefined {
  if (state !== "VIOLATED") return undefined;
  const why = history.at(-1)?.why ?? "the site did not keep it";
  return { key: id, href: siteHref(site), title: `reservation ${id} at ${site}`, text: why };
}

function ofStream({ id, name, figures }: StreamView): Trouble | undefined {
  const text = figures?.failure ?? figures?.trouble ?? null;
  return text === null ? undefined : { key: id, href: `/jobs/${id}`, title: `stream ${name}`, text };
}

function ofWhole({ id, href, title, states }: WholeRow): Trouble | undefined {
  const count = (states.FAILED ?? 0) + (states.ABORTED ?? 0);
  const text = `${numberText(count)} of its jobs ${count === 1 ? "has" : "have"} failed`;
  return count === 0 ? undefined : { key: id, href, title, text };
}

function ofJob(job: JobView): Trouble | undefined {
  if (job.state !== "ABORTED" && job.result !== "failed") return undefined;
  const { id, reason, timeLimit, exitCode, signal } = job;
  const end = signal === null ? `exit code ${exitCode ?? "unknown"}` : `ended by signal ${signal}`;
  const text = reason ?? (timeLimit ? "reached its time limit" : end);
  return { key: id, href: `/jobs/${id}`, title: jobTitle(job), text };
}

function siteHref(name: string): string {
  return `/sites/${encodeURIComponent(name)}`;
}
