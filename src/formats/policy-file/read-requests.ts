/**
 * Reads the requests that `stint policy admit` judges: JSON, shares as fractions, times in seconds.
 *
 * Numbers are taken for the shortest decimals that mean them, so that 0.1 is a tenth and sums are exact.
 */
import { isConsumerPath, SHARED_RESOURCES, type SharedResource } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import type { Remark } from "../yaml/index.ts";

/** An exact decimal: `digits` · 10^−`decimals`. */
export interface ExactDecimal {
  readonly digits: bigint;
  readonly decimals: number;
}

/** One request; exact, and as it was written. */
export interface AdmissionRequest {
  /** A site or a pool; null where the file names none. */
  readonly provider: string | null;
  readonly consumer: string;
  readonly resource: SharedResource;
  /** Of the capacity; and when, in seconds; null: for ever. */
  readonly share: number;
  readonly startSec: number;
  readonly durationSec: number | null;
}

/** The requests, and what is wrong with them; they count when there are no problems. */
export interface RequestsReading {
  readonly requests: readonly AdmissionRequest[];
  readonly problems: readonly Remark[];
}

/** Durations from 30,000 years on count as unlimited. */
const FOR_EVER_SEC = 1e12;
const example = '[{ "consumer": "vo0", "share": 0.2, "startSec": 0, "durationSec": 3600 }]';

/** Reads a list of requests; never throws on its content. */
export function readRequests(text: string): RequestsReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? `the reader says: ${echoText(error.message)}` : "it cannot be read";
    return {
      requests: [],
      problems: [{ code: "badJson", what: "this is not JSON", why, remedy: remedyOf(example) }],
    };
  }
  if (!Array.isArray(value)) {
    const what = "requests are a list";
    const why = "each is judged in turn, and those admitted count for the next";
    return { requests: [], problems: [{ code: "wrongType", what, why, remedy: remedyOf(example) }] };
  }
  const problems: Remark[] = [];
  const requests = value.map((item: unknown, index) => requestOf(item, `[${index}]`, problems));
  return { requests: requests.flatMap((request) => request ?? []), problems };
}

/** The exact decimal that a number is written as. */
export function exactDecimal(number: number): ExactDecimal {
  const [mantissa, exponent = "0"] = String(number).split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  const decimals = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return decimals < 0 ? { digits: digits * 10n ** BigInt(-decimals), decimals: 0 } : { digits, decimals };
}

function requestOf(item: unknown, name: string, problems: Remark[]): AdmissionRequest | undefined {
  const before = problems.length;
  if (typeof item !== "object" || item === null || Array.isArray(item)) {
    problems.push({
      code: "wrongType",
      what: `${name} is no request`,
      why: "a request is an object",
      remedy: remedyOf(example),
    });
    return undefined;
  }
  const said = new Map<string, unknown>(Object.entries(item));
  const tell = (word: string, why: string, remedy: string) => {
    const written = said.has(word) ? `cannot be ${echoText(JSON.stringify(said.get(word)))}` : "is missing";
    problems.push({ code: "badRequest", what: `${name}.${word} ${written}`, why, remedy });
  };
  const path = (word: string) => {
    const value = said.get(word) ?? null;
    if (value === null || (typeof value === "string" && isConsumerPath(value))) return value;
    tell(word, "it is a name, or names with / between them", `write for instance "${word}": "vo0"`);
    return null;
  };
  const [consumer, provider] = [path("consumer"), path("provider")];
  if (consumer === null && problems.length === before) {
    tell("consumer", "somebody has to be asking", 'write for instance "consumer": "vo0"');
  }
  const resource = SHARED_RESOURCES.find((one) => one === (said.get("resource") ?? "cpu"));
  if (resource === undefined)
    tell("resource", `it is one of ${SHARED_RESOURCES.join(", ")}`, "leave it out for cpu");
  const share = said.get("share");
  if (typeof share !== "number" || share <= 0 || share === Number.POSITIVE_INFINITY) {
    tell("share", "it is a fraction of the capacity above 0", 'write for instance "share": 0.2');
  }
  const startSec = said.get("startSec") ?? 0;
  if (typeof startSec !== "number" || Math.abs(startSec) > FOR_EVER_SEC) {
    tell("startSec", "it is a number of seconds", 'write for instance "startSec": 0');
  }
  const durationSec = said.get("durationSec") ?? FOR_EVER_SEC;
  if (typeof durationSec !== "number" || durationSec <= 0) {
    tell(
      "durationSec",
      "it is a number of seconds above 0, or null for ever",
      'write for instance "durationSec": 3600',
    );
  }
  if (problems.length > before || consumer === null || resource === undefined) return undefined;
  const long = Number(durationSec);
  return {
    ...{ provider, consumer, resource, share: Number(share), startSec: Number(startSec) },
    durationSec: long >= FOR_EVER_SEC ? null : long,
  };
}

function remedyOf(written: string): string {
  return `write for instance ${written}`;
}
