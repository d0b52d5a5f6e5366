/**
 * Making virtual reservations, safely repeatable: with an idempotency key the job's id is derived from it, so
 * that the same request finds what it made, though the plan of now is another one.
 */

import type { Identity, JobDescription, VirtualReservationSlot } from "../model/index.ts";
import { isVirtualReservationWorthwhile } from "../plan/index.ts";
import type { BrokerApi, VirtualReservationQuestion, VirtualReservationQuote } from "../runtime/index.ts";
import { inTurn, keyReused } from "./in-turn.ts";
import { derivedId, randomJobId } from "./job-ids.ts";
import { ProblemError, refusalProblem } from "./problem.ts";
import { virtualReservationSiteView } from "./virtual-reservation-view.ts";

/** What somebody wants. */
export interface WantedVirtualReservation {
  readonly who: Identity;
  /** The job, without a limit and a site. */
  readonly description: JobDescription;
  readonly question: VirtualReservationQuestion;
  /** The priced reservation that stands in. */
  readonly besides: string | undefined;
  readonly key: string | undefined;
}

/** The job's id; whether it was not there before. */
export interface MadeVirtualReservation {
  readonly id: string;
  readonly isNew: boolean;
}

/** Makes the function that makes them; requests with one key take turns. */
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

/** The surest; of equal ones the one that can idle least, then the first. */
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

/** Compared is what does not depend on when it was asked. */
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

/** Planned at the best site; or in the priced one, where a virtual one saves nothing or cannot be. */
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

/** Where it needs no ticket, which names a site of its own. */
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
    what: "no virtual reservation can be made",
    why: reasons.length === 0 ? "there is no site" : reasons.join("; "),
    remedy: "ask for another time or another site, or for less; `stint quote --virtual` tells of each site",
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
