/**
 * Verifies policies from an accounting or a log, makes and checks bundles, and compares two.
 *
 * Every source is first turned into the content of a bundle, and the report follows from that alone, so
 * that a bundle gives the same bytes of report everywhere.
 */
import type { RecheckRequest, Verified, VerifyRequest, VerifyTools } from "../cli/index.ts";
import {
  alterationsOf,
  alteredFault,
  type Bundle,
  bundleText,
  hashesOf,
  readBundleFile,
  type SealedBundle,
} from "../formats/evidence/index.ts";
import {
  compareEvidence,
  type EvidenceDifference,
  findingsOf,
  type Verification,
  verify,
} from "../policy/index.ts";
import type { JsonObject, LoggedEvent } from "../runtime/index.ts";
import { canonicalJson, verifyChain } from "../store/index.ts";
import { otherPolicies, otherSeal, unsayable } from "./verify-faults.ts";
import { readServedLog, usesIn } from "./verify-logbook.ts";
import { gatherEvidence, termsIn } from "./verify-sources.ts";

/** Functions of the command. */
export const verifyTools: VerifyTools = {
  verify: async (request: VerifyRequest) => verifiedOf(settled(await gatherEvidence(request))),
  recheck,
  compare,
};

/** Verifies the log of a running broker. @throws Fault as its log is read */
export async function verifyServedLog(request: VerifyRequest): Promise<Verified> {
  return verifiedOf(settled(await gatherEvidence(request, readServedLog)));
}

async function recheck({ file, policies, seal }: RecheckRequest): Promise<Verified> {
  const bundle = await checkedBundle(file);
  if (seal !== undefined && !bundle.hashes.seal.startsWith(seal.toLowerCase())) {
    throw otherSeal(file, bundle.hashes.seal);
  }
  if (policies.length > 0) {
    const { terms } = await termsIn(policies);
    const [own, theirs] = [{ policies: terms }, { policies: bundle.policies }].map(textOf);
    if (own !== theirs) throw otherPolicies(file, terms, bundle.policies);
  }
  return verifiedOf(bundle);
}

async function compare(one: string, other: string): Promise<readonly EvidenceDifference[]> {
  const [first, second] = await Promise.all([checkedBundle(one), checkedBundle(other)]);
  return compareEvidence(sideOf(first), sideOf(second));
}

/** Reads a bundle. @throws Fault if it is incomplete or altered */
async function checkedBundle(file: string): Promise<SealedBundle> {
  const bundle = await readBundleFile(file);
  const altered = [...alterationsOf(bundle, canonical), ...(await alteredInLog(bundle))];
  if (altered.length > 0) throw alteredFault(file, altered);
  return bundle;
}

/** First event that does not match the log's hashes, and parts that do not match the events. */
async function alteredInLog({ log, ...bundle }: Bundle): Promise<readonly string[]> {
  if (log === null) return [];
  const verdict = await verifyChain(eventsOf(log.events), { through: log.through });
  if (verdict.kind === "missing") return [`event ${verdict.seq}, which is missing`];
  if (verdict.kind === "altered") {
    const event = log.events[verdict.seq - 1];
    return [`event ${verdict.seq}${event === undefined ? "" : ` (${event.kind})`}`];
  }
  const { terms, foreign: _, requestedMs: __, ...said } = usesIn(log, bundle.place);
  const kept = bundle.source.policies === "logbook" ? { ...said, policies: terms } : said;
  const names = Object.keys(kept) as (keyof typeof kept)[];
  const strange = names.filter((name) => textOf({ it: kept[name] }) !== textOf({ it: bundle[name] }));
  return strange.map((name) => `the ${name}, which the events say otherwise`);
}

async function* eventsOf(events: readonly LoggedEvent[]): AsyncGenerator<LoggedEvent> {
  yield* events;
}

/** The bundle with its members in the order of the file, as a reader gets it. */
function settled(bundle: Bundle): Bundle {
  return JSON.parse(bundleText(bundle, canonical)) as SealedBundle;
}

function verifiedOf(bundle: Bundle): Verified {
  const { seal } = hashesOf(bundle, canonical);
  const verification = verificationOf(bundle);
  const findings = findingsOf(verification);
  const head = bundle.log?.through ?? null;
  const { source } = bundle;
  return {
    ...{ findings, source, seal, head },
    html: async () => {
      const { verificationPage } = await import("./verify-page.ts");
      return verificationPage({ verification, findings, source, seal, head });
    },
    bundle: () => bundleText(bundle, canonical),
  };
}

function verificationOf(bundle: Bundle): Verification {
  const { place, period, definitions, policies: terms, capacity, recorded, stopped, records } = bundle;
  return verify({ place, capacity, terms, records, recorded, stopped }, { ...period, definitions });
}

function sideOf(bundle: Bundle) {
  const verification = verificationOf(bundle);
  const { evidence, question } = verification;
  return { evidence, question, findings: findingsOf(verification) };
}

function canonical(value: JsonObject): string {
  return canonicalJson(value, unsayable);
}

function textOf(value: object): string {
  return canonical(value as JsonObject);
}
