/**
 * What people ask of the broker, and every "no" that it can answer, as data.
 */
import type { DeniedRequest, StintEvent } from "./event.ts";
import type { JobState } from "./job.ts";
import type { JobDescription } from "./job-description.ts";
import type { SiteSpec } from "./site-spec.ts";
import type { Role } from "./token.ts";

/** A wish. Ids are chosen by whoever brings it, so that asking twice can be told from two wishes. */
export type Command =
  | { readonly kind: "addSite"; readonly site: string; readonly spec: SiteSpec }
  | { readonly kind: "changeSite"; readonly site: string; readonly spec: SiteSpec }
  | { readonly kind: "drainSite"; readonly site: string; readonly by: string }
  | { readonly kind: "reopenSite"; readonly site: string; readonly by: string }
  | { readonly kind: "removeSite"; readonly site: string; readonly by: string }
  | {
      readonly kind: "submit";
      readonly job: string;
      readonly description: JobDescription;
      readonly consumer: string;
      readonly owner: string;
    }
  | { readonly kind: JobVerb; readonly job: string }
  | ({ readonly kind: "createToken" } & NewToken)
  | { readonly kind: "revokeToken"; readonly token: string; readonly by: string }
  /** Records that somebody was denied something. */
  | ({ readonly kind: "noteDenial" } & DeniedRequest);

/** A token as it is wished for: its id and its hash are chosen by whoever made the secret. */
export type NewToken = Omit<Extract<StintEvent, { kind: "tokenCreated" }>, "kind" | "atMs">;

/** What can be asked of a job that is there. */
export type JobVerb = "cancel" | "hold" | "release" | "suspend" | "resume";

/** Why not, with the facts. */
export type Refusal =
  | { readonly kind: "unknownJob"; readonly job: string }
  | { readonly kind: "idInUse"; readonly id: string }
  | { readonly kind: "unknownSite"; readonly site: string; readonly known: readonly string[] }
  | { readonly kind: "noSite" }
  | { readonly kind: "siteNameInvalid"; readonly site: string }
  /** A site of another type, or one too small for jobs that it has: it cannot become that. */
  | {
      readonly kind: "siteTypeFixed";
      readonly site: string;
      readonly present: string;
      readonly asked: string;
    }
  | { readonly kind: "siteInUse"; readonly site: string; readonly job: string }
  /** Jobs that are not over are there or wait for it by name; the first of them, and how many in all. */
  | {
      readonly kind: "siteHasJobs";
      readonly site: string;
      readonly jobs: readonly string[];
      readonly count: number;
      readonly isDraining: boolean;
    }
  /** More than any site it may use has in all. */
  | {
      readonly kind: "widerThanAnySite";
      readonly procs: number;
      readonly memoryBytes: number;
      readonly sites: readonly {
        readonly site: string;
        readonly procs: number;
        readonly memoryBytes: number;
      }[];
    }
  | { readonly kind: "gpusNotOffered"; readonly gpus: number }
  /** The verb does not apply to a job in this state. */
  | {
      readonly kind: "wrongState";
      readonly job: string;
      readonly verb: JobVerb;
      readonly state: JobState;
      readonly allowedIn: readonly JobState[];
    }
  | { readonly kind: "unknownToken"; readonly token: string }
  | { readonly kind: "tokenRevoked"; readonly token: string }
  | { readonly kind: "expiryPast"; readonly expiresAtMs: number; readonly nowMs: number }
  | { readonly kind: "consumerInvalid"; readonly consumer: string }
  /** A site admin has a site, and nobody else has. */
  | { readonly kind: "siteUnfit"; readonly role: Role; readonly site: string | null };
