/**
 * What a place keeps of whom, and whether it takes more, as PO-1 and PO-57 say it: a list of files
 * with their times, added up anew for every question.
 */
import type { Policy } from "../../src/model/index.ts";

/** A file, or all that is kept under one name: from an instant on, until another if it was removed. */
export interface KeptFile {
  readonly name: string;
  readonly consumer: string;
  readonly bytes: number;
  readonly fromMs: number;
  untilMs: number;
}

/** What speaks against new files; the level of the capacity is the place itself, which has no name. */
export interface KeptLimit {
  readonly limit: "burst" | "epoch" | "capacity";
  readonly level: string | null;
  readonly usedBytes: number;
}

/** A share as an exact fraction: so many of so many parts. */
type Part = readonly [bigint, bigint];

const WHOLE: Part = [1n, 1n];
const MILLION = 1_000_000n;

/** A place with stores. */
export class PlainKeptFiles {
  readonly files: KeptFile[] = [];
  private readonly policies: readonly Policy[];
  private readonly capacity: number;

  constructor(policies: readonly Policy[], capacity: number) {
    this.policies = policies.filter(({ resource }) => resource === "storage");
    this.capacity = capacity;
  }

  /** Keeps a file from an instant on. */
  keep(name: string, consumer: string, bytes: number, atMs: number): void {
    this.files.push({ name, consumer, bytes, fromMs: atMs, untilMs: Number.POSITIVE_INFINITY });
  }

  /** Removes what is kept under a name. */
  remove(name: string, atMs: number): void {
    for (const file of this.files) {
      if (file.name === name && file.untilMs > atMs) file.untilMs = atMs;
    }
  }

  /** PO-57: the first limit that speaks against so many bytes more. */
  limit(consumer: string, asked: number, atMs: number): KeptLimit | undefined {
    for (const { level, policy } of this.ruled(consumer)) {
      const usedBytes = this.stored(level, atMs);
      if (this.passes(usedBytes + asked, this.part(level, "burst"))) {
        return { limit: "burst", level, usedBytes };
      }
      if (policy.rule === "cap" && this.hasReached(level, policy, atMs)) {
        return { limit: "epoch", level, usedBytes };
      }
    }
    const usedBytes = this.stored("", atMs);
    if (this.policies.length === 0 || asked === 0 || usedBytes + asked <= this.capacity) return undefined;
    return { limit: "capacity", level: null, usedBytes };
  }

  /** Whether so much alone passes a burst or the capacity, or a cap of nothing is in its way. */
  isNever(consumer: string, asked: number): boolean {
    if (this.policies.length === 0) return false;
    const isBarred = this.ruled(consumer).some(
      ({ level, policy }) =>
        this.passes(asked, this.part(level, "burst")) ||
        (policy.rule === "cap" && this.part(level, "epoch")[0] === 0n),
    );
    return isBarred || asked > this.capacity;
  }

  /** The levels of a consumer that a policy names, from the top down, with the policy that counts. */
  private ruled(consumer: string): readonly { readonly level: string; readonly policy: Policy }[] {
    return pathOf(consumer).flatMap((level) => {
      const policy = this.counts(level);
      return policy === undefined ? [] : [{ level, policy }];
    });
  }

  /** Of several policies that name a level that of the nearest provider. */
  private counts(level: string): Policy | undefined {
    const named = this.policies.filter((policy) => policy.consumer === level);
    const nearness = ({ provider }: Policy): number =>
      level.startsWith(`${provider}/`) ? provider.split("/").length : 0;
    return named.sort((one, other) => nearness(other) - nearness(one))[0];
  }

  /** PO-1: the part of the place that is a level's. */
  private part(level: string, of: "epoch" | "burst"): Part {
    const policy = this.counts(level);
    if (policy === undefined) {
      return level.includes("/") ? this.part(level.slice(0, level.lastIndexOf("/")), of) : WHOLE;
    }
    const isHandedOn = level.startsWith(`${policy.provider}/`);
    const [above, parts] = isHandedOn ? this.part(policy.provider, of) : WHOLE;
    return [above * BigInt(policy[of].sharePpm), parts * MILLION];
  }

  private passes(bytes: number, [share, parts]: Part): boolean {
    return BigInt(bytes) * parts > BigInt(this.capacity) * share;
  }

  /** Whether byte·ms over the window have reached the share of it. */
  private hasReached(level: string, { epoch: { window } }: Policy, atMs: number): boolean {
    const [fromMs, lengthMs] =
      window.kind === "sliding"
        ? [atMs - window.lengthMs, window.lengthMs]
        : [hourOf(atMs + window.offsetMs) - window.offsetMs, HOUR_MS];
    const used = this.under(level)
      .map((file) => BigInt(file.bytes) * BigInt(overlap(file, fromMs, atMs)))
      .reduce((total, each) => total + each, 0n);
    const [share, parts] = this.part(level, "epoch");
    return used * parts >= BigInt(this.capacity) * BigInt(lengthMs) * share;
  }

  private stored(level: string, atMs: number): number {
    const there = this.under(level).filter(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
    return there.reduce((total, { bytes }) => total + bytes, 0);
  }

  private under(level: string): readonly KeptFile[] {
    return this.files.filter(({ consumer }) => level === "" || `${consumer}/`.startsWith(`${level}/`));
  }
}

const HOUR_MS = 3_600_000;

/** Calendar windows are played with the hour alone. */
function hourOf(atMs: number): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS;
}

function overlap({ fromMs, untilMs }: KeptFile, beginMs: number, endMs: number): number {
  return Math.max(0, Math.min(untilMs, endMs) - Math.max(fromMs, beginMs));
}

function pathOf(consumer: string): readonly string[] {
  const words = consumer.split("/");
  return words.map((_, index) => words.slice(0, index + 1).join("/"));
}
