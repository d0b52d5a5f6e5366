/** Operations on usage policies and their enforcement, for the table of operations. */
import type {
  ActionFilter,
  CompiledPoliciesView,
  EnforcementActionList,
  FollowerRequest,
  PoliciesRequest,
  PoliciesView,
  PolicyCheckRequest,
  PolicyCheckView,
  PolicySetView,
  PolicyTrialRequest,
  PolicyTrialView,
  ShareStepsView,
  SiteEnforcerView,
  SiteUsageView,
  VerificationFilter,
  VerificationView,
} from "../contract/index.ts";
import { act, type Items, look, of, put, question, remove } from "./operation-shapes.ts";

const enforcer = of<SiteEnforcerView>();
const shares = of<ShareStepsView>();

export const POLICY_OPERATIONS = {
  getPolicies: { ...look, path: "/policies", answer: of<PoliciesView>() },
  applyPolicies: {
    method: "PUT",
    path: "/policies",
    body: of<PoliciesRequest>(),
    answer: of<PolicySetView>(),
  },
  checkPolicies: {
    ...question,
    path: "/policies/check",
    body: of<PolicyCheckRequest>(),
    answer: of<PolicyCheckView>(),
  },
  tryPolicies: {
    ...question,
    path: "/policies/trial",
    body: of<PolicyTrialRequest>(),
    answer: of<PolicyTrialView>(),
  },
  verifyPolicies: {
    ...look,
    path: "/sites/:name/verification",
    query: of<VerificationFilter>(),
    answer: of<VerificationView>(),
  },
  listPolicyVersions: { ...look, path: "/policies/versions", answer: of<Items<PolicySetView>>() },
  listEnforcementActions: {
    ...look,
    path: "/policies/actions",
    query: of<ActionFilter>(),
    answer: of<EnforcementActionList>(),
  },
  followPolicies: {
    ...put,
    path: "/policies/followers/:name",
    body: of<FollowerRequest>(),
    answer: of<PoliciesView>(),
  },
  unfollowPolicies: { ...remove, path: "/policies/followers/:name", answer: of<PoliciesView>() },
  getSiteUsage: { ...look, path: "/sites/:name/usage", answer: of<SiteUsageView>() },
  compilePolicies: { ...look, path: "/sites/:name/compiled-policies", answer: of<CompiledPoliciesView>() },
  applyCompiledPolicies: { ...act, path: "/sites/:name/compiled-policies/apply", answer: shares },
  takeBackCompiledPolicies: {
    ...act,
    path: "/sites/:name/compiled-policies/take-back",
    query: of<{ force?: boolean }>(),
    answer: shares,
  },
  pauseEnforcement: { ...question, path: "/sites/:name/enforcement/pause", answer: enforcer },
  continueEnforcement: { ...question, path: "/sites/:name/enforcement/continue", answer: enforcer },
} as const;
