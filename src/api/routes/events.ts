/**
 * `/events`: the log for people. Who may see the log sees all of it; everybody else sees what happened to
 * jobs that they may see, without the facts, which may be of others.
 */
import { eventsQuery } from "../../contract/index.ts";
import { isOf, jobsWithin, mayDo, type ObservedJob } from "../../engine/index.ts";
import {
  type ArrayRecord,
  type DagRecord,
  eventSummary,
  isWithin,
  type JobRecord,
  jobNamedBy,
  type StintEvent,
  siteNamedBy,
} from "../../model/index.ts";
import type { BrokerApi, EventSearch, RecordedEvent, RecordedPage } from "../../runtime/index.ts";
import { archiveView } from "../archive-view.ts";
import { changeFeed } from "../change-stream.ts";
import { eventConditions } from "../event-conditions.ts";
import { findEither } from "../find-job.ts";
import { whoOf } from "../identity.ts";
import { instantGiven } from "../instant-given.ts";
import { isoInstant } from "../iso-instant.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, streams, urlOf } from "./api.ts";

const USUAL_PAGE = 100;
/** Events that are read at once where only some of them may be seen. */
const SIFTED_AT_ONCE = 1000;
/** Number of readings for one page: the rest of a long log is for the next. */
const MOST_READINGS = 10;

/** Registers the routes of events. */
export function addEvents(api: Api, world: RouteWorld): void {
  addList(api, world);
  addWatch(api, world);
}

function addWatch(api: Api, { brokerApi }: RouteWorld): void {
  const feed = changeFeed(brokerApi);
  api.get(
    urlOf("watchEvents"),
    {
      config: { ...forThoseWhoMay("seeJob"), isStream: true },
      schema: {
        summary: "Watch changes as server-sent events; Last-Event-ID shows whether events were missed",
        tags: ["events"],
        response: streams("text/event-stream", "Events named `changed`, each with a Change as its data"),
      },
    },
    async (request, reply) => {
      const lastSeen = request.headers["last-event-id"];
      reply.hijack();
      const given = typeof lastSeen === "string" ? lastSeen : undefined;
      await feed.stream(whoOf(request), given, reply.raw).catch(() => reply.raw.destroy());
    },
  );
}

function addList(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("listEvents"),
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        summary: "List events of the whole log, or of the jobs that the caller may see",
        tags: ["events"],
        querystring: eventsQuery,
        response: answers("EventList", 200),
      },
    },
    async (request) => {
      const { job: given, since, until, site, exitCode, order, limit = USUAL_PAGE, cursor } = request.query;
      const who = whoOf(request);
      const job = given === undefined ? undefined : await findEither({ brokerApi, guard, request }, given);
      const seesLog = mayDo(who, "seeLog", {});
      const sinceMs = since === undefined ? undefined : instantGiven(since, { parameter: "since" });
      const from = Math.max(sinceMs ?? 0, job?.submittedAtMs ?? 0);
      const untilMs = until === undefined ? undefined : instantGiven(until, { parameter: "until" });
      const search = {
        isNewestFirst: order !== "oldest",
        ...(from > 0 && { sinceMs: from }),
        ...(untilMs !== undefined && { untilMs }),
        ...(job !== undefined && { names: job.id }),
      };
      const within = job === undefined && !seesLog ? jobsWithin(who, "seeJob") : {};
      const fits = eventConditions(brokerApi, { site, exitCode });
      const isShown = ({ event }: RecordedEvent) =>
        job === undefined ? seesLog || isSeen(brokerApi, event, within) : isAbout(event, job.id);
      const shows = async (it: RecordedEvent) => (await fits(it.event)) && (await isShown(it));
      const isSifted = [job, site, exitCode].some((one) => one !== undefined) || !seesLog;
      const after = cursor === undefined ? {} : { after: Number(cursor) };
      const page = await sifted(brokerApi, { ...search, ...after }, { limit, isSifted, shows });
      const { items, next, head, archives } = page;
      const endedAtMs = (job !== undefined && "endedAtMs" in job ? job.endedAtMs : null) ?? untilMs;
      return {
        items: items.map((it) => eventView(it, { about: job?.id, seesLog })),
        next: next === undefined ? null : String(next),
        head,
        archives: archives
          .filter(({ firstAtMs }) => firstAtMs <= (endedAtMs ?? firstAtMs))
          .map((archive) => archiveView(archive, seesLog)),
      };
    },
  );
}

interface Sieve {
  readonly limit: number;
  /** False where every event is shown. */
  readonly isSifted: boolean;
  readonly shows: (it: RecordedEvent) => boolean | Promise<boolean>;
}

/** Reads on until the page is full, the log is at its end, or enough was read for one answer. */
async function sifted(
  brokerApi: BrokerApi,
  search: Omit<EventSearch, "limit">,
  { limit, isSifted, shows }: Sieve,
): Promise<RecordedPage> {
  const items: RecordedEvent[] = [];
  let after = search.after;
  for (let readings = 1; ; readings++) {
    const size = isSifted ? SIFTED_AT_ONCE : limit;
    const goingOn = after === undefined ? {} : { after };
    const {
      items: read,
      next,
      head,
      archives,
    } = await brokerApi.events({ ...search, ...goingOn, limit: size });
    for (const it of read) {
      if (!(await shows(it))) continue;
      items.push(it);
      if (items.length === limit) {
        const isLast = next === undefined && it === read.at(-1);
        return { items, next: isLast ? undefined : it.seq, head, archives };
      }
    }
    if (next === undefined || readings === MOST_READINGS) return { items, next, head, archives };
    after = next;
  }
}

/** True for an event of a job that the caller may see. */
async function isSeen(
  brokerApi: BrokerApi,
  event: StintEvent,
  within: ObservedJob | undefined,
): Promise<boolean> {
  const id = jobNamedBy(event);
  if (id === null || within === undefined) return false;
  const job = (await brokerApi.job(id)) ?? (await brokerApi.array(id)) ?? (await brokerApi.dag(id));
  if (job === undefined) return false;
  const { of = job, owner = job.owner, site = siteOf(job), consumer = job.consumer } = within;
  return isOf(job, of) && owner === job.owner && site === siteOf(job) && isWithin(job.consumer, consumer);
}

/** An array or a DAG is at no site. */
function siteOf(job: JobRecord | ArrayRecord | DagRecord): string | null {
  return "site" in job ? job.site : null;
}

/** True for an event in which something happens to this job; others may only name it. */
function isAbout(event: StintEvent, job: string): boolean {
  if (jobNamedBy(event) === job) return true;
  switch (event.kind) {
    case "queueSettled":
      return event.starts.includes(job);
    case "jobsParked":
      return event.jobs.includes(job);
    case "posted":
      return event.about === job;
    case "enforced":
    case "enforcementAdvised":
      return event.actions.some((action) => action.job === job);
    default:
      return false;
  }
}

function eventView(
  { seq, event, facts }: RecordedEvent,
  { about, seesLog }: { readonly about: string | undefined; readonly seesLog: boolean },
) {
  const { text, by, state } = eventSummary(event, about);
  const { hash: _, ...shown } = facts;
  return {
    seq,
    at: isoInstant(event.atMs),
    kind: event.kind,
    job: jobNamedBy(event) ?? about ?? null,
    site: siteNamedBy(event),
    by,
    state,
    text,
    facts: seesLog ? shown : null,
  };
}
