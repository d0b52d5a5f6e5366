/** `/accounts` and `/grants`: balances and payments of consumers, and grants. */
import {
  accountQuery,
  type GrantView,
  grantRequestSchema,
  idempotencyHeaders,
} from "../../contract/index.ts";
import { mayDo } from "../../engine/index.ts";
import type { Command } from "../../model/index.ts";
import type { BrokerApi } from "../../runtime/index.ts";
import { whoOf } from "../identity.ts";
import { inTurn, keyReused } from "../in-turn.ts";
import { derivedId, randomJobId } from "../job-ids.ts";
import { refusalProblem } from "../problem.ts";
import { accountsView, procMsOf, suOf } from "../reservation-view.ts";
import { invalid } from "../validator.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";
import { demandSites } from "./quotes.ts";

/** Registers the routes of accounts. */
export function addAccounts(api: Api, world: RouteWorld): void {
  addLook(api, world);
  addGrant(api, world);
}

function addLook(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("getAccounts"),
    {
      config: forThoseWhoMay("seeAccount"),
      schema: {
        summary: "Show a consumer's balance at each site and level of its path, with the newest postings",
        tags: ["accounts"],
        querystring: accountQuery,
        response: answers("Accounts", 200),
      },
    },
    async (request) => {
      const who = whoOf(request);
      const { consumer = who.consumer } = request.query;
      // A site's administrator sees accounts there, and nowhere else.
      const site = request.query.site ?? who.site;
      guard.demand(request, "seeAccount", { consumer, ...(site === undefined ? {} : { site }) });
      if (site !== undefined) demandSites(brokerApi, [site]);
      const account = await brokerApi.account(consumer, site);
      // A site's income is no consumer's business.
      return accountsView(account, (name) => mayDo(who, "seeAccount", { site: name }));
    },
  );
}

type Grant = Extract<Command, { kind: "grant" }>;

function addGrant(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    urlOf("grant"),
    {
      config: forThoseWhoMay("grant"),
      schema: {
        summary: "Grant SU to a consumer at a site; a negative amount withdraws SU",
        description: "201 when it was created; 200 for a repeated request with the same Idempotency-Key.",
        tags: ["accounts"],
        headers: idempotencyHeaders,
        body: grantRequestSchema,
        response: answers("Grant", 200, 201),
      },
    },
    async (request, reply) => {
      const { site, consumer, su } = request.body;
      const { owner } = guard.demand(request, "grant", { site, consumer });
      demandSites(brokerApi, [site]);
      const procMs = procMsOf(su);
      if (procMs === 0) throw invalid([{ pointer: "/su", detail: "must not be zero" }]);
      const grant = { kind: "grant", site, consumer, procMs, by: owner } as const;
      const key = request.headers["idempotency-key"];
      const { id, isNew } = await granted(brokerApi, grant, key);
      reply.code(isNew ? 201 : 200);
      return await grantView(brokerApi, { ...grant, grant: id });
    },
  );
}

interface Granted {
  readonly id: string;
  readonly isNew: boolean;
}

async function granted(
  brokerApi: BrokerApi,
  request: Omit<Grant, "grant">,
  key: string | undefined,
): Promise<Granted> {
  const make = async (id: string): Promise<Granted> => {
    const answer = await brokerApi.ask({ ...request, grant: id });
    if (!answer.ok) throw refusalProblem(answer.refusal);
    return { id, isNew: true };
  };
  if (key === undefined) return await make(randomJobId());
  return await inTurn(brokerApi, [request.by, `grant ${key}`], async () => {
    const id = derivedId("grant", request.by, key);
    const there = await brokerApi.posting(id);
    if (there === undefined) return await make(id);
    const isSame =
      there.procMs === request.procMs && there.consumer === request.consumer && there.site === request.site;
    if (!isSame) throw keyReused(key, "grant");
    return { id, isNew: false };
  });
}

async function grantView(brokerApi: BrokerApi, { grant, site, consumer, procMs }: Grant): Promise<GrantView> {
  const { levels } = await brokerApi.account(consumer, site);
  const own = levels.find((level) => level.consumer === consumer && level.site === site);
  const balanceProcMs = own?.balanceProcMs ?? 0;
  return {
    ...{ id: grant, site, consumer, su: suOf(procMs), procMs },
    ...{ balanceSu: suOf(balanceProcMs), balanceProcMs },
  };
}
