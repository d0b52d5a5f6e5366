/** Capability of `stint policy verify`. */
import type { EvidenceSource, SealedFindings } from "../formats/evidence/index.ts";
import type { EvidenceDifference } from "../policy/index.ts";

/** Inputs of a verification, from the command line. */
export interface VerifyRequest {
  readonly source: { readonly kind: EvidenceSource["kind"]; readonly path: string };
  /** Files of policies; empty: those of the log. */
  readonly policies: readonly string[];
  readonly owners?: string;
  /** Provider to verify; the only one by default. */
  readonly site?: string;
  readonly from?: string;
  readonly to?: string;
  /** Recorded period, `FROM/TO`. */
  readonly recorded?: string;
  /** Periods without a record, `FROM/TO` each. */
  readonly gaps: readonly string[];
  readonly zone?: string;
  readonly procs?: number;
  readonly gpus?: number;
  readonly memoryBytes?: number;
  readonly tolerancePpm?: number;
  readonly lenient: boolean;
}

/** A bundle to check. */
export interface RecheckRequest {
  readonly file: string;
  /** Policies to compare with those of the bundle; empty: none. */
  readonly policies: readonly string[];
  /** Seal as noted elsewhere, or its first characters. */
  readonly seal?: string;
}

/** Result of a verification; depends on nothing but the evidence. */
export interface Verified extends SealedFindings {
  readonly html: () => Promise<string>;
  /** Text of the bundle. */
  readonly bundle: () => string;
}

/** Verifies, checks bundles, and compares two. */
export interface VerifyTools {
  /** @throws Fault, or AggregateError of Faults, where files are not in order */
  readonly verify: (request: VerifyRequest) => Promise<Verified>;
  /** @throws Fault where the bundle is incomplete or altered */
  readonly recheck: (request: RecheckRequest) => Promise<Verified>;
  readonly compare: (one: string, other: string) => Promise<readonly EvidenceDifference[]>;
}
