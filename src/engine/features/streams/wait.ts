/**
 * Why a stream waits: what is short, who has it, when it is expected to be free, and what would help
 * (`src/stream/explain.ts` on what the broker knows).
 *
 * Running jobs are expected to end at their time limit. A site that publishes aggregates does not show who
 * has what is short.
 */
import { publishesAggregates, type StreamRecord } from "../../../model/index.ts";
import { type ExplainedHolder, explainWaiting, type StreamShortage } from "../../../stream/index.ts";
import type { Projection } from "../../state/projection.ts";
import { endOf } from "../../state/reserved.ts";
import { plannedNeedOf } from "../../state/site-state.ts";
import { heldOf, needOf, poolAt, poolOf, runningAt, selectionAt, shortageOf, streamsAt } from "./pool.ts";

/** Holders that are named for each resource. */
const MOST_HOLDERS = 3;

/** Shortages of a waiting stream, and the smallest change that would help; empty where it can start. */
export function shortagesOf(projection: Projection, stream: StreamRecord, nowMs: number) {
  const at = poolAt(projection, stream.site);
  const waits = selectionAt(projection, stream.site, nowMs)?.waits.find(({ id }) => id === stream.job);
  if (at === undefined || waits === undefined) return { shortages: [] };
  const { short, smallestChange } = explainWaiting(
    needOf(projection, at, { id: stream.job, stream: stream.stream, nowMs }),
    poolOf(at),
    holdersAt(projection, stream, nowMs),
    nowMs,
  );
  const shortages = waits.shortages.map((shortage: StreamShortage) => {
    const explained = short.find(({ resource }) => resource === shortage.resource);
    if (explained === undefined) return shortageOf(shortage);
    const { holders, availableAtMs } = explained;
    const named = holders.slice(0, MOST_HOLDERS).map(({ id, amount, isReserving }) => ({
      ...{ job: id, consumer: consumerOf(projection, id), amount },
      ...(isReserving ? { isReserving } : {}),
    }));
    return {
      ...shortageOf(shortage),
      ...(publishesAggregates(at.spec) ? {} : { holders: named, moreHolders: holders.length - named.length }),
      ...(availableAtMs === Number.POSITIVE_INFINITY ? {} : { availableAtMs }),
    };
  });
  if (smallestChange === undefined || shortages.length !== 1) return { shortages };
  const { resource, lowerTo } = smallestChange;
  return { shortages, smallestChange: { resource, lowerTo } };
}

/** Consumer of a job or a reservation. */
function consumerOf({ jobs, reserved }: Projection, id: string): string {
  return (jobs.get(id) ?? reserved.records.get(id))?.consumer ?? "";
}

/** Everything that has resources of the site, but this stream. */
function holdersAt(projection: Projection, { job, site }: StreamRecord, nowMs: number): ExplainedHolder[] {
  const at = poolAt(projection, site);
  if (at === undefined) return [];
  const running = runningAt(projection, site, nowMs).map((holder): ExplainedHolder => {
    const reservation = projection.reserved.records.get(holder.id);
    if (reservation !== undefined) return { ...holder, endMs: endOf(reservation) };
    const record = projection.jobs.get(holder.id);
    if (record === undefined) return holder;
    const { estimateMs } = plannedNeedOf(record, at.spec);
    return { ...holder, endMs: Math.max(nowMs, (record.startedAtMs ?? nowMs) + estimateMs) };
  });
  const reserving = streamsAt(projection, site).flatMap((it): ExplainedHolder[] => {
    if (it.job === job || it.reservation === undefined) return [];
    return [{ ...heldOf(it, at), procs: it.reservation.procs, isReserving: true }];
  });
  return [...running, ...reserving];
}
