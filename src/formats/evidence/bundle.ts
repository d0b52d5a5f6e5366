/**
 * A bundle: the whole input of a verification in one file, which anyone can check offline.
 *
 * Canonical JSON has one spelling, so that equal evidence gives equal bytes. Each part has its SHA-256;
 * records are chained like events of the log, so that an altered, omitted or inserted one is found and named;
 * the seal covers all of that. A bundle from a log also has its events, with the log's own hashes. A bundle
 * cannot show that nobody has recomputed all of it: for that the seal, or a head of the log, is compared with
 * one noted elsewhere.
 */
import { createHash } from "node:crypto";
import type {
  CapacityStep,
  ExcludedStretch,
  PolicyTerm,
  RecordedStretch,
  Stretch,
  UseRecord,
  VerifyDefinitions,
} from "../../policy/index.ts";
import type { JsonObject, LoggedEvent, Receipt } from "../../runtime/index.ts";

/** Where evidence came from. */
export interface EvidenceSource {
  readonly kind: "swf" | "sacct" | "logbook";
  /** The name of the file or directory, without its folder. */
  readonly name: string;
  /** Of what was read; null for a log, which has its own hashes. */
  readonly sha256: string | null;
  readonly policies: "file" | "logbook";
  /** Sentences on assumptions and on omitted jobs. */
  readonly remarks: readonly string[];
}

/** The events of a log, from the first on. */
export interface LogPart {
  /** The head after the last of them. */
  readonly through: Receipt;
  readonly events: readonly LoggedEvent[];
}

/** Evidence of one verification, without hashes. */
export interface Bundle {
  readonly place: string;
  readonly period: Stretch;
  readonly definitions: VerifyDefinitions;
  readonly source: EvidenceSource;
  readonly policies: readonly PolicyTerm[];
  readonly capacity: readonly CapacityStep[];
  readonly recorded: readonly RecordedStretch[];
  readonly stopped: readonly ExcludedStretch[];
  readonly records: readonly UseRecord[];
  /** Null where the source is no log. */
  readonly log: LogPart | null;
}

/** The parts that have a hash of their own. */
export const BUNDLE_PARTS = [
  ...(["place", "period", "definitions", "source"] as const),
  ...(["policies", "capacity", "recorded", "stopped"] as const),
] as const;

/** A part by its name. */
export type BundlePart = (typeof BUNDLE_PARTS)[number];

/** The hashes of a bundle; 64 hexadecimal digits each. */
export interface BundleHashes {
  readonly parts: Readonly<Record<BundlePart, string>>;
  /** Of each record, over the one before it too. */
  readonly records: readonly string[];
  /** Over everything. */
  readonly seal: string;
}

/** The canonical text of a value. */
export type Canonical = (value: JsonObject) => string;

/** Predecessor of the first record in the chain. */
export const NO_HASH = "0".repeat(64);

/** Value of `format` in a bundle file. */
export const BUNDLE_FORMAT = "stint-evidence";
/** The version that is written. */
export const BUNDLE_VERSION = 1;

/** The hashes that a bundle should have. */
export function hashesOf(bundle: Bundle, canonical: Canonical): BundleHashes {
  const parts = Object.fromEntries(
    BUNDLE_PARTS.map((part) => [part, partHash(bundle, part, canonical)]),
  ) as Record<BundlePart, string>;
  const records: string[] = [];
  for (const record of bundle.records) {
    records.push(recordHash(record, records.at(-1) ?? NO_HASH, canonical));
  }
  return { parts, records, seal: sealOf({ parts, records }, bundle.log, canonical) };
}

/** The hash of one part. */
export function partHash(bundle: Bundle, part: BundlePart, canonical: Canonical): string {
  return sha256(canonical(asJson({ [part]: bundle[part] })));
}

/** The hash of a record behind another. */
export function recordHash(record: UseRecord, previousHash: string, canonical: Canonical): string {
  return sha256(canonical(asJson({ previousHash, record })));
}

/** The hash over everything. */
export function sealOf(
  { parts, records }: Pick<BundleHashes, "parts" | "records">,
  log: LogPart | null,
  canonical: Canonical,
): string {
  const last = records.at(-1) ?? NO_HASH;
  const whole = { format: BUNDLE_FORMAT, version: BUNDLE_VERSION, parts, count: records.length, last };
  return sha256(canonical(asJson({ ...whole, head: log?.through ?? null })));
}

/** The text of a bundle file: one line. */
export function bundleText(bundle: Bundle, canonical: Canonical): string {
  const hashes = hashesOf(bundle, canonical);
  const whole = { ...bundle, format: BUNDLE_FORMAT, version: BUNDLE_VERSION, hashes };
  return `${canonical(asJson(whole))}\n`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Plain data is JSON, whatever its type is called. */
function asJson(value: unknown): JsonObject {
  return value as JsonObject;
}
