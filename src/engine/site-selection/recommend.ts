/**
 * The choice table: of each site whether a request would be honoured now, later or never, under which
 * policy, and what a selector looks at (rule EN-73).
 *
 * Source: the site recommender of [UP] slides 27 to 30. Starts and prices are asked for by other means
 * (forecasts in a thread, quotes on a copy of the queue), so they come in as facts. Where no policy speaks
 * of a site, what would be honoured is what its queue would do.
 * Cost: O(levels of the consumer) a site while nothing happens there; after an event one pass over the jobs
 * of its site. Budget: bench/choice-table.
 */
import { mulDiv } from "../../base/index.ts";
import { isForeign } from "../../model/index.ts";
import type { DecidingLimit, PolicyVerdict, SiteAmounts } from "../../policy/index.ts";
import { inQueueOrder, type NamedQueue } from "../../queue/index.ts";
import { policyVerdictAt } from "../features/policies/policy-verdict.ts";
import { countedAt, countedProcs } from "../state/peer-use.ts";
import type { Projection } from "../state/projection.ts";
import { isOpen, type SiteState } from "../state/site-state.ts";
import { sentAtMs } from "../state/vo-book.ts";
import type { ChoiceRow } from "./choice-row.ts";

/** Facts about a site from other modules. */
export interface SiteFacts {
  /** Unix ms; null where nobody knows. */
  readonly startMs: number | null;
  /** In processor-ms; null where it is not known. */
  readonly costProcMs: number | null;
  /** True if the site would never start the job, for a reason of its own. */
  readonly isUnfit: boolean;
  /** Processors of jobs that are about to be sent there. */
  readonly comingProcs: number;
}

/** Request of a choice, and its candidate sites in order. */
export interface ChoiceQuestion {
  readonly consumer: string;
  readonly need: SiteAmounts;
  readonly sites: readonly SiteState[];
  readonly factsOf: (site: SiteState) => SiteFacts;
}

/** Facts about a site of which nothing is known beyond the state. */
export const NO_FACTS: SiteFacts = { startMs: null, costProcMs: null, isUnfit: false, comingProcs: 0 };

/** Rows of the choice table, one per site, in the order of the request. Changes nothing. */
export function recommend(
  projection: Projection,
  { consumer, need, sites, factsOf }: ChoiceQuestion,
  nowMs: number,
): readonly ChoiceRow[] {
  return sites.map((site): ChoiceRow => {
    const facts = factsOf(site);
    const { inUse, waiting } = loadWithPeers(projection, site, nowMs);
    const { procs } = site.spec;
    const wanted = inUse + waiting + facts.comingProcs;
    const { when, because } = verdictOf(projection, site, { consumer, need, nowMs, wanted, facts });
    return {
      ...{ site: site.name, type: site.spec.type, takesJobs: isOpen(site), honoured: when, because },
      usedPpm: mulDiv(wanted, 1_000_000, procs, "down"),
      lastSentMs: sentAtMs(projection.vos, consumer, site.name),
      predictedStartMs: facts.startMs,
      costProcMs: facts.costProcMs,
      freeProcs: Math.max(0, procs - inUse),
      score: site.score,
    };
  });
}

/** Rows among which a selector chooses: those honoured now, or where there are none, those honoured later. */
export function worthTaking<Row extends Pick<ChoiceRow, "takesJobs" | "honoured">>(
  rows: readonly Row[],
): readonly Row[] {
  const open = rows.filter(({ takesJobs, honoured }) => takesJobs && honoured !== "never");
  const now = open.filter(({ honoured }) => honoured === "now");
  return now.length > 0 ? now : open;
}

/** Load of a site, with what other brokers have sent there and the site does not show yet. */
function loadWithPeers({ peers }: Projection, site: SiteState, nowMs: number): SiteLoad {
  const load = loadOf(site);
  const { inUse, waiting } = countedProcs(countedHere({ peers }, site, nowMs));
  return { inUse: load.inUse + inUse, waiting: load.waiting + waiting };
}

function countedHere({ peers }: Pick<Projection, "peers">, { name, spec }: SiteState, nowMs: number) {
  return isForeign(spec) ? countedAt(peers, name, nowMs) : [];
}

interface Asked {
  readonly consumer: string;
  readonly need: SiteAmounts;
  readonly nowMs: number;
  /** Processors in use, waited for at the site, and about to be sent there. */
  readonly wanted: number;
  readonly facts: SiteFacts;
}

function verdictOf(projection: Projection, site: SiteState, asked: Asked): PolicyVerdict {
  const { consumer, need, nowMs, wanted, facts } = asked;
  if (facts.isUnfit) return { when: "never", because: ofSite("capacity") };
  const verdict = policyVerdictAt(projection, site, { consumer, need }, nowMs);
  if (verdict !== null) return verdict;
  if (need.cpu > site.spec.procs) return { when: "never", because: ofSite("capacity") };
  const hasRoom = wanted + need.cpu <= site.spec.procs;
  // A forecast is made of what the site shows, without what others have just sent there.
  const isForeseen = facts.startMs !== null && countedHere(projection, site, nowMs).length === 0;
  const isNow = isForeseen ? (facts.startMs ?? nowMs) <= nowMs : hasRoom;
  return isNow ? { when: "now", because: null } : { when: "later", because: ofSite("free") };
}

function ofSite(limit: "capacity" | "free"): DecidingLimit {
  return { limit, resource: "cpu", level: null, policy: null };
}

// Load of a site (in use and requested), from its queue, for the rows of a choice table. Cost: one pass
// over the queue after it has changed, then a look-up.

/** Processors. */
interface SiteLoad {
  /** Processors of running jobs. */
  readonly inUse: number;
  /** Processors of jobs that wait at the site, whether let into its queue or not. */
  readonly waiting: number;
}

/** The loads that were counted, as long as their queues have not changed. */
const loads = new WeakMap<NamedQueue, { readonly version: number; readonly load: SiteLoad }>();

/** The load of a site. */
function loadOf({ queue }: Pick<SiteState, "queue">): SiteLoad {
  const made = loads.get(queue);
  if (made?.version === queue.version) return made.load;
  const load = counted(queue);
  loads.set(queue, { version: queue.version, load });
  return load;
}

function counted({ machine, running, handleOf, pending, heldOutside }: NamedQueue): SiteLoad {
  const [procs] = machine.jobs.need;
  let inUse = 0;
  for (const job of running) inUse += procs[handleOf.get(job) ?? 0];
  let waiting = 0;
  const { handles, count } = inQueueOrder(machine);
  for (let at = 0; at < count; at++) waiting += procs[handles[at]];
  for (const operation of pending) if (operation.kind === "arrive") waiting += operation.need[0];
  for (const { need } of heldOutside.values()) waiting += need[0];
  return { inUse, waiting };
}
