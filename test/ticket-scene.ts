/**
 * A scene with one site of ten processors, shares of it, and tickets out of them.
 */
import {
  ENFORCEMENT_DEFAULTS,
  JOB_DEFAULTS,
  type Policy,
  type PresentedTicket,
  type SiteSpec,
  type Ticket,
  ticketLeftMs,
} from "../src/model/index.ts";
import { HOUR, type Scene, scene } from "./engine-scene.ts";

/** In ms. */
export const MINUTE = 60_000;
/** Two hours of a processor for vo0's physicists, within the first hour. */
export const TICKET: Ticket = {
  ...{ id: "t1", vo: "vo0", site: "here", consumer: "vo0/physics", resource: "cpu", amountMs: 2 * HOUR },
  ...{ fromMs: 0, untilMs: HOUR, issuedAtMs: 0, expiresAtMs: HOUR },
};
/** By which the site knows it. */
export const NAME = "vo0/t1";

/** The ticket, or one like it, signed by a key. */
export function presented(change: Partial<Ticket> = {}, key = "k1"): PresentedTicket {
  const ticket = { ...TICKET, ...change };
  return { ticket, digest: JSON.stringify(ticket), key };
}

/** So many percent of what the level above has, over an hour and at once. */
export function policy(consumer: string, percent: number, more: Partial<Policy> = {}): Policy {
  const provider = consumer.includes("/") ? consumer.slice(0, consumer.lastIndexOf("/")) : "here";
  return {
    ...{ resource: "cpu", provider, consumer, rule: "entitlement", mode: "shared", carry: "forgive" },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: percent * 10_000 },
    burst: { bucketMs: MINUTE, sharePpm: percent * 10_000 },
    ...more,
  };
}

/** Of ten processors half are vo0's, and a tenth of that is what its physicists may have at once. */
export const SHARES: readonly Policy[] = [
  policy("vo0", 50),
  policy("vo0/physics", 10, { burst: { bucketMs: MINUTE, sharePpm: 200_000 } }),
  policy("vo0/biology", 90),
  policy("vo1", 50),
];

/** The site with its policies, and one key that is trusted for vo0. */
export function stage(policies: readonly Policy[] = SHARES, more: Partial<SiteSpec> = {}): Scene {
  const play = scene({});
  const enforcement = { ...ENFORCEMENT_DEFAULTS, granted: ["hold", "suspend"] as const };
  const spec = { type: "managed", procs: 10, memoryBytes: 2 ** 30, discipline: "fcfs" } as const;
  const site = { ...spec, defaultWallTimeMs: HOUR, enforcement, ...more } as SiteSpec;
  play.ask({ kind: "addSite", site: "here", spec: site });
  const request = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
  play.ask({ kind: "applyPolicies", policies, ...request });
  trust(play, "k1");
  return play;
}

/** Has a key trusted for a VO. */
export function trust(play: Scene, key: string, vo = "vo0"): string {
  return play.ask({ kind: "trustTicketKey", key, vo, publicKey: `ed25519:${key}`, label: "", by: "admin" });
}

/** A job that is requested. */
export interface JobRequest {
  readonly procs?: number;
  readonly limitMs?: number;
  readonly ticket?: PresentedTicket;
  readonly site?: string;
  readonly consumer?: string;
}

/** The command that submits it; anna's, of one processor for ten minutes, where nothing else is said. */
export function request(
  job: string,
  { procs = 1, limitMs = 10 * MINUTE, site = "here", ...more }: JobRequest,
) {
  const { consumer = "vo0/physics/anna", ticket } = more;
  const description = { ...JOB_DEFAULTS, executable: "true", procs, wallTimeMs: limitMs, site };
  const under = ticket === undefined ? {} : { ticket };
  return { kind: "submit", job, description, consumer, owner: consumer, ...under } as const;
}

/** Decides until nothing follows, and has what starts told as running; gives those. */
export function go(play: Scene): string[] {
  const starts = play.settle();
  for (const job of starts) if (play.records.get(job)?.startedAtMs === null) play.running(job);
  return starts;
}

/** What is left of a ticket; undefined where nothing came with it yet. */
export function leftOf(play: Scene, name: string = NAME): number | undefined {
  const record = play.projection.tickets.records.get(name);
  return record === undefined ? undefined : ticketLeftMs(record);
}
