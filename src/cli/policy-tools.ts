/**
 * What the commands about policies need of the program around them; nothing of it needs a broker.
 */
import type { LongForm } from "../formats/policy-file/index.ts";
import type { Remark } from "../formats/yaml/index.ts";
import type {
  AdmissionRefusal,
  Agreement,
  Policy,
  PolicyEffects,
  PolicyTrial,
  SharedResource,
} from "../model/index.ts";

/** A file with what is wrong and what is odd about it. */
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

/** A provider that gives away more than it has; shares in parts per million of what it has. */
export interface OverProvisionRow {
  readonly resource: SharedResource;
  readonly provider: string;
  readonly sumPpm: number;
  /** From when in Unix ms; null where it is so now. */
  readonly fromMs: number | null;
  readonly consumers: readonly {
    readonly consumer: string;
    readonly sharePpm: number;
    /** What it is entitled to while all have demand. */
    readonly entitledPpm: number;
  }[];
}

/** What files say together. */
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
  /** The limit that it would pass; null where it is admitted. */
  readonly refusal: AdmissionRefusal | null;
}

/** What is judged. */
export interface AdmissionQuestion {
  readonly requests: string;
  readonly policies: readonly string[];
  /** The policies that hold then count. */
  readonly atMs: number;
}

/** A site that policies may name; how much a site of another broker has is not known here. */
export interface HeldPlace {
  readonly name: string;
  readonly procs?: number;
  readonly memory?: number;
  /** All its stores, in bytes, and all its links, in bytes per second; absent where it declares none. */
  readonly storage?: number;
  readonly network?: number;
}

/** Which policies are to be applied. */
export interface HoldingQuestion {
  readonly files: readonly string[];
  /** Those that hold then; of the others it is told. */
  readonly atMs: number;
  /** The sites that there are, with what they have; memory in bytes. */
  readonly places: readonly HeldPlace[];
}

/** The policies of files that hold at an instant, as they are stored and in words. */
export interface HoldingPolicies extends Pick<PolicySet, "files" | "overProvisioned"> {
  readonly policies: readonly { readonly policy: Policy; readonly form: LongForm }[];
}

/** Everything that is done with files of policies. */
export interface PolicyTools {
  /** What is wrong with the files is part of the answer. */
  readonly read: (files: readonly string[], nowMs: number) => Promise<PolicySet>;
  /** The same, of what holds at an instant at sites that there are. */
  readonly holding: (question: HoldingQuestion) => Promise<HoldingPolicies>;
  /** @throws AggregateError of Faults where a file is wrong */
  readonly admit: (question: AdmissionQuestion) => Promise<readonly JudgedRequest[]>;
  /** Whom policies would have affected. @throws Faults where a file is wrong */
  readonly against: (trial: PolicyTrial) => Promise<PolicyEffects>;
}
