/**
 * Which of an organisation's jobs that wait at the broker go to a site now, and to which (rule EN-77): the
 * V-PEP of [UP] slide 15, live.
 *
 * Whose turn it is says `policy/enforce-at-vo`; where, the choice table: the least loaded of the sites that
 * would honour it, or the one that the organisation's own selector takes. What is let go is one event a job,
 * the same as of any other job.
 */
import { type JobRecord, type VoRecord, voOf } from "../../../model/index.ts";
import { enforceAtVo, type VoRelease } from "../../../policy/index.ts";
import type { Projection } from "../../state/projection.ts";
import { holdsPlace } from "../../state/waiting-replicas.ts";
import { voView } from "./vo-view.ts";

/** The organisations whose enforcer is on; those whose jobs go as they come are not among them. */
export function enforcedVo({ vos }: Projection, job: JobRecord): VoRecord | undefined {
  const { consumer, description, ticket } = job;
  // The job for which it holds a place has been released.
  if (holdsPlace(job)) return undefined;
  // What was promised an instant or a ticket, or has a place that is paid for, is not kept waiting.
  if (description.reservation !== undefined || description.virtual !== undefined) return undefined;
  if (ticket !== undefined && ticket.heldMs > 0) return undefined;
  const record = vos.records.get(voOf(consumer));
  return record?.enforcement === null ? undefined : record;
}

/** The jobs that are let go now, in their order. */
export function turnsNow(
  projection: Projection,
  record: VoRecord,
  waiting: readonly JobRecord[],
  nowMs: number,
): readonly VoRelease[] {
  const { groups, allocation } = voView(projection, record, waiting, nowMs);
  return enforceAtVo(groups, allocation).releases;
}

/** Instant at which a job's turn may come without any event: when a group falls below its epoch share. */
export function turnsWakeAtMs(projection: Projection, nowMs: number): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const [vo, waiting] of waitingByVo(projection)) {
    const record = projection.vos.records.get(vo);
    if (record === undefined) continue;
    for (const { belowAtMs } of voView(projection, record, waiting, nowMs).groups) {
      if (belowAtMs !== null && belowAtMs > nowMs) firstMs = Math.min(firstMs, belowAtMs);
    }
  }
  return firstMs;
}

/** By organisation with an enforcer, its jobs that have no site, in order of submission. */
export function waitingByVo(projection: Projection): ReadonlyMap<string, readonly JobRecord[]> {
  const waiting = new Map<string, JobRecord[]>();
  if (projection.vos.uses.size === 0) return waiting;
  for (const id of projection.unplaced) {
    const job = projection.jobs.get(id);
    const vo = job === undefined ? undefined : enforcedVo(projection, job)?.vo;
    if (job === undefined || vo === undefined) continue;
    const its = waiting.get(vo);
    if (its === undefined) waiting.set(vo, [job]);
    else its.push(job);
  }
  return waiting;
}
