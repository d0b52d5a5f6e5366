/**
 * Rate limit per caller: a token bucket for each owner. Every request counts once: a list of a thousand jobs
 * costs no less than a hold. A caller is an owner, so several tokens of one consumer path share a bucket;
 * unknown callers are denied before. A program that waits for its responses does not reach the default rate;
 * one that has run wild does. The bucket is ours because the library's counter of windows refuses a caller
 * for as long as a clock was set back.
 */
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";
import { ProblemError } from "./problem.ts";

/** Requests of one caller that are answered. */
export interface RequestRate {
  /** Long-term rate per second. */
  readonly perSecond: number;
  /** Burst after a quiet time. */
  readonly burst: number;
}

/** Default: more than a program that waits for its responses sends, and less than the broker can do. */
export const USUAL_RATE: RequestRate = { perSecond: 2000, burst: 4000 };

interface Bucket {
  left: number;
  atMs: number;
}

/** Refuses requests of callers beyond their rate with 429, before anything of the body is read. */
export function limitRate(server: FastifyInstance, rate: RequestRate, nowMs: () => number): void {
  server.register(rateLimit, {
    max: rate.burst,
    timeWindow: Math.ceil((rate.burst / rate.perSecond) * 1000),
    keyGenerator: ({ who }) => who?.owner ?? "",
    allowList: ({ who }) => who === null,
    errorResponseBuilder: (_, { ttl }) => tooMany(rate, ttl / 1000),
    store: bucketsOf(rate, nowMs),
  });
}

/** The library's store of each caller's use: requests that its bucket cannot take wait `ttl`. */
function bucketsOf({ perSecond, burst }: RequestRate, nowMs: () => number) {
  const buckets = new Map<string, Bucket>();
  return class Buckets {
    incr(owner: string, answer: (error: Error | null, used?: { current: number; ttl: number }) => void) {
      const now = nowMs();
      const bucket = buckets.get(owner) ?? { left: burst, atMs: now };
      buckets.set(owner, bucket);
      // A clock that was put back gives nothing and takes nothing.
      const passedSec = Math.max(0, now - bucket.atMs) / 1000;
      bucket.left = Math.min(burst, bucket.left + passedSec * perSecond);
      bucket.atMs = now;
      const missing = 1 - bucket.left;
      if (missing <= 0) bucket.left--;
      const ttl = missing <= 0 ? 0 : Math.ceil((missing / perSecond) * 1000);
      answer(null, { current: missing <= 0 ? Math.ceil(burst - bucket.left) : burst + 1, ttl });
    }

    /** Required by the library; routes have no rates of their own. */
    child(): Buckets {
      return this;
    }
  };
}

function tooMany({ perSecond, burst }: RequestRate, waitSec: number): ProblemError {
  return new ProblemError({
    status: 429,
    code: "tooManyRequests",
    what: "you have exceeded the request rate limit",
    why: `the limit is ${perSecond} requests per second, with bursts of ${burst}`,
    remedy: "send requests more slowly, or combine them: one submission may contain up to 1000 jobs",
    facts: { retryAfterSec: Math.ceil(waitSec) },
  });
}
