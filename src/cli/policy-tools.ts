/** Capability of the policy commands that need no broker. */
import type { HeldPlace, LongForm, OverProvisionRow } from "../formats/policy-file/index.ts";
import type { Remark } from "../formats/yaml/index.ts";
import type {
  AdmissionRefusal,
  Agreement,
  Policy,
  PolicyEffects,
  PolicyTrial,
  SharedResource,
} from "../model/index.ts";

/** A file with its problems and remarks. */
interface PolicyFileRemarks {
  readonly file: string;
  readonly problems: readonly Remark[];
  readonly warnings: readonly Remark[];
}

/** A policy in the long form, with its place. */
export interface PolicyRow {
  readonly file: string;
  readonly line: number;
  readonly label: string | null;
  readonly policy: LongForm;
}

/** Policies of several files as one set. */
export interface PolicySet {
  readonly files: readonly PolicyFileRemarks[];
  readonly policies: readonly PolicyRow[];
  readonly agreements: readonly Agreement[];
  readonly overProvisioned: readonly OverProvisionRow[];
}

/** A request with its verdict. */
export interface JudgedRequest {
  readonly provider: string;
  readonly consumer: string;
  readonly resource: SharedResource;
  readonly share: number;
  readonly startSec: number;
  readonly durationSec: number | null;
  /** Limit that the request exceeds; null where it is admitted. */
  readonly refusal: AdmissionRefusal | null;
}

/** Inputs of admission. */
export interface AdmissionQuestion {
  readonly requests: string;
  readonly policies: readonly string[];
  /** Instant of which the policies apply. */
  readonly atMs: number;
}

/** Files to apply. */
export interface HoldingQuestion {
  readonly files: readonly string[];
  /** Instant of which the policies apply; others are listed. */
  readonly atMs: number;
  /** Known sites with their capacities; memory in bytes. */
  readonly places: readonly HeldPlace[];
}

/** Policies of files at an instant, as they are stored and in words. */
export interface HoldingPolicies extends Pick<PolicySet, "files" | "overProvisioned"> {
  readonly policies: readonly { readonly policy: Policy; readonly form: LongForm }[];
}

/** Operations on files of policies. */
export interface PolicyTools {
  /** Problems with the files are part of the result. */
  readonly read: (files: readonly string[], nowMs: number) => Promise<PolicySet>;
  /** Reads the policies at an instant for known sites; problems are part of the result. */
  readonly holding: (question: HoldingQuestion) => Promise<HoldingPolicies>;
  /** @throws AggregateError of Faults where a file is wrong */
  readonly admit: (question: AdmissionQuestion) => Promise<readonly JudgedRequest[]>;
  /** Simulates the effect of policies on a record. @throws Faults where a file is wrong */
  readonly against: (trial: PolicyTrial) => Promise<PolicyEffects>;
}
