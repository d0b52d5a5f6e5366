/** `/audit` and `/sites/:name/identity`: under which accounts pilots ran jobs, and would run a job. */
import {
  type AuditView,
  auditQuery,
  type IdentityView,
  identityQuery,
  siteParameters,
} from "../../contract/index.ts";
import { type AuditRecord, auditRefusalText, auditText, identityRefusalText } from "../../model/index.ts";
import { findJob } from "../find-job.ts";
import { instantGiven } from "../instant-given.ts";
import { isoInstant } from "../iso-instant.ts";
import { refusalProblem } from "../problem.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Registers the routes. */
export function addAudit(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("listAudit"),
    {
      config: forThoseWhoMay("seeLog"),
      schema: {
        summary: "List the jobs that pilots ran, with node, time and account, and the jobs that were refused",
        ...{ tags: ["sites"], querystring: auditQuery, response: answers("AuditList", 200) },
      },
    },
    async (request) => {
      guard.demand(request, "seeLog", {});
      const { at, ...fixed } = request.query;
      const { site, job } = fixed;
      const question = {
        ...fixed,
        ...(at === undefined ? {} : { atMs: instantGiven(at, { pointer: "/at" }) }),
      };
      const found = brokerApi.query("audit", question);
      if (found.length > 0) return { items: found.map(viewOf) };
      const known = brokerApi.sites().map(({ name }) => name);
      if (site !== undefined && !known.includes(site)) {
        throw refusalProblem({ kind: "unknownSite", site, known });
      }
      if (job === undefined) return { items: [] };
      const { id } = await findJob({ brokerApi, guard, request }, job);
      return { items: brokerApi.query("audit", { ...question, job: id }).map(viewOf) };
    },
  );
  api.get(
    urlOf("getIdentity"),
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        summary: "Show the account under which pilots of a site would run a program of a consumer",
        ...{ tags: ["sites"], params: siteParameters, querystring: identityQuery },
        response: answers("Identity", 200),
      },
    },
    async ({ params: { name: site }, query: { as: consumer, executable, at } }): Promise<IdentityView> => {
      const atMs = at === undefined ? {} : { atMs: instantGiven(at, { pointer: "/at" }) };
      const decision = brokerApi.query("identity", { site, consumer, executable, ...atMs });
      if (decision === undefined) {
        const known = brokerApi.sites().map((it) => it.name);
        throw refusalProblem({ kind: "unknownSite", site, known });
      }
      const { mode } = decision;
      if (decision.kind === "refused") {
        return { mode, account: null, rule: null, refused: identityRefusalText(decision) };
      }
      const { account, rule, pool } = decision;
      return { mode, account, rule, ...(pool === undefined ? {} : { pool: [...pool] }), refused: null };
    },
  );
}

function viewOf(record: AuditRecord): AuditView {
  const { key: _, fromMs, toMs, refusal, end, ...same } = record;
  return {
    ...same,
    refused: refusal === null ? null : auditRefusalText(record),
    decision: auditText(record),
    from: isoInstant(fromMs),
    to: toMs === null ? null : isoInstant(toMs),
    cause: end?.cause ?? null,
    exitCode: end?.exitCode ?? null,
    cpuSec: typeof end?.cpuMs === "number" ? end.cpuMs / 1000 : null,
  };
}
