/**
 * `/quotes/virtual` and `/reservations/virtual`: a job that is submitted early enough to run from a wanted
 * instant on, without a reservation.
 */

import { MS_PER_SECOND } from "../../base/index.ts";
import {
  idempotencyHeaders,
  type VirtualReservationQuoteRequest,
  type VirtualReservationQuoteView,
  type VirtualReservationRequest,
  virtualReservationQuoteRequestSchema,
  virtualReservationRequestSchema,
} from "../../contract/index.ts";
import type { BrokerApi, VirtualReservationQuestion } from "../../runtime/index.ts";
import { findReservation } from "../find-reservation.ts";
import { whoOf } from "../identity.ts";
import { instantGiven } from "../instant-given.ts";
import { jobView } from "../job-view.ts";
import { chooseVirtualReservation, createVirtualReservation } from "../make-virtual-reservation.ts";
import { PREFIX } from "../operations.ts";
import { demandOutputs } from "../output-rights.ts";
import { refusalProblem } from "../problem.ts";
import { completeDescription, doubledInputs } from "../submit-jobs.ts";
import { ticketGiven } from "../ticket-given.ts";
import { invalid } from "../validator.ts";
import { virtualReservationSiteView } from "../virtual-reservation-view.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";
import { demandSites } from "./quotes.ts";

/** Registers the routes of virtual reservations. */
export function addVirtualReservation(api: Api, world: RouteWorld): void {
  addQuote(api, world);
  addMaking(api, world);
}

function addQuote(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    urlOf("quoteVirtual"),
    {
      config: forThoseWhoMay("assess"),
      schema: {
        summary: "Plan when to submit a job that is to run from an instant on, by site",
        description:
          "One item per site: when to submit the job, its time limit, the probability that it starts " +
          "in time and how often such predictions came true, and how much it can spend idle at most; " +
          "or why the site has no plan. Nothing is recorded.",
        tags: ["reservations"],
        body: virtualReservationQuoteRequestSchema,
        response: answers("VirtualQuote", 200),
      },
    },
    async (request): Promise<VirtualReservationQuoteView> => {
      const { consumer, owner } = whoOf(request);
      guard.demand(request, "assess", { consumer, owner });
      const quotes = await brokerApi.quoteVirtualReservation(questionOf(brokerApi, request.body, owner));
      const chosen = chooseVirtualReservation(quotes);
      return {
        items: quotes.map(virtualReservationSiteView),
        chosen: chosen === undefined ? null : { site: chosen.site },
      };
    },
  );
}

function addMaking(api: Api, { brokerApi, guard }: RouteWorld): void {
  const make = createVirtualReservation(brokerApi);
  api.post(
    urlOf("reserveVirtual"),
    {
      config: forThoseWhoMay("submit"),
      schema: {
        summary: "Submit a job early enough that it probably runs from a given time on",
        description:
          "The job idles until then, and begins its program. If it has not started by then, it is not " +
          "run. With `besides` there is a priced reservation too, and the more expensive of the two is " +
          "cancelled. The response is the job: 201, or 200 for a repeated request with the same " +
          "Idempotency-Key.",
        tags: ["reservations"],
        headers: idempotencyHeaders,
        body: virtualReservationRequestSchema,
        response: answers("Job", 200, 201),
      },
    },
    async (request, reply) => {
      const { consumer, owner } = whoOf(request);
      const who = guard.demand(request, "submit", { consumer, owner });
      const { durationSec, startAt, sites, enough, besides, ...submission } = request.body;
      const doubled = doubledInputs([submission], false);
      if (doubled.length > 0) throw invalid(doubled);
      demandOutputs({ guard, request }, [submission]);
      const description = completeDescription(submission);
      const { procs, memoryBytes = 0, gpus = 0 } = description;
      const size = { procs, memoryBytes, gpus };
      const priced =
        besides === undefined
          ? undefined
          : await findReservation({ brokerApi, guard, request }, besides, "actOnReservation");
      const { id, isNew } = await make({
        ...{ who, description, besides: priced?.id, key: request.headers["idempotency-key"] },
        question: questionOf(
          brokerApi,
          { ...request.body, ...size, ...siteOf(brokerApi, request.body) },
          owner,
        ),
      });
      const job = await brokerApi.job(id);
      if (job === undefined) throw refusalProblem({ kind: "unknownJob", job: id });
      reply.code(isNew ? 201 : 200).header("location", `${PREFIX}/jobs/${id}`);
      return jobView(job);
    },
  );
}

/** Site of the ticket. @throws ProblemError `ticketRefused` for an unsigned ticket */
function siteOf(
  brokerApi: BrokerApi,
  request: Pick<VirtualReservationRequest, "sites" | "ticket">,
): Pick<VirtualReservationRequest, "sites"> {
  const { ticket } = ticketGiven(brokerApi, request);
  return ticket === undefined || request.sites !== undefined ? {} : { sites: [ticket.ticket.site] };
}

type Asked = Pick<VirtualReservationRequest, "durationSec" | "startAt" | "sites" | "enough" | "besides"> &
  Pick<VirtualReservationQuoteRequest, "procs" | "memoryBytes" | "gpus">;

/**
 * Question of a request, with its start rounded up to a whole second, which sites' clocks take. Beside a
 * reservation the end stays where the start moves: the reservation does not last longer.
 */
function questionOf(brokerApi: BrokerApi, request: Asked, owner: string): VirtualReservationQuestion {
  const { procs, memoryBytes = 0, gpus = 0, durationSec, startAt, sites, enough = null, besides } = request;
  demandSites(brokerApi, sites ?? []);
  const askedMs = instantGiven(startAt, { pointer: "/startAt" });
  const startMs = MS_PER_SECOND * Math.ceil(askedMs / MS_PER_SECOND);
  const laterMs = besides === undefined ? 0 : startMs - askedMs;
  const durationMs = Math.max(1, Math.round(MS_PER_SECOND * durationSec) - laterMs);
  return {
    procs,
    memoryBytes,
    ...(gpus === 0 ? {} : { gpus }),
    startMs,
    durationMs,
    owner,
    enough,
    ...(sites === undefined ? {} : { sites }),
  };
}
