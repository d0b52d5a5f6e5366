/** Prices of slots, and states of accounts: read-only queries. */
import { setImmediate } from "node:timers/promises";
import {
  extensionPrice,
  heardWhen,
  livePricesCoReservation,
  livePricesInParts,
  type PricingSteps,
  pricedResource,
  type SiteState,
  WORTH_ELSEWHERE,
} from "../engine/index.ts";
import { balanceOf, incomeOf, levelsOf } from "../market/index.ts";
import {
  isForeign,
  isReadOnly,
  type LivePrice,
  type PostingRecord,
  type PriceCoReservation,
  type ReservationRecord,
  type SiteQuote,
} from "../model/index.ts";
import {
  type AccountView,
  type BrokerApi,
  type CoReservationQuestion,
  type Logbook,
  postingOf,
  type QuoteQuestion,
  type ReservationPage,
  type ReservationQuery,
  type Round,
  reservationOf,
} from "../runtime/index.ts";
import type { ApiWorld } from "./api-world.ts";
import { conditionsOf } from "./observed-rows.ts";
import type { Trials } from "./trials/trials.ts";
import { virtualReservationQuotes } from "./virtual-reservation-quotes.ts";

/** Prices, reservations and accounts. */
export function marketQuestions(
  world: Pick<ApiWorld, "round" | "logbook" | "trials" | "sites" | "predictions">,
) {
  const { round, logbook } = world;
  return {
    quote: (question) => quoteAll(world, question),
    quoteCoReservation: (question) => quoteCoReservation(round, question),
    quoteVirtualReservation: (question) => virtualReservationQuotes(world, question),
    reservation: (id) => findReservation(round, logbook, id),
    reservations: (query) => listReservations(logbook, query),
    quoteExtension: (id, moreMs) => quoteExtension(round, id, moreMs),
    account: (consumer, site) => accountOf(world, consumer, site),
    posting: (id) => findPosting(logbook, id),
  } satisfies Partial<BrokerApi>;
}

/** Quotes of the sites, one by one; other requests are served while a long list is computed. */
async function quoteAll(
  { round, trials }: { readonly round: Round; readonly trials: Pick<Trials, "make" | "plan"> },
  question: QuoteQuestion,
): Promise<readonly SiteQuote[]> {
  const { sites } = round.projection;
  const asked = [...sites.keys()].filter((name) => question.sites?.includes(name) ?? true);
  const quotes: SiteQuote[] = [];
  for (const name of asked) {
    // Each as it is when its turn comes.
    const nowMs = round.nowMs();
    const site = sites.get(name);
    const when = heardWhen(question.when, nowMs);
    const slot = site === undefined ? undefined : slotThere(site, { ...question, when });
    if (site === undefined || slot === undefined) continue;
    const trouble = whyNotAsked(site);
    const steps = trouble === null ? livePricesInParts(round.projection, site, slot, nowMs) : undefined;
    const { starts, leftOut } = steps === undefined ? NOT_ASKED : await pricedWith(trials, steps);
    quotes.push({ site: name, trouble, starts, ...(leftOut === 0 ? {} : { leftOut }) });
  }
  return quotes;
}

const NOT_ASKED = { starts: [], leftOut: 0 } as const;

/**
 * Runs the steps of a price list; a plan or trial that would take long is computed in a thread, the rest
 * here.
 */
function pricedWith(trials: Pick<Trials, "make" | "plan">, steps: PricingSteps) {
  return withPauses(steps, async (asked) => {
    if ("tried" in asked) return trials.make(asked);
    return asked.saved.waiting.count < WORTH_ELSEWHERE ? undefined : trials.plan(asked);
  });
}

/**
 * Slot with the unit in which its store or link is priced at the site; undefined where the site has none of
 * that name.
 */
function slotThere<Slot extends Pick<QuoteQuestion, "resource">>(site: SiteState, slot: Slot) {
  const { resource: wanted, ...rest } = slot;
  if (wanted === undefined) return rest;
  const resource = pricedResource(site, slot);
  return resource === undefined ? undefined : { ...rest, resource };
}

/** The starts at which all parts are possible. */
async function quoteCoReservation(
  round: Round,
  { parts, ...asked }: CoReservationQuestion,
): Promise<readonly PriceCoReservation[]> {
  const { projection } = round;
  const there = parts.flatMap(({ site: name, ...size }) => {
    const site = projection.sites.get(name);
    if (site === undefined || whyNotAsked(site) !== null) return [];
    const slot = slotThere(site, size);
    return slot === undefined ? [] : [{ ...slot, site }];
  });
  if (there.length < parts.length || parts.length === 0) return [];
  const nowMs = round.nowMs();
  return livePricesCoReservation(projection, there, { ...asked, when: heardWhen(asked.when, nowMs) }, nowMs);
}

function whyNotAsked({ spec, isDraining, observation }: SiteState): string | null {
  if (isReadOnly(spec)) return "it is read-only";
  if (isDraining) return "it is drained";
  if (observation.trouble !== null) return observation.trouble;
  return isForeign(spec) && observation.seenAtMs === null ? "it has not been seen yet" : null;
}

/** An offer or a reservation, over or not. */
export async function findReservation(
  round: Round,
  logbook: Logbook,
  id: string,
): Promise<ReservationRecord | undefined> {
  const living = round.projection.reserved.records.get(id);
  if (living !== undefined) return living;
  const row = await logbook.record("reservations", id);
  return row === undefined ? undefined : reservationOf(row);
}

/** Price of extending a reservation. */
async function quoteExtension(round: Round, id: string, moreMs: number): Promise<LivePrice | undefined> {
  const { projection } = round;
  const record = projection.reserved.records.get(id);
  const site = projection.sites.get(record?.site ?? "");
  if (record === undefined || site === undefined) return undefined;
  return extensionPrice(projection, site, { record, moreMs }, round.nowMs());
}

/** One page of offers and reservations, newest first. */
async function listReservations(logbook: Logbook, query: ReservationQuery): Promise<ReservationPage> {
  const conditions = conditionsOf(query);
  if (query.states !== undefined) conditions.where.state = { oneOf: query.states };
  const page = await logbook.rows("reservations", {
    ...conditions,
    orderBy: "ord",
    descending: true,
    limit: query.limit ?? 100,
    ...(query.after === undefined ? {} : { after: query.after }),
  });
  return { items: page.rows.map(({ record }) => reservationOf(record)), next: page.next };
}

/** A posting of any time. */
export async function findPosting(logbook: Logbook, id: string): Promise<PostingRecord | undefined> {
  const row = await logbook.record("postings", id);
  return row === undefined ? undefined : postingOf(row);
}

/** Accounts of a consumer, at one site or at all. */
async function accountOf(
  { round, logbook }: { readonly round: Round; readonly logbook: Logbook },
  consumer: string,
  only?: string,
): Promise<AccountView> {
  const sites = [...round.projection.sites.values()].filter(
    ({ name }) => only === undefined || name === only,
  );
  const levels = sites.flatMap(({ name, ledger }) =>
    levelsOf(consumer).map((level) => ({
      site: name,
      consumer: level,
      balanceProcMs: balanceOf(ledger, level) ?? null,
      isGranted: ledger.granted.has(level),
    })),
  );
  const where = { consumer: { within: consumer }, ...(only === undefined ? {} : { site: { is: only } }) };
  const newest = await logbook.rows("postings", { where, orderBy: "atMs", descending: true, limit: 100 });
  return {
    consumer,
    levels,
    sites: sites.map(({ name, ledger, sold }) => ({
      site: name,
      hasGrants: ledger.granted.size > 0,
      incomeProcMs: incomeOf(ledger),
      sold,
    })),
    postings: newest.rows.map(({ record }) => postingOf(record)),
  };
}

/** Longest time, in ms, without a pause for other requests. */
const LONGEST_STRETCH_MS = 10;

/**
 * Runs a computation with pauses for other requests wherever a step has taken long.
 *
 * @param answer finds out elsewhere what a step asks for; the next one begins with it
 */
export async function withPauses<Value, Asked = never, Told = never>(
  steps: Generator<Asked | undefined, Value, Told | undefined>,
  answer?: (asked: Asked) => Promise<Told | undefined>,
): Promise<Value> {
  let since = performance.now();
  let told: Told | undefined;
  for (;;) {
    const step: IteratorResult<Asked | undefined, Value> = steps.next(told);
    if (step.done === true) return step.value;
    told = step.value === undefined ? undefined : await answer?.(step.value);
    if (step.value !== undefined) since = performance.now();
    if (performance.now() - since < LONGEST_STRETCH_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}
