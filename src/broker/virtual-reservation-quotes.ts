/**
 * Quotes of virtual reservations: all sites are asked at the same time (rule BR-18).
 *
 * Nothing is recorded. A site that cannot be asked, or forbids them, has its reason in the answer and does
 * not delay the others.
 */
import { messageOf } from "../base/index.ts";
import {
  isOpen,
  jobAtCluster,
  type SiteState,
  type Unfit,
  unfitAtCluster,
  type VirtualReservationAnswer,
  virtualReservationHindrance,
} from "../engine/index.ts";
import { isReadOnly, publishesAggregates, type ReservationHindrance } from "../model/index.ts";
import type {
  ProspectQuestion,
  VirtualReservationQuestion,
  VirtualReservationQuote,
} from "../runtime/index.ts";
import { type AskingWorld, askedAtSite } from "./asked-at-site.ts";
import type { Predictions } from "./predictions/predictions.ts";
import type { AskedWhen } from "./predictions/protocol.ts";

/** Dependencies of the quotes. */
export interface VirtualReservationQuoteWorld extends Pick<AskingWorld, "round" | "sites"> {
  readonly predictions: Pick<Predictions, "virtual">;
}

/** Answers of the sites, in their order. */
export function virtualReservationQuotes(
  world: VirtualReservationQuoteWorld,
  question: VirtualReservationQuestion,
): Promise<readonly VirtualReservationQuote[]> {
  const { sites } = world.round.projection;
  const asked = [...sites.values()].filter(({ name }) => question.sites?.includes(name) ?? true);
  return Promise.all(asked.map((site) => quoteAt(site, question, world)));
}

async function quoteAt(
  site: SiteState,
  question: VirtualReservationQuestion,
  world: VirtualReservationQuoteWorld,
): Promise<VirtualReservationQuote> {
  const { name, spec } = site;
  const bare = {
    ...{ site: name, partition: null, takesJobs: isOpen(site), unfit: null },
    ...{ trouble: null, hindrance: null, plan: null, noRecord: null },
  };
  if (isReadOnly(spec)) return { ...bare, trouble: "it is read-only" };
  const hindrance = virtualReservationHindrance(spec, question, world.round.nowMs());
  if (hindrance !== undefined) return { ...bare, hindrance };
  try {
    const found = await askedAtSite(site, thoughtOf(question), { ...world, answerMs: 0 });
    const { asked, ...said } = found;
    if (asked === null) return { ...bare, ...said };
    return { ...bare, ...said, ...(await planAt(asked, question, world)) };
  } catch (error) {
    return { ...bare, trouble: messageOf(error) };
  }
}

function thoughtOf(question: VirtualReservationQuestion): ProspectQuestion {
  const { procs, memoryBytes, gpus = 0, durationMs, owner } = question;
  return { job: { procs, memoryBytes, gpus, limitMs: durationMs, queue: null }, owner, deadlineMs: null };
}

async function planAt(
  { site, facts, cluster }: AskedWhen,
  question: VirtualReservationQuestion,
  { round, predictions }: VirtualReservationQuoteWorld,
): Promise<Partial<VirtualReservationQuote>> {
  const { startMs, durationMs, enough } = question;
  const partition = cluster?.snapshot.partitions.find(({ name }) => name === facts.queue);
  const mostWallTimeMs = partition?.maxTimeMs ?? null;
  const nowMs = round.nowMs();
  const asked = { site, facts, nowMs, startMs, durationMs, mostWallTimeMs, enough };
  const { plan, noPlan, noRecord } = await predictions.virtual(asked);
  if (plan === null) return { hindrance: hindranceOf(noPlan), noRecord };
  const unfit = cluster === null ? null : unfitWith(cluster, question, plan.wallTimeMs);
  if (unfit === null) return { plan };
  const spec = round.projection.sites.get(site)?.spec;
  return { unfit: spec !== undefined && publishesAggregates(spec) ? { kind: "blockedUnseen" } : unfit };
}

/** Other limits of a cluster that exclude a job with so long a limit. */
function unfitWith(
  { snapshot, job }: NonNullable<AskedWhen["cluster"]>,
  question: VirtualReservationQuestion,
  limitMs: number,
): Unfit | null {
  const [partition = ""] = job.partitions;
  return unfitAtCluster(snapshot, jobAtCluster(snapshot, partition, { ...thoughtOf(question).job, limitMs }));
}

function hindranceOf(noPlan: VirtualReservationAnswer["noPlan"]): ReservationHindrance | null {
  if (noPlan === null || noPlan.kind === "startsInPast") return noPlan;
  const { wallTimeMs, mostMs } = noPlan;
  return { kind: "limitTooLong", wallTimeMs, mostMs };
}
