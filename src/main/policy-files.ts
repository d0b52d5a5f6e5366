/** Policies in files: reading, checks, and trial admissions. */
import type { AdmissionQuestion, JudgedRequest, PolicySet } from "../cli/index.ts";
import {
  type AdmissionRequest,
  exactDecimal,
  excessNowAndLater,
  longForm,
  policiesAt,
  readPolicyFiles,
  readRequestsFile,
} from "../formats/policy-file/index.ts";
import { type Remark, remarkFault } from "../formats/yaml/index.ts";
import { isHandedOn } from "../model/index.ts";
import {
  type AdmissionRules,
  admits,
  type BookedByLevel,
  book,
  hasShare,
  shareTree,
} from "../policy/index.ts";

/** Policies of the files, with the errors in them. */
export async function readPolicySet(files: readonly string[], nowMs: number): Promise<PolicySet> {
  const { policies, agreements, remarks } = await readPolicyFiles(files);
  return {
    files: files.map((file, index) => ({ file, ...remarks[index] })),
    policies: policies.map((one) => ({
      ...{ file: files[one.source], line: one.line, label: one.label, policy: longForm(one.policy, one) },
    })),
    agreements,
    overProvisioned: excessNowAndLater(policies, nowMs),
  };
}

/**
 * Judges the requests of a file in order, by the policies of others.
 *
 * @throws AggregateError of Faults with all errors in the files
 */
export async function judgeRequests({
  requests: file,
  policies: files,
  atMs,
}: AdmissionQuestion): Promise<readonly JudgedRequest[]> {
  const [reading, { requests, problems }] = await Promise.all([
    readPolicyFiles(files),
    readRequestsFile(file),
  ]);
  const faults = [
    ...files.flatMap((name, index) =>
      reading.remarks[index].problems.map((remark) => remarkFault(name, remark)),
    ),
    ...problems.map((remark) => remarkFault(file, remark)),
  ];
  const holding = policiesAt(reading.policies, atMs).map(({ policy }) => policy);
  const places = placesOf(holding);
  const placed = requests.map((request, index) => {
    const place = placeOf(request, places);
    if (typeof place !== "string")
      faults.push(remarkFault(file, { ...place, what: `[${index}]: ${place.what}` }));
    return { request, place: String(place) };
  });
  if (faults.length > 0) throw new AggregateError(faults, "the files are not in order");
  const scale = scaleOf(requests);
  const courts = new Map<string, Court>();
  return placed.map(({ request, place }) => {
    const key = `${request.resource} ${place}`;
    const court = courts.get(key) ?? {
      rules: { tree: shareTree(holding, place), resource: request.resource, ...scale },
      booked: new Map(),
    };
    courts.set(key, court);
    return { ...request, provider: place, refusal: judge(court, request, scale) };
  });
}

/** Policies and admissions of one place and resource. */
interface Court {
  readonly rules: AdmissionRules;
  readonly booked: BookedByLevel;
}

/** Unit in which all amounts of the requests are whole numbers. */
interface Scale {
  readonly capacity: bigint;
  readonly ticksPerMs: bigint;
}

const MS_DECIMALS = 3;

function judge(court: Court, request: AdmissionRequest, { capacity, ticksPerMs }: Scale) {
  const ticks = (seconds: number) => scaled(seconds, ticksPerMs * 1000n);
  const start = ticks(request.startSec);
  const booking = {
    consumer: knownConsumer(court.rules, request.consumer),
    amount: scaled(request.share, capacity),
    start,
    end: request.durationSec === null ? null : start + ticks(request.durationSec),
  };
  const refusal = admits(court.rules, court.booked, booking);
  if (refusal === undefined) book(court.booked, booking);
  return refusal ?? null;
}

function scaleOf(requests: readonly AdmissionRequest[]): Scale {
  let [shareDecimals, timeDecimals] = [0, MS_DECIMALS];
  for (const { share, startSec, durationSec } of requests) {
    shareDecimals = Math.max(shareDecimals, exactDecimal(share).decimals);
    const times = [exactDecimal(startSec).decimals, exactDecimal(durationSec ?? 0).decimals];
    timeDecimals = Math.max(timeDecimals, ...times);
  }
  return {
    capacity: 10n ** BigInt(shareDecimals),
    ticksPerMs: 10n ** BigInt(timeDecimals - MS_DECIMALS),
  };
}

/** Decimal as a whole number of parts, `one` of which are 1. */
function scaled(number: number, one: bigint): bigint {
  const { digits, decimals } = exactDecimal(number);
  return (digits * one) / 10n ** BigInt(decimals);
}

/** Full path of a consumer; a last name alone is completed if it is unique. */
function knownConsumer({ tree, resource }: AdmissionRules, consumer: string): string {
  if (hasShare(tree, consumer)) return consumer;
  const paths = [...(tree.nodes.get(resource)?.keys() ?? [])];
  const ending = paths.filter((path) => path.endsWith(`/${consumer}`));
  return ending.length === 1 ? ending[0] : consumer;
}

/** Sites and pools among the providers. */
function placesOf(
  policies: readonly { readonly provider: string; readonly consumer: string }[],
): readonly string[] {
  const sites = policies.filter((policy) => !isHandedOn(policy));
  return [...new Set(sites.map(({ provider }) => provider))];
}

/** Place of a request, or the reason why it is ambiguous. */
function placeOf({ provider }: AdmissionRequest, places: readonly string[]): string | Remark {
  const known = `the policies that hold then name ${places.length === 0 ? "none" : places.join(", ")}`;
  if (provider !== null) {
    if (places.includes(provider)) return provider;
    const remedy = "name one of these, or leave it out where there is one";
    return { code: "unknownProvider", what: `there is no site ${provider}`, why: known, remedy };
  }
  if (places.length === 1) return places[0];
  const what = "it does not say at which site";
  return { code: "providerMissing", what, why: known, remedy: 'write for instance "provider": "site1"' };
}
