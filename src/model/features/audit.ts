/**
 * Audit of pilots: whose jobs ran where, when, under which account and by which rule, and which jobs were
 * refused ([WMS] slides 108 to 112).
 */
import type { FeatureModel } from "../feature.ts";
import { type IdentityRefusal, type IdentityRules, identityRefusalText } from "../identity.ts";
import type { AttemptEnd } from "../job.ts";

/** A job that a site allowed or refused. */
interface AuditedJob {
  readonly job: string;
  readonly attempt: number;
  readonly site: string;
  readonly owner: string;
  readonly consumer: string;
  readonly executable: string;
  readonly mode: IdentityRules["mode"];
}

/** A job that a pilot began. */
interface BegunPayload extends AuditedJob {
  readonly pilot: string;
  readonly node: string | null;
  /** Local account of the job; null: the account of the pilot. */
  readonly account: string | null;
  /** Number of the mapping rule, from 1; null: none was needed. */
  readonly rule: number | null;
  /** SHA-256 of the program; null where it could not be read. */
  readonly sha256: string | null;
  /** Start of the job; Unix ms. */
  readonly startedAtMs: number;
}

/** Why a job did not run: its site refused it, or its pilot could not start it under its local account. */
type AuditRefusal = IdentityRefusal | { readonly why: "notStarted"; readonly detail: string | null };

/** A decision of a site about a job: it ran, or it was refused. Unix ms. */
export interface AuditRecord extends AuditedJob {
  readonly key: string;
  readonly pilot: string | null;
  readonly node: string | null;
  readonly account: string | null;
  readonly rule: number | null;
  readonly sha256: string | null;
  /** Reason of the refusal; null if the job ran. */
  readonly refusal: AuditRefusal | null;
  readonly fromMs: number;
  /** End of the run, or instant of the refusal; null while the job runs. */
  readonly toMs: number | null;
  /** Result of the job; null while it runs, and if it was refused. */
  readonly end: Pick<AttemptEnd, "cause" | "exitCode" | "cpuMs"> | null;
}

interface AuditTypes {
  readonly command: {
    readonly kind: "auditPayload";
    readonly job: string;
    readonly attempt: number;
    readonly sha256: string | null;
    readonly startedAtMs: number;
  };
  readonly event:
    | ({ readonly kind: "payloadAudited" } & BegunPayload)
    | ({ readonly kind: "identityDenied"; readonly refusal: IdentityRefusal } & AuditedJob);
  readonly books: { readonly audit: AuditRecord };
}

export const audit: FeatureModel<AuditTypes> = {
  events: { payloadAudited: 1, identityDenied: 1 },
  refusals: {},
  books: { audit: ({ key }) => key },
};

/** Decision of a record, as a clause. */
export function auditText({ refusal, account, rule, mode }: AuditRecord): string {
  if (refusal !== null) return `refused: ${auditRefusalText({ refusal, account })}`;
  const as = account === null ? "the account of the pilot" : account;
  return rule === null ? `ran under ${as}, not checked` : `ran under ${as}, by rule ${rule} (${mode})`;
}

/** Reason of a refusal in a record, as a clause. */
export function auditRefusalText({ refusal, account }: Pick<AuditRecord, "refusal" | "account">): string {
  if (refusal === null) return "";
  if (refusal.why !== "notStarted") return identityRefusalText(refusal);
  return `it could not be started under ${account ?? "its account"}: ${refusal.detail ?? "no reason given"}`;
}
