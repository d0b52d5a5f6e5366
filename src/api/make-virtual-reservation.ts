/**
 * Makes virtual reservations idempotently: the job's id is derived from the idempotency key, so that a
 * repeated request finds its job, even though the current plan differs.
 */

import type { Identity, JobDescription, VirtualReservationSlot } from "../model/index.ts";
import { isVirtualReservationWorthwhile } from "../plan/index.ts";
import type { BrokerApi, VirtualReservationQuestion, VirtualReservationQuote } from "../runtime/index.ts";
import { inTurn, keyReused } from "./in-turn.ts";
import { derivedId, randomJobId } from "./job-ids.ts";
import { ProblemError, refusalProblem } from "./problem.ts";
import { virtualReservationSiteView } from "./virtual-reservation-view.ts";

/** Request for a virtual reservation. */
export interface WantedVirtualReservation {
  readonly who: Identity;
  /** Job without a limit and a site. */
  readonly description: JobDescription;
  readonly question: VirtualReservationQuestion;
  /** Priced reservation beside the job. */
  readonly besides: string | undefined;
  readonly key: string | undefined;
}

/** Id of the job, and whether it is new. */
export interface MadeVirtualReservation {
  readonly id: string;
  readonly isNew: boolean;
}

/** Makes the function that makes virtual reservations; requests with one key are serialised. */
export function createVirtualReservation(
  brokerApi: BrokerApi,
): (wanted: WantedVirtualReservation) => Promise<MadeVirtualReservation> {
  return async (wanted) => {
    const { who, key } = wanted;
    if (key === undefined) return await make(brokerApi, wanted, randomJobId());
    return await inTurn(brokerApi, [who.owner, `virtual ${key}`], async () => {
      const id = derivedId("virtual", who.owner, key);
      const there = await brokerApi.job(id);
      if (there === undefined) return await make(brokerApi, wanted, id);
      if (!isSame(there.description, wanted)) throw keyReused(key, "virtual reservation");
      return { id, isNew: false };
    });
  };
}

/** The surest plan; of equal ones the one with the least idle time, then the first. */
export function chooseVirtualReservation(
  quotes: readonly VirtualReservationQuote[],
): VirtualReservationQuote | undefined {
  const possible = quotes.flatMap((quote) =>
    quote.plan !== null && quote.takesJobs ? [{ quote, plan: quote.plan }] : [],
  );
  const [first, ...others] = possible;
  if (first === undefined) return undefined;
  return others.reduce((best, it) => {
    const surer = it.plan.probability - best.plan.probability;
    const isBetter = surer > 0 || (surer === 0 && it.plan.mostIdleProcMs < best.plan.mostIdleProcMs);
    return isBetter ? it : best;
  }, first).quote;
}

/** True where an existing job is of the same request, by fields that do not depend on the time. */
function isSame(there: JobDescription, { description, question }: WantedVirtualReservation): boolean {
  const { executable, arguments: words, procs, virtual, wallTimeMs } = there;
  const isSameTime =
    virtual === undefined
      ? wallTimeMs === question.durationMs
      : virtual.startMs === question.startMs && virtual.durationMs === question.durationMs;
  const isSameProgram = executable === description.executable && procs === description.procs;
  return isSameTime && isSameProgram && words.join("\0") === description.arguments.join("\0");
}

async function make(
  brokerApi: BrokerApi,
  wanted: WantedVirtualReservation,
  id: string,
): Promise<MadeVirtualReservation> {
  const { consumer, owner } = wanted.who;
  const submit = (description: JobDescription) =>
    brokerApi.ask({ kind: "submit", job: id, description, consumer, owner });
  const description = await placed(brokerApi, wanted);
  const answer = await submit(description);
  if (answer.ok) return { id, isNew: true };
  const { refusal } = answer;
  // What keeps it from waiting for its time need not keep it from the slot that is paid for.
  const isInPriced = description.reservation !== undefined || wanted.besides === undefined;
  if (isInPriced || refusal.kind === "notInReservation") throw refusalProblem(refusal);
  const instead = await submit(inPriced(wanted));
  if (!instead.ok) throw refusalProblem(refusal);
  return { id, isNew: true };
}

/**
 * Plans at the best site; or in the priced reservation, where a virtual one saves nothing or is impossible.
 */
async function placed(brokerApi: BrokerApi, wanted: WantedVirtualReservation): Promise<JobDescription> {
  const { description, question, besides } = wanted;
  const priced = besides === undefined ? undefined : await brokerApi.reservation(besides);
  if (priced !== undefined && !isVirtualReservationWorthwhile(priced.fixedProcMs)) return inPriced(wanted);
  const quotes = await brokerApi.quoteVirtualReservation(question);
  const chosen = chooseVirtualReservation(quotes);
  if (chosen?.plan) return { ...description, ...planned(chosen.site, chosen.plan, wanted) };
  if (besides !== undefined) return inPriced(wanted);
  throw nothingToChoose(quotes);
}

/** Job in the priced reservation, without its ticket, which names a site of its own. */
function inPriced({ description, question, besides }: WantedVirtualReservation): JobDescription {
  const { ticket: _, site: __, ...free } = description;
  return {
    ...free,
    ...(besides === undefined ? {} : { reservation: besides }),
    wallTimeMs: question.durationMs,
  };
}

function planned(
  site: string,
  { submitMs, wallTimeMs, probability }: NonNullable<VirtualReservationQuote["plan"]>,
  { question, besides }: WantedVirtualReservation,
): Partial<JobDescription> {
  const { startMs, durationMs } = question;
  const stands = besides === undefined ? {} : { besides };
  const virtual: VirtualReservationSlot = { startMs, durationMs, submitMs, probability, ...stands };
  return { site, wallTimeMs, virtual };
}

function nothingToChoose(quotes: readonly VirtualReservationQuote[]): ProblemError {
  const [only] = quotes;
  if (quotes.length === 1 && only.hindrance !== null) {
    const { site, hindrance } = only;
    return refusalProblem({ kind: "mayNotReserveSlot", site, hindrance });
  }
  const reasons = quotes.map((quote) => `${quote.site}: ${whyNot(quote)}`);
  return new ProblemError({
    status: 409,
    code: "nothingToReserve",
    what: "no virtual reservation is possible",
    why: reasons.length === 0 ? "there is no site" : reasons.join("; "),
    remedy:
      "choose another time or site, or request less; `stint quote --virtual` shows the reason at each site",
    facts: { virtualReservationQuotes: quotes.map(virtualReservationSiteView) },
  });
}

function whyNot(quote: VirtualReservationQuote): string {
  const { refusal, hindrance, trouble, noRecord, takesJobs } = virtualReservationSiteView(quote);
  if (noRecord !== null) {
    return `too little is known of its starts: ${noRecord.settled} of ${noRecord.needed} jobs`;
  }
  const reason = refusal?.text ?? hindrance?.text ?? trouble;
  return reason ?? (takesJobs ? "it does not say" : "it takes no jobs now");
}
