/**
 * Usage policies, and what enforcers do to keep them.
 */
import { some } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";
import type { EnforcementAction, EnforcementReport, Policy } from "../policy.ts";
import { type PolicyDenial, policyDeniedText } from "../policy-denial.ts";
import type { RefusalText } from "../problem-text.ts";

interface PoliciesTypes {
  readonly command: /** All policies from then on; at once where `effectiveFromMs` is null or has passed. */
    | {
        readonly kind: "applyPolicies";
        readonly policies: readonly Policy[];
        readonly effectiveFromMs: number | null;
        /** Required current version; null: any. */
        readonly onVersion: number | null;
        readonly by: string;
        readonly note: string;
      }
    | {
        readonly kind: "pauseEnforcement" | "continueEnforcement";
        readonly site: string;
        readonly by: string;
      }
    /** Reverses what the enforcer did to a job, and keeps it from doing more. */
    | { readonly kind: "undoEnforcement"; readonly enforcedJob: string; readonly by: string };
  readonly event: PoliciesEvent;
  readonly refusal: PoliciesRefusal;
  readonly role: "sensor";
  readonly action: "reportHost";
}

type PoliciesEvent =
  /** These policies hold from an instant on, instead of all that held before. */
  | {
      readonly kind: "policiesApplied";
      /** 1, 2, 3 … */
      readonly version: number;
      readonly policies: readonly Policy[];
      readonly effectiveFromMs: number;
      readonly by: string;
      readonly note: string;
    }
  /** A decision: what a site's enforcer does to jobs, each with its cause. */
  | { readonly kind: "enforced"; readonly site: string; readonly actions: readonly EnforcementAction[] }
  /** What a foreign site's batch system was told, literally, and for which jobs it refused. */
  | ({ readonly kind: "enforcementAnswered" } & EnforcementReport)
  /** A decision: what it would do if it were allowed to; told once, as long as it stays so. */
  | {
      readonly kind: "enforcementAdvised";
      readonly site: string;
      readonly actions: readonly EnforcementAction[];
    }
  /** The enforcer lets go of all that it holds, and does nothing; it goes on. */
  | {
      readonly kind: "enforcementPaused" | "enforcementContinued";
      readonly site: string;
      readonly by: string;
    }
  /** An action of the enforcer on a job was reversed; the enforcer leaves this job alone. */
  | {
      readonly kind: "enforcementUndone";
      readonly site: string;
      readonly job: string;
      readonly by: string;
    };

type PoliciesRefusal =
  /** Other policies have been applied in between. */
  | { readonly kind: "policiesChanged"; readonly onVersion: number; readonly isVersion: number }
  /** A policy of a provider that is neither a site nor a consumer of another policy. */
  | {
      readonly kind: "unknownProvider";
      readonly provider: string;
      readonly consumer: string;
      readonly known: readonly string[];
    }
  /** Wherever the job may go, the policies that are enforced there would never let it. */
  | { readonly kind: "policyDenied"; readonly consumer: string; readonly denials: readonly PolicyDenial[] }
  /** The enforcer has done nothing to it; or, at this cluster, what it did is not undone job by job. */
  | {
      readonly kind: "notEnforced";
      readonly job: string;
      readonly isOver: boolean;
      readonly cluster?: string;
    }
  /** A job suspended by the enforcer: it resumes when its consumer may, or when the action is undone. */
  | { readonly kind: "stoppedByPolicy"; readonly job: string; readonly site: string | null };

export const policies: FeatureModel<PoliciesTypes> = {
  events: {
    policiesApplied: 1,
    enforced: 1,
    enforcementAnswered: 1,
    enforcementAdvised: 1,
    enforcementPaused: 1,
    enforcementContinued: 1,
    enforcementUndone: 1,
  },
  refusals: {
    policiesChanged: {
      status: 412,
      text: ({ onVersion, isVersion }) => ({
        what: "these policies are not applied",
        why: `they are based on version ${onVersion}, but version ${isVersion} is in effect`,
        remedy: "compare them with `stint policy show`, then apply them on the new version",
      }),
    },
    unknownProvider: {
      status: 422,
      text: ({ provider, consumer, known }) => ({
        what: `there is no provider ${provider} for ${consumer}`,
        why: `providers are ${some([...known])}`,
        remedy: "name a site of this broker, or a consumer to which another policy gives a share",
      }),
    },
    policyDenied: { status: 403, text: ({ consumer, denials }) => policyDeniedText(consumer, denials) },
    notEnforced: { status: 409, text: notEnforcedText },
    stoppedByPolicy: {
      status: 409,
      text: ({ job, site }) => ({
        what: `job ${job} cannot be resumed by hand`,
        why: `the enforcer of ${site ?? "its site"} suspended it to enforce the usage policies`,
        remedy: `the enforcer resumes it when the policies allow; see \`stint why ${job}\``,
      }),
    },
  },
  // A program on a host that many use: it may say what it saw there, and learns nothing.
  roles: { sensor: { isOfSite: true, may: {} } },
  actions: { reportHost: { may: { admin: "all", siteAdmin: "site", sensor: "site" } } },
};

function notEnforcedText({
  job,
  isOver,
  cluster,
}: Extract<PoliciesRefusal, { kind: "notEnforced" }>): RefusalText {
  if (cluster !== undefined) {
    return {
      what: `the actions of the enforcer of ${cluster} cannot be undone for job ${job} alone`,
      why: "at a cluster the enforcer decides again at every poll",
      remedy:
        `\`stint pause ${cluster}\` releases all jobs; an operator of ` +
        "the cluster can release a single one",
    };
  }
  return {
    what: `there is nothing to undo for job ${job}`,
    why: isOver ? "it has ended" : "no enforcer has acted on it",
    remedy: "see `stint policy actions` for the actions taken",
  };
}
