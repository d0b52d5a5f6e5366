/** `/policies/trial`, `/sites/:name/verification`: effects of policies, and whether they were kept. */

import { policyTrialRequestSchema, siteParameters, verificationQuery } from "../../contract/index.ts";
import { mayDo } from "../../engine/index.ts";
import { enforcementRulesOf, inMilliseconds, inSeconds, isOnJobs, type Policy } from "../../model/index.ts";
import { checkPolicies } from "../check-policies.ts";
import { whoOf } from "../identity.ts";
import { instantGiven } from "../instant-given.ts";
import { isoInstant } from "../iso-instant.ts";
import { createLongQuestions } from "../long-questions.ts";
import { invalid } from "../validator.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";
import { siteNamed } from "./sites.ts";

const DEFAULT_PERIOD_MS = 30 * 24 * 3_600_000;
/** Studies of one caller at once: they are answered one after the other. */
const MOST_AT_ONCE = 2;

/** Registers the routes that are answered from the log. */
export function addPolicyStudies(api: Api, world: RouteWorld): void {
  const longQuestions = createLongQuestions(MOST_AT_ONCE);
  addTrial(api, world, longQuestions);
  addVerification(api, world, longQuestions);
}

type LongQuestions = ReturnType<typeof createLongQuestions>;

function addTrial(api: Api, { brokerApi, guard, nowMs, studies }: RouteWorld, { answered }: LongQuestions) {
  api.post(
    urlOf("tryPolicies"),
    {
      config: forThoseWhoMay("seeUsage"),
      schema: {
        summary: "Simulate policies on the past jobs of a site: who would have waited longer, and who less",
        description:
          "For callers who may see the use of all consumers there. Simulates the jobs of the log under " +
          "today's policies and under the given ones. May take minutes.",
        tags: ["policies"],
        body: policyTrialRequestSchema,
        response: answers("PolicyTrial", 200),
      },
    },
    async (request) => {
      const { site: name, since, until, estimates = "requested", ...given } = request.body;
      const { name: site, spec } = siteNamed(brokerApi, name);
      const { owner, consumer: caller } = guard.demand(request, "seeUsage", { site });
      const toMs = until === undefined ? nowMs() : instantGiven(until, { pointer: "/until" });
      const fromMs =
        since === undefined ? toMs - DEFAULT_PERIOD_MS : instantGiven(since, { pointer: "/since" });
      if (fromMs >= toMs) throw invalid([{ pointer: "/since", detail: "the start must be before the end" }]);
      const after = policiesToTry(brokerApi, { given, caller, nowMs: nowMs() });
      const rules = enforcementRulesOf(spec);
      const isEnforced = rules.granted.some(isOnJobs);
      const now = brokerApi.query("policies").now?.policies ?? [];
      const discipline = given.discipline ?? spec.discipline;
      const { effects, notes } = await answered(owner, () =>
        studies.tryOnLog({
          ...{ site, after, present: isEnforced ? now : [], form: rules.form },
          ...{ fromMs, toMs, discipline, estimates },
        }),
      );
      const { jobs, procs, baseline, consumers } = inSeconds(effects);
      return {
        ...{ site, since: isoInstant(fromMs), until: isoInstant(toMs), jobs, procs, discipline, estimates },
        ...{ baseline, consumers },
        notes: isEnforced ? notes : [...notes, onlyWatches(site)],
      };
    },
  );
}

function onlyWatches(site: string): string {
  return `the enforcer of ${site} only watches: today was played without policies, the change as enforced`;
}

interface Trying {
  readonly given: {
    readonly text?: string;
    readonly policies?: Parameters<typeof checkPolicies>[1]["request"]["policies"];
  };
  readonly caller: string;
  readonly nowMs: number;
}

/** The policies of the request. @throws ProblemError `invalidRequest` with each that is wrong */
function policiesToTry(
  brokerApi: RouteWorld["brokerApi"],
  { given, caller, nowMs }: Trying,
): readonly Policy[] {
  const { text, policies } = given;
  const request = { ...(text !== undefined && { text }), ...(policies !== undefined && { policies }) };
  const { ok, findings, policies: read } = checkPolicies(brokerApi, { request, caller, nowMs });
  if (ok) return inMilliseconds(read);
  const errors = findings.filter(({ severity }) => severity === "error");
  throw invalid(
    errors.map(({ pointer = "/text", line, what, why }) => ({
      pointer,
      detail: `${line === undefined ? "" : `line ${line}: `}${what}: ${why}`,
    })),
  );
}

function addVerification(api: Api, { brokerApi, studies }: RouteWorld, { answered }: LongQuestions): void {
  api.get(
    urlOf("verifyPolicies"),
    {
      config: forThoseWhoMay("seePolicy"),
      schema: {
        summary: "Verify from the log that the policies of a site were kept",
        description: "The response contains the consumers whose use the caller may see. May take minutes.",
        tags: ["policies"],
        params: siteParameters,
        querystring: verificationQuery,
        response: answers("Verification", 200),
      },
    },
    async (request) => {
      const who = whoOf(request);
      const { name: site } = siteNamed(brokerApi, request.params.name);
      const { since, until, tolerancePpm } = request.query;
      const verified = await answered(who.owner, () =>
        studies.verifyLog({
          site,
          ...(since !== undefined && { fromMs: instantGiven(since, { parameter: "since" }) }),
          ...(until !== undefined && { toMs: instantGiven(until, { parameter: "until" }) }),
          ...(tolerancePpm !== undefined && { tolerancePpm }),
        }),
      );
      const consumers = verified.consumers.filter(({ consumer }) =>
        mayDo(who, "seeUsage", { consumer, site }),
      );
      return { ...verified, consumers };
    },
  );
}
