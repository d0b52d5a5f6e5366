/**
 * Messages between a simulation and an external program: a line of JSON each (rule SI-20).
 *
 * Whose idea: Batsim's protocol [BATSIM], where a simulator asks at each instant with all events and waits
 * for the answer. Simpler in three ways: lines on stdin and stdout instead of a socket, an answer is the jobs
 * that start and nothing else, and a request to be woken is valid until the next answer. Times are seconds,
 * as in SWF, with up to three decimals; inside they are whole milliseconds.
 */
import { accepted, MS_PER_SECOND, type Result, refused } from "../../base/index.ts";
import type { EstimateRule, OverrunRule } from "../../model/index.ts";

/** Raised when a program written for the old one would go wrong. */
const PROTOCOL_VERSION = 1;

/** Something that happened at the site; times in seconds. */
export type SiteEvent =
  | {
      readonly kind: "submitted";
      readonly id: number;
      readonly procs: number;
      readonly estimate: number;
      /** User of the job: its number in a trace, or its name in a workload in JSON lines. */
      readonly user: number | string;
      /** The job's own id; this and the fields below are sent only for a workload in JSON lines. */
      readonly name?: string;
      readonly memory?: number;
      readonly gpus?: number;
      readonly pools?: readonly number[];
    }
  | { readonly kind: "ended" | "cancelled"; readonly id: number }
  | ({ readonly id: number } & JobEvent)
  /** This many processors of a pool are down until the instant `until`. */
  | { readonly kind: "down"; readonly pool: number; readonly procs: number; readonly until: number }
  | {
      readonly kind: "reserved";
      readonly id: number;
      readonly procs: number;
      readonly start: number;
      readonly duration: number;
      readonly pool: number;
    }
  | { readonly kind: "reservationCancelled"; readonly id: number };

/** Change of a job at the site, other than its end. */
export type JobEvent =
  /** An enforcer suspended the job, which keeps what it has done and waits again. */
  | { readonly kind: "suspended" }
  | { readonly kind: "resumed"; readonly estimate: number }
  /** The job was running already when the record begins. */
  | { readonly kind: "started" }
  /** An outage stopped the job, which waits again and starts from its beginning. */
  | { readonly kind: "requeued" };

/** A pool as a program is told of it; a name and other resources where the workload has them. */
export interface PoolFacts {
  readonly name?: string;
  readonly procs: number;
  readonly memory?: number;
  readonly gpus?: number;
}

/** Facts about the site that a program receives before the first event. */
export interface SiteFacts {
  /** The version of Stint. */
  readonly version: string;
  readonly pools: readonly PoolFacts[];
  readonly estimates: EstimateRule;
  readonly overrun: OverrunRule;
}

/** Decision of a program at an instant. */
export interface Answer {
  readonly startIds: readonly number[];
  readonly wakeAtMs: number | undefined;
}

/** The first line. */
export function helloLine({ version, pools, estimates, overrun }: SiteFacts): string {
  return lineOf({
    kind: "hello",
    protocol: PROTOCOL_VERSION,
    stint: version,
    pools,
    estimates,
    overrun,
  });
}

/** The line of one instant. */
export function instantLine(nowMs: number, events: readonly SiteEvent[]): string {
  return lineOf({ kind: "instant", now: secondsOf(nowMs), events });
}

/** The last line. */
export function goodbyeLine(): string {
  return lineOf({ kind: "goodbye" });
}

/** Seconds as they are written, exact to the millisecond. */
export function secondsOf(ms: number): number {
  return ms / MS_PER_SECOND;
}

/** Reads the answer to the hello; refused with a sentence about what is wrong with it. */
export function readHelloAnswer(text: string): Result<undefined, string> {
  const object = objectIn(text);
  if (!object.ok) return object;
  const { protocol } = object.value;
  if (protocol === PROTOCOL_VERSION) return accepted(undefined);
  return refused(
    `the answer to the hello is {"protocol":${PROTOCOL_VERSION}}, and this says ` +
      `${protocol === undefined ? "no protocol" : JSON.stringify(protocol)}`,
  );
}

/** Reads the answer to an instant; refused with a sentence about what is wrong with it. */
export function readAnswer(text: string): Result<Answer, string> {
  const object = objectIn(text);
  if (!object.ok) return object;
  const { start = [], wakeAt, ...others } = object.value;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    return refused(`an answer has "start" and "wakeAt", and nothing is called ${JSON.stringify(other)}`);
  }
  if (!Array.isArray(start) || !start.every((id) => Number.isSafeInteger(id))) {
    return refused('"start" is a list of the ids of jobs, which are whole numbers');
  }
  if (wakeAt === undefined || wakeAt === null) return accepted({ startIds: start, wakeAtMs: undefined });
  const wakeAtMs = typeof wakeAt === "number" ? Math.round(wakeAt * MS_PER_SECOND) : Number.NaN;
  if (!Number.isSafeInteger(wakeAtMs)) return refused('"wakeAt" is an instant in seconds, or null');
  return accepted({ startIds: start, wakeAtMs });
}

function lineOf(message: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(message)}\n`;
}

function objectIn(text: string): Result<Readonly<Record<string, unknown>>, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused("it is no JSON");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return accepted(value as Readonly<Record<string, unknown>>);
  }
  return refused("it is JSON, but no object in braces");
}
