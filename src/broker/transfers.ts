/**
 * Bytes to and from a site at the rates of its network policies (rules BR-54, BR-59).
 *
 * Each level that transfers has a token bucket, a byte a token, that fills at its rate (PO-53) and holds a
 * tenth of a second's; a piece passes when the bucket is not in debt, and is charged afterwards. So the bytes
 * over a time are at most the rate times that time and a piece. Rates are computed anew whenever a transfer
 * begins or ends, and at least every second while one waits, which applies changed policies.
 */
import { hasReservedLink, type Projection, reservedRate, sharesAt } from "../engine/index.ts";
import { networkBytesPerSecOf } from "../model/index.ts";
import { type ShareTree, shareTree, transferLevel, transferRates } from "../policy/index.ts";
import type { Clock } from "../runtime/index.ts";

/** A consumer that has waited within this time is still active: between two pieces it reads or writes. */
const LINGER_MS = 500;
/** Capacity of a bucket, as time at its rate. */
const DEPTH_MS = 100;
/** Longest wait between two checks. */
const LOOK_AGAIN_MS = 1000;
/** Size of a piece, as time at its rate, so that slow transfers progress visibly … */
const PIECE_MS = 250;
/** … but not smaller than what is worth asking a site for. */
const LEAST_PIECE_BYTES = 16 * 1024;

/** Which bytes are to pass. */
interface TransferRequest {
  readonly site: string;
  readonly consumer: string;
  /** Reservation of the job that the files belong to, where it has one. */
  readonly reservation?: string | undefined;
  /** Number of bytes that the caller can use now, ≥ 1. */
  readonly mostBytes: number;
  /** Signal that the reader or writer is gone: the request rejects, and nothing passes. */
  readonly signal?: AbortSignal | undefined;
}

/** Recent transfers of a level. */
export interface LevelTransfer {
  readonly consumer: string;
  /** Over the last seconds, bytes a second. */
  readonly bytesPerSec: number;
  /** Since the broker began, by the minute: whole minutes since 1970, and what passed in each. */
  readonly minutes: ReadonlyMap<number, number>;
}

/** Consumer, and reservation, of a transfer. */
type WhoseTransfer = Pick<TransferRequest, "consumer" | "reservation">;

/** Transferred bytes of a consumer. */
interface ConsumerTransfer {
  readonly consumer: string;
  readonly bytes: number;
}

/** All transfers of a broker. */
export interface Transfers {
  /** Resolves with how many bytes may pass now: at least one, and no more than requested. */
  pass(request: TransferRequest): Promise<number>;
  /** Returns bytes that were passed but not used. */
  giveBack(request: Pick<TransferRequest, "site" | "consumer" | "reservation">, bytes: number): void;
  /** Recent transfers at a site, by the levels of its network policies. */
  passed(site: string): readonly LevelTransfer[];
  /**
   * Transfers at a site since the last call, by consumer; bytes that passed ahead of their charged time are
   * reported when that is over.
   */
  collect(site: string): readonly ConsumerTransfer[];
  stop(): void;
}

/** Dependencies of transfers. */
export interface TransferWorld {
  readonly projection: Projection;
  readonly clock: Clock;
}

/** No transfer is under way. */
export function createTransfers(world: TransferWorld): Transfers {
  const desks = new Map<string, Desk>();
  const deskAt = (site: string): Desk => {
    const desk = desks.get(site) ?? new Desk(site, world);
    desks.set(site, desk);
    return desk;
  };
  return {
    pass: (request) => deskAt(request.site).pass(request),
    giveBack: (request, bytes) => deskAt(request.site).giveBack(request, bytes),
    passed: (site) => desks.get(site)?.passed() ?? [],
    collect: (site) => desks.get(site)?.collect() ?? [],
    stop() {
      for (const desk of desks.values()) desk.stop();
    },
  };
}

interface Waiting {
  readonly consumer: string;
  readonly mostBytes: number;
  readonly resolve: (bytes: number) => void;
}

interface Bucket {
  readonly level: string;
  /** Reservation of the transfers; undefined for all others of the level. */
  readonly reservation: string | undefined;
  tokens: number;
  /** Bytes a second. */
  rate: number;
  readonly waiting: Set<Waiting>;
  /** Instant of the last piece. */
  servedMs: number;
  /** Bytes of each recent second, and of each minute that a window may count. */
  readonly seconds: Map<number, number>;
  readonly minutes: Map<number, number>;
  /** Bytes by consumer that were not collected yet; below it, the consumer of the last piece. */
  readonly uncollected: Map<string, number>;
  lastConsumer: string;
}

/** Seconds over which the present rate is averaged. */
const SECONDS_TOLD = 5;
/** The longest window is a month. */
const MINUTES_KEPT = 31 * 24 * 60;

/** Shares where no network policy applies: all transfers then belong to one level. */
const NOBODYS_SHARES = shareTree([], "");

interface Terms {
  readonly shares: ShareTree;
  readonly capacity: number;
}

class Desk {
  readonly #site: string;
  readonly #world: TransferWorld;
  readonly #buckets = new Map<string, Bucket>();
  #filledMs: number;
  #cancelAlarm: (() => void) | undefined;
  #hasStopped = false;

  constructor(site: string, world: TransferWorld) {
    this.#site = site;
    this.#world = world;
    this.#filledMs = world.clock.nowMs();
  }

  async pass({ consumer, mostBytes, signal, reservation }: TransferRequest): Promise<number> {
    signal?.throwIfAborted();
    const terms = this.#terms();
    if (terms === undefined || this.#hasStopped) return mostBytes;
    const bucket = this.#bucketFor(terms, { consumer, reservation });
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        ...{ consumer, mostBytes },
        resolve(bytes) {
          signal?.removeEventListener("abort", leave);
          resolve(bytes);
        },
      };
      const leave = (): void => {
        bucket.waiting.delete(waiting);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      bucket.waiting.add(waiting);
      this.#serve();
    });
  }

  giveBack(request: WhoseTransfer, bytes: number): void {
    const terms = this.#terms();
    if (terms === undefined || bytes <= 0) return;
    const bucket = this.#bucketFor(terms, request);
    bucket.tokens += bytes;
    this.#note(bucket, request.consumer, -bytes);
  }

  passed(): readonly LevelTransfer[] {
    const now = Math.floor(this.#world.clock.nowMs() / 1000);
    return [...this.#buckets.values()].map(({ level: consumer, minutes, seconds }) => {
      let recent = 0;
      for (const [second, amount] of seconds)
        if (second < now && second >= now - SECONDS_TOLD) recent += amount;
      return { consumer, minutes, bytesPerSec: Math.round(recent / SECONDS_TOLD) };
    });
  }

  collect(): readonly ConsumerTransfer[] {
    this.#fill(this.#world.clock.nowMs());
    return [...this.#buckets.values()].flatMap((bucket) => {
      const { uncollected, lastConsumer, tokens } = bucket;
      // What was saved up does not go over into the next time: in none more passes than its rate allows.
      bucket.tokens = Math.min(0, tokens);
      const told = [...uncollected];
      uncollected.clear();
      return told.flatMap(([consumer, bytes]) => {
        const ahead = consumer === lastConsumer ? Math.min(bytes, Math.max(0, Math.ceil(-tokens))) : 0;
        if (ahead > 0) uncollected.set(consumer, ahead);
        return bytes > ahead ? [{ consumer, bytes: bytes - ahead }] : [];
      });
    });
  }

  /** Lets everybody go on: the broker ends, and its transfers with it. */
  stop(): void {
    this.#hasStopped = true;
    this.#cancelAlarm?.();
    for (const { waiting } of this.#buckets.values()) {
      for (const each of waiting) each.resolve(each.mostBytes);
      waiting.clear();
    }
  }

  /**
   * Terms of transfers at the site; undefined where nothing bounds them: no link, or neither a policy nor a
   * reservation for links.
   */
  #terms(): Terms | undefined {
    const { projection, clock } = this.#world;
    const spec = projection.sites.get(this.#site)?.spec;
    const capacity = spec === undefined ? 0 : networkBytesPerSecOf(spec);
    if (capacity === 0) return undefined;
    const shares = sharesAt(projection, this.#site, clock.nowMs());
    if (shares?.nodes.has("network") === true) return { shares, capacity };
    const isReserved = hasReservedLink(projection.reserved, this.#site);
    return isReserved ? { shares: NOBODYS_SHARES, capacity } : undefined;
  }

  /** Bucket of a transfer: its reservation's, where that has a part of the links; else its level's. */
  #bucketFor({ shares }: Terms, { consumer, reservation }: WhoseTransfer): Bucket {
    const isReserved = reservedRate(this.#world.projection.reserved, reservation) > 0;
    return this.#bucketOf(transferLevel(shares, consumer), isReserved ? reservation : undefined);
  }

  #bucketOf(level: string, reservation: string | undefined): Bucket {
    // No path of a consumer has a blank.
    const name = reservation === undefined ? level : `${level} ${reservation}`;
    const known = this.#buckets.get(name);
    if (known !== undefined) return known;
    const counted = { seconds: new Map<number, number>(), minutes: new Map<number, number>() };
    const bucket: Bucket = {
      ...{ level, reservation },
      ...{ tokens: 0, rate: 0, servedMs: Number.NEGATIVE_INFINITY, ...counted },
      ...{ waiting: new Set(), uncollected: new Map(), lastConsumer: "" },
    };
    this.#buckets.set(name, bucket);
    return bucket;
  }

  /** Fills the buckets, finds the rates of those who transfer, and lets pass what may. */
  #serve(): void {
    this.#cancelAlarm?.();
    this.#cancelAlarm = undefined;
    const nowMs = this.#world.clock.nowMs();
    this.#fill(nowMs);
    const terms = this.#terms();
    if (terms === undefined) {
      for (const bucket of this.#buckets.values()) this.#letAllPass(bucket);
      return;
    }
    this.#findRates(terms, nowMs);
    for (const bucket of this.#buckets.values()) this.#letPass(bucket, nowMs);
    this.#waitForMore(nowMs);
  }

  #fill(nowMs: number): void {
    const passedMs = Math.max(0, nowMs - this.#filledMs);
    this.#filledMs = nowMs;
    for (const bucket of this.#buckets.values()) {
      const most = Math.max(bucket.tokens, (bucket.rate * DEPTH_MS) / 1000);
      bucket.tokens = Math.min(most, bucket.tokens + (bucket.rate * passedMs) / 1000);
    }
  }

  #findRates({ shares, capacity }: Terms, nowMs: number): void {
    const buckets = [...this.#buckets.values()];
    for (const bucket of buckets) bucket.rate = 0;
    const going = buckets.filter(({ waiting, servedMs }) => waiting.size > 0 || nowMs - servedMs < LINGER_MS);
    const reserved = new Map<string, number>();
    const among = new Map<string, number>();
    for (const bucket of going) {
      const { level, reservation } = bucket;
      bucket.rate = reservedRate(this.#world.projection.reserved, reservation);
      reserved.set(level, (reserved.get(level) ?? 0) + bucket.rate);
      among.set(level, (among.get(level) ?? 0) + 1);
    }
    const transferring = new Set(among.keys());
    const rates = transferRates({ tree: shares, capacity, transferring, reserved });
    for (const bucket of going) {
      bucket.rate += Math.floor((rates.get(bucket.level) ?? 0) / (among.get(bucket.level) ?? 1));
    }
  }

  /**
   * Lets waiting transfers pass in turn, one piece each, so that several transfers of a level share its rate
   * evenly.
   */
  #letPass(bucket: Bucket, nowMs: number): void {
    const piece = Math.max(LEAST_PIECE_BYTES, Math.floor((bucket.rate * PIECE_MS) / 1000));
    for (const each of bucket.waiting) {
      if (bucket.tokens < 0 || bucket.rate === 0) return;
      const bytes = Math.min(each.mostBytes, piece);
      bucket.waiting.delete(each);
      bucket.tokens -= bytes;
      bucket.servedMs = nowMs;
      this.#note(bucket, each.consumer, bytes);
      each.resolve(bytes);
    }
  }

  #letAllPass(bucket: Bucket): void {
    bucket.tokens = 0;
    for (const each of bucket.waiting) each.resolve(each.mostBytes);
    bucket.waiting.clear();
  }

  #note(bucket: Bucket, consumer: string, bytes: number): void {
    const { seconds, minutes, uncollected } = bucket;
    uncollected.set(consumer, (uncollected.get(consumer) ?? 0) + bytes);
    if (bytes > 0) bucket.lastConsumer = consumer;
    const second = Math.floor(this.#world.clock.nowMs() / 1000);
    addTo(seconds, second, bytes, SECONDS_TOLD);
    addTo(minutes, Math.floor(second / 60), bytes, MINUTES_KEPT);
  }

  #waitForMore(nowMs: number): void {
    let waitMs = Number.POSITIVE_INFINITY;
    for (const { waiting, tokens, rate } of this.#buckets.values()) {
      if (waiting.size === 0) continue;
      const neededMs = rate === 0 ? LOOK_AGAIN_MS : Math.ceil((-tokens * 1000) / rate);
      waitMs = Math.min(waitMs, Math.max(1, neededMs), LOOK_AGAIN_MS);
    }
    if (waitMs === Number.POSITIVE_INFINITY || this.#hasStopped) return;
    this.#cancelAlarm = this.#world.clock.wakeAt(nowMs + waitMs, () => this.#serve());
  }
}

/** Adds to the amount of a time; times come in order, and those of long ago are forgotten. */
function addTo(amounts: Map<number, number>, time: number, bytes: number, kept: number): void {
  amounts.set(time, (amounts.get(time) ?? 0) + bytes);
  for (const old of amounts.keys()) {
    if (old >= time - kept) return;
    amounts.delete(old);
  }
}
