/**
 * How much of the broker one caller may take: a token bucket for each owner.
 *
 * Every request counts once, whatever it asks: a list of a thousand jobs costs no less than a hold. A
 * caller is an owner, so several tokens of one consumer path share a bucket; who is unknown is denied
 * before. A program that asks one thing after another does not come near the usual rate; one that has
 * run wild does.
 */
import type { FastifyInstance } from "fastify";
import { ProblemError } from "./problem.ts";

/** How many requests of one caller are answered. */
export interface RequestRate {
  /** In the long run. */
  readonly perSecond: number;
  /** At once, after a quiet time. */
  readonly burst: number;
}

/** What is usual: more than a program that waits for its answers asks, and less than the broker can do. */
export const USUAL_RATE: RequestRate = { perSecond: 2000, burst: 4000 };

interface Bucket {
  left: number;
  atMs: number;
}

/** Refuses requests of callers beyond their rate with 429, before anything of the body is read. */
export function limitRate(server: FastifyInstance, rate: RequestRate, nowMs: () => number): void {
  const buckets = new Map<string, Bucket>();
  server.addHook("onRequest", async ({ who }) => {
    if (who === null) return;
    const now = nowMs();
    const bucket = buckets.get(who.owner) ?? { left: rate.burst, atMs: now };
    buckets.set(who.owner, bucket);
    // A clock that was put back gives nothing and takes nothing.
    const passedSec = Math.max(0, now - bucket.atMs) / 1000;
    bucket.left = Math.min(rate.burst, bucket.left + passedSec * rate.perSecond);
    bucket.atMs = now;
    if (bucket.left < 1) throw tooMany(rate, (1 - bucket.left) / rate.perSecond);
    bucket.left--;
  });
}

function tooMany({ perSecond, burst }: RequestRate, waitSec: number): ProblemError {
  return new ProblemError({
    status: 429,
    code: "tooManyRequests",
    what: "these are more requests than the broker answers of one caller",
    why: `${perSecond} a second and ${burst} at once are`,
    remedy: "ask more slowly, or for many things at once: up to 1000 jobs go into one submission",
    facts: { retryAfterSec: Math.ceil(waitSec) },
  });
}
