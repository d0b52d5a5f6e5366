/**
 * Reads a bundle and checks it: that it is whole, and that nothing in it was altered.
 */
import { readFile } from "node:fs/promises";
import { Fault } from "../../base/index.ts";
import type { UseRecord } from "../../policy/index.ts";
import { readFault } from "../file-fault.ts";
import {
  BUNDLE_PARTS,
  type Bundle,
  type BundleHashes,
  type Canonical,
  NO_HASH,
  partHash,
  recordHash,
  sealOf,
} from "./bundle.ts";
import { shapeMisfit } from "./bundle-shape.ts";

/** A bundle as it lies in its file. */
export type SealedBundle = Bundle & { readonly hashes: BundleHashes };

/** So many alterations are named. */
const MOST_NAMED = 5;

/**
 * The bundle of a file, validated in shape; its hashes are not verified yet.
 *
 * @throws Fault `bundleTruncated`, `bundleMalformed`, and as every file that is read
 */
export async function readBundleFile(file: string): Promise<SealedBundle> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw readFault(error, file);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw isCutOff(text) ? truncated(file) : malformed(file, "it is no JSON");
  }
  const misfit = shapeMisfit(value);
  if (misfit !== undefined) throw malformed(file, misfitText(misfit));
  return value as SealedBundle;
}

function misfitText(field: string): string {
  return field === ""
    ? "it is not a JSON object"
    : `the field ${field} is missing, unknown or has a wrong value`;
}

/** Sentences that name the first alterations; none where the bundle equals what was sealed. */
export function alterationsOf(bundle: SealedBundle, canonical: Canonical): readonly string[] {
  const { hashes, records, log } = bundle;
  const parts = BUNDLE_PARTS.filter((part) => partHash(bundle, part, canonical) !== hashes.parts[part]);
  const found = parts.map((part) => `the ${PART_WORDS[part]}`);
  for (const [at, record] of records.entries()) {
    if (found.length >= MOST_NAMED) return found;
    const previous = at === 0 ? NO_HASH : (hashes.records[at - 1] ?? NO_HASH);
    if (recordHash(record, previous, canonical) !== hashes.records[at]) found.push(recordName(record, at));
  }
  if (hashes.records.length > records.length) {
    found.push(`${hashes.records.length - records.length} records that are missing at the end`);
  }
  if (sealOf(hashes, log, canonical) !== hashes.seal) found.push("the seal");
  return found;
}

/** The fault of a bundle in which something was altered. */
export function alteredFault(file: string, alterations: readonly string[]): Fault {
  const isOne = alterations.length === 1;
  return new Fault({
    kind: "failed",
    code: "bundleAltered",
    what: `${file} was altered: ${alterations.join("; ")}`,
    why: `${isOne ? "its hash is" : "their hashes are"} not what was sealed`,
    remedy: "request the bundle again from its author, and compare its seal with the recorded one",
  });
}

const PART_WORDS: Readonly<Record<(typeof BUNDLE_PARTS)[number], string>> = {
  place: "name of the place",
  period: "period",
  definitions: "definitions",
  source: "source",
  policies: "policies",
  capacity: "capacity",
  recorded: "stretches that are recorded",
  stopped: "stretches of downtime and drain",
};

function recordName({ id, consumer }: UseRecord, at: number): string {
  return `record ${at + 1} (job ${id} of ${consumer})`;
}

/** A file that was cut off has more brackets that open than close. */
function isCutOff(text: string): boolean {
  return text.startsWith("{") && !text.trimEnd().endsWith("}");
}

function truncated(file: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "bundleTruncated",
    what: `${file} is incomplete`,
    why: "it is truncated",
    remedy: "copy it again from where it came",
  });
}

function malformed(file: string, why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "bundleMalformed",
    what: `${file} is not an evidence bundle`,
    why,
    remedy: "make one with stint policy verify … --bundle OUT.json; other files need --policies and a source",
  });
}
