/**
 * Which of several sites a job goes to: the one where it would start earliest, or what the selector of its
 * organisation takes of those that the choice table recommends (rule EN-75).
 */
import { type JobRecord, type RecommendedPlace, type SiteSelector, voOf } from "../../model/index.ts";
import { drawnFrom, selectSite } from "../../policy/index.ts";
import { copyQueue, type NamedQueue, type Outlook, outlookOf, startIn } from "../../queue/index.ts";
import { amountsOf } from "../state/enforced-site.ts";
import { inputDataAt } from "../state/input-data.ts";
import type { Projection } from "../state/projection.ts";
import { needOf, type SiteState } from "../state/site-state.ts";
import type { ChoiceRow } from "./choice-row.ts";
import { queuedCost } from "./queued-cost.ts";
import { NO_FACTS, recommend, worthTaking } from "./recommend.ts";
import { promisedPlace } from "./scores.ts";

/** State shared while the jobs of one decision are placed. */
export interface Choosing {
  readonly projection: Projection;
  readonly nowMs: number;
  /** The queues with the jobs placed so far. */
  readonly trials: ReadonlyMap<string, NamedQueue>;
  /** Where jobs were placed so far, by organisation and in order. */
  readonly sent: readonly { readonly vo: string; readonly site: string; readonly procs: number }[];
}

/** The one of these sites that would start a job earliest, with the jobs placed before it in this round. */
export function earliestSite(placing: Choosing, eligible: readonly SiteState[], job: JobRecord): SiteState {
  let best = eligible[0];
  let bestMs = Number.POSITIVE_INFINITY;
  for (const site of eligible.length === 1 ? [] : eligible) {
    const startMs = readyAt(placing, site, job);
    if (startMs < bestMs) {
      best = site;
      bestMs = startMs;
    }
  }
  return best;
}

/** The site that a selector takes of those that the choice table recommends; of all, where it does none. */
export function selectedSite(
  placing: Choosing,
  eligible: readonly SiteState[],
  job: JobRecord,
  selector: SiteSelector,
): SiteState {
  if (eligible.length === 1) return eligible[0];
  const rows = tableFor(placing, eligible, job, { selector, startOf: readyAt });
  const worth = worthTaking(rows);
  const vo = voOf(job.consumer);
  const before = placing.sent.filter((it) => it.vo === vo);
  const last = before.at(-1)?.site ?? placing.projection.vos.records.get(vo)?.lastSite ?? null;
  // Of what is sent in one instant the later one counts as later.
  const inOrder = (worth.length > 0 ? worth : rows).map((row) => {
    const at = before.findLastIndex(({ site }) => site === row.site);
    return at < 0 ? row : { ...row, lastSentMs: placing.nowMs + at };
  });
  const taken = selectSite(inOrder, selector, { lastSite: last, drawn: drawnFrom(job.id) });
  return eligible.find(({ name }) => name === taken?.site) ?? eligible[0];
}

interface Table {
  readonly selector: SiteSelector;
  readonly startOf: (choosing: Choosing, site: SiteState, job: JobRecord) => number;
}

function tableFor(
  choosing: Choosing,
  sites: readonly SiteState[],
  job: JobRecord,
  { selector, startOf }: Table,
): readonly ChoiceRow[] {
  const { projection, sent, nowMs } = choosing;
  const { consumer, description } = job;
  const { procs, wallTimeMs: limitMs = null } = description;
  const factsOf = (site: SiteState) => {
    return {
      ...NO_FACTS,
      startMs: selector === "bestStart" ? startOf(choosing, site, job) : null,
      costProcMs: selector === "cheapest" ? queuedCost(site, { consumer, procs, limitMs }, nowMs) : null,
      comingProcs: sent.reduce((sum, it) => sum + (it.site === site.name ? it.procs : 0), 0),
    };
  };
  return recommend(projection, { consumer, need: amountsOf(description), sites, factsOf }, nowMs);
}

/** Promise that the choice of a site makes; undefined without one. */
export function recommendedAt(
  placing: Choosing,
  site: SiteState,
  job: JobRecord,
): RecommendedPlace | undefined {
  const [row] = tableFor(placing, [site], job, { selector: "bestStart", startOf: startAt });
  return promisedPlace(placing.projection, { site, row, job }, placing.nowMs);
}

/** When a site would have started a job that joined its queue now, and have its input data there; Unix ms. */
export function readyAt(
  choosing: Pick<Choosing, "trials" | "nowMs"> & { readonly projection: Pick<Projection, "books" | "sites"> },
  site: SiteState,
  job: Pick<JobRecord, "description">,
): number {
  const { transferMs = 0 } = inputDataAt(choosing.projection, site, job.description) ?? {};
  return startAt(choosing, site, job) + transferMs;
}

/** When a site would start a job that joined its queue now; Unix ms. */
function startAt(
  { trials, nowMs }: Pick<Choosing, "trials" | "nowMs">,
  site: SiteState,
  job: Pick<JobRecord, "description">,
): number {
  const queue = trials.get(site.name) ?? site.queue;
  return startIn(outlookNow(queue, nowMs), needOf(job.description, site.spec), nowMs);
}

/** The outlooks that were made, as long as their queues have not changed. */
const outlooks = new WeakMap<NamedQueue, { readonly version: number; readonly outlook: Outlook }>();

function outlookNow(queue: NamedQueue, nowMs: number): Outlook {
  const made = outlooks.get(queue);
  if (made?.version === queue.version) return made.outlook;
  const outlook = outlookOf(copyQueue(queue), nowMs);
  outlooks.set(queue, { version: queue.version, outlook });
  return outlook;
}
