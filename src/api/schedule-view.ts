/** A site's schedule as the API writes it. */
import { setImmediate } from "node:timers/promises";
import type { BarView, ScheduleView } from "../contract/index.ts";
import type { BarFacts, PlacedBar } from "../engine/index.ts";
import type { Identity } from "../model/index.ts";
import type { SiteSchedule } from "../runtime/index.ts";
import { isoInstant } from "./iso-instant.ts";

/** Number of bars written at a time. */
const AT_A_TIME = 2000;

/** A schedule as JSON, in parts between which other requests are answered: it may have very many bars. */
export async function* scheduleParts(schedule: SiteSchedule, who: Identity): AsyncGenerator<string> {
  const { bars, promises } = schedule;
  yield `${JSON.stringify(scheduleWithoutBars(schedule)).slice(0, -1)},"bars":[`;
  for (let from = 0; from < bars.length; from += AT_A_TIME) {
    const part = bars.slice(from, from + AT_A_TIME).map((bar) => barView(bar, who, promises.get(bar.key)));
    yield `${from > 0 ? "," : ""}${JSON.stringify(part).slice(1, -1)}`;
    await setImmediate();
  }
  yield "]}";
}

type Promises = ReturnType<SiteSchedule["promises"]["get"]>;

function scheduleWithoutBars(schedule: SiteSchedule): Omit<ScheduleView, "bars"> {
  const { site, discipline, trouble, procs, rows, nodes, leftOut } = schedule;
  const { atMs, sinceMs, untilMs, seenAtMs, areJobsPrivate, free } = schedule;
  return {
    ...{ site, at: isoInstant(atMs), since: isoInstant(sinceMs), until: instantOf(untilMs) },
    ...{ partial: schedule.isPartial, discipline, seenAt: instantOf(seenAtMs), trouble, procs, rows, nodes },
    ...{ hidden: areJobsPrivate, leftOut },
    free: free.map(({ startMs, endMs, procs: width }) => ({
      ...{ from: isoInstant(startMs), until: instantOf(endMs), procs: width },
    })),
  };
}

function barView(bar: PlacedBar, who: Identity, promises: Promises = []): BarView {
  const { kind, whose, facts, inside, procs, startMs, endMs, rows, nodes } = bar;
  const isMine = facts !== undefined && whose !== undefined && isOf(whose, who);
  return {
    ...{ kind, ...namesOf(facts), mine: isMine },
    reservation: facts?.reservation?.id ?? facts?.job?.description.reservation ?? null,
    ...{ nested: inside !== null, procs, from: instantOf(startMs), until: instantOf(endMs) },
    ...{ rows: rows.map(([first, count]) => [first, count]), nodes: [...nodes] },
    promises: promises.map(({ probability, startAtMs }) => {
      return { probability, startAt: isoInstant(startAtMs) };
    }),
  };
}

type Names = Pick<
  BarView,
  "job" | "siteJob" | "name" | "consumer" | "owner" | "account" | "partition" | "state" | "result"
>;

const NO_NAMES: Names = {
  ...{ job: null, siteJob: null, name: null, consumer: null, owner: null },
  ...{ account: null, partition: null, state: null, result: null },
};

function namesOf({ job, seen, reservation, setAside }: BarFacts = {}): Names {
  const there = { account: seen?.account ?? null, partition: seen?.queue ?? null };
  if (job !== undefined) {
    const { id, siteJob, description, consumer, owner, state, result } = job;
    return { ...there, job: id, siteJob, name: description.name ?? null, consumer, owner, state, result };
  }
  if (seen !== undefined) {
    return { ...NO_NAMES, ...there, siteJob: seen.siteJob, owner: seen.user ?? null };
  }
  if (reservation !== undefined) {
    return { ...NO_NAMES, consumer: reservation.consumer, owner: reservation.owner };
  }
  return setAside === undefined ? NO_NAMES : { ...NO_NAMES, name: setAside };
}

function isOf({ owner, consumer }: NonNullable<PlacedBar["whose"]>, who: Identity): boolean {
  return owner === who.owner || consumer === who.consumer;
}

/** Null for none, and for what has no end. */
function instantOf(atMs: number | null): string | null {
  return atMs === null || atMs === Number.POSITIVE_INFINITY ? null : isoInstant(atMs);
}
