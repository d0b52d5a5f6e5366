/**
 * The client's calls about usage policies and enforcers.
 */
import type { Connection } from "./connection.ts";
import { type Items, look, queryText, sitePath } from "./look.ts";
import type {
  CompiledPoliciesView,
  EnforcementActionList,
  PoliciesView,
  PolicyCalls,
  PolicySetView,
  ShareStepsView,
  SiteEnforcerView,
  SiteUsageView,
} from "./policy-types.ts";

/** These calls over a connection. */
export function policyCalls(connection: Connection): PolicyCalls {
  const pauseOrContinue = async (site: string, verb: string) => {
    const path = `${sitePath(site)}/enforcement/${verb}`;
    // Paused twice is as paused as once.
    return (await connection.json({ method: "POST", path, isRepeatable: true })) as SiteEnforcerView;
  };
  return {
    policies: () => look<PoliciesView>(connection, "/api/v1/policies"),
    policyVersions: async () =>
      (await look<Items<PolicySetView>>(connection, "/api/v1/policies/versions")).items,
    applyPolicies: async (request, { onVersion } = {}) =>
      (await connection.json({
        method: "PUT",
        path: "/api/v1/policies",
        body: request,
        headers: onVersion === undefined ? {} : { "if-match": `"${onVersion}"` },
        isRepeatable: false,
      })) as PolicySetView,
    enforcementActions: (of = {}) =>
      look<EnforcementActionList>(connection, `/api/v1/policies/actions${queryText({ ...of })}`),
    followPolicies: async (name, request) =>
      (await connection.json({
        ...{ method: "PUT", path: followerPath(name), body: request, isRepeatable: true },
      })) as PoliciesView,
    unfollowPolicies: async (name) => {
      await connection.json({ method: "DELETE", path: followerPath(name), isRepeatable: false });
    },
    siteUsage: (site) => look<SiteUsageView>(connection, `${sitePath(site)}/usage`),
    compiledPolicies: (site) => look<CompiledPoliciesView>(connection, `${sitePath(site)}/compiled-policies`),
    applyCompiledPolicies: async (site) =>
      (await connection.json({
        ...{ method: "POST", path: `${sitePath(site)}/compiled-policies/apply`, isRepeatable: false },
      })) as ShareStepsView,
    takeBackCompiledPolicies: async (site, isForced) =>
      (await connection.json({
        method: "POST",
        path: `${sitePath(site)}/compiled-policies/take-back${isForced ? "?force=true" : ""}`,
        isRepeatable: false,
      })) as ShareStepsView,
    pauseEnforcement: (site) => pauseOrContinue(site, "pause"),
    continueEnforcement: (site) => pauseOrContinue(site, "continue"),
    undoEnforcement: async (job) => {
      const path = `/api/v1/jobs/${encodeURIComponent(job)}/undo`;
      await connection.json({ method: "POST", path, isRepeatable: false });
    },
  };
}

function followerPath(name: string): string {
  return `/api/v1/policies/followers/${encodeURIComponent(name)}`;
}
