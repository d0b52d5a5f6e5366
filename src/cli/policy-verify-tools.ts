/**
 * What `stint policy verify` needs of the program around it.
 */
import type { EvidenceSource } from "../formats/evidence/index.ts";
import type { EvidenceDifference, Findings } from "../policy/index.ts";

/** What is verified, as it was typed. */
export interface VerifyRequest {
  readonly source: { readonly kind: EvidenceSource["kind"]; readonly path: string };
  /** None: those that the log has. */
  readonly policies: readonly string[];
  readonly owners?: string;
  /** Which provider; the only one where it is not said. */
  readonly site?: string;
  readonly from?: string;
  readonly to?: string;
  /** `FROM/TO` of what is recorded. */
  readonly recorded?: string;
  /** `FROM/TO` each, of what is not recorded. */
  readonly gaps: readonly string[];
  readonly zone?: string;
  readonly procs?: number;
  readonly gpus?: number;
  readonly memoryBytes?: number;
  readonly tolerancePpm?: number;
  readonly lenient: boolean;
}

/** A bundle that somebody gave us. */
export interface RecheckRequest {
  readonly file: string;
  /** Beside the policies of the bundle, to see whether they are the same; none: those of the bundle. */
  readonly policies: readonly string[];
  /** The seal, or its beginning, as it was noted elsewhere. */
  readonly seal?: string;
}

/** What came of it. It depends on nothing but the evidence. */
export interface Verified {
  readonly findings: Findings;
  readonly source: EvidenceSource;
  /** The seal that a bundle of it has. */
  readonly seal: string;
  /** Of a log, the head after the last event that was looked at. */
  readonly head: { readonly seq: number; readonly hash: string } | null;
  readonly html: () => Promise<string>;
  /** The text of the bundle. */
  readonly bundle: () => string;
}

/** Verifies, checks bundles, and compares two. */
export interface VerifyTools {
  /** @throws Fault, or AggregateError of Faults, where files are not in order */
  readonly verify: (request: VerifyRequest) => Promise<Verified>;
  /** @throws Fault where the bundle is not whole, or was altered */
  readonly recheck: (request: RecheckRequest) => Promise<Verified>;
  readonly compare: (one: string, other: string) => Promise<readonly EvidenceDifference[]>;
}
