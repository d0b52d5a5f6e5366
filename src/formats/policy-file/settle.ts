/**
 * Makes policies of drafts: shares in parts of what the provider has, and what must agree among them.
 */
import { POLICY_DEFAULTS, type Policy, type SharedResource } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { shown, type Words } from "../yaml/index.ts";
import type { PolicyDraft, Validity, WrittenShare } from "./draft.ts";
import type { KnownNames, ProviderCapacity } from "./known.ts";
import { type ResolvedDraft, resolveNames } from "./resolve-names.ts";
import { outOfRange } from "./share-text.ts";

/** A policy with its place in the files. */
export interface WrittenPolicy extends Validity {
  readonly policy: Policy;
  /** Index of the text, from 0; the line is from 1. */
  readonly source: number;
  readonly line: number;
  readonly label: string | null;
  /** True where an amount was rounded up to a part per million. */
  readonly isRoundedUp: boolean;
}

const MILLION = 1_000_000n;
const PROC_MS_PER_SU = 3_600_000n;
/** A calendar month in conversions of SU: the longest, so that no month exceeds the written amount. */
const MONTH_MS = 31 * 24 * 3_600_000;
const FIXED_MS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000, month: MONTH_MS } as const;

/** The policies of all valid drafts; the others are reported. */
export function settlePolicies(drafts: readonly PolicyDraft[], known: KnownNames): readonly WrittenPolicy[] {
  const resolved = resolveNames(drafts, known);
  const settled = resolved.flatMap((one) => {
    const written = settle(one, known);
    return written === undefined ? [] : [{ ...one, written }];
  });
  tellDoubled(settled);
  return settled.map(({ written }) => written);
}

function settle(resolved: ResolvedDraft, known: KnownNames): WrittenPolicy | undefined {
  const { draft, provider, consumer } = resolved;
  const { resource, rule, mode, carry, notes, source, label, fromMs, untilMs } = draft;
  const { window } = draft.epoch;
  const lengthMs = window.kind === "sliding" ? window.lengthMs : FIXED_MS[window.unit];
  const part = (share: WrittenShare, name: string, overMs: number) =>
    partOf(share, { resolved, known, name, overMs });
  const epoch = part(draft.epoch.share, "epoch.share", lengthMs);
  const burst = draft.burst && part(draft.burst.share, "burst.share", draft.burst.bucketMs);
  if (epoch === undefined || burst === undefined) return undefined;
  const said = draft.burst;
  if (said !== null && burst !== null && burst.ppm < epoch.ppm) {
    notes.problem(said.share.at, burstBelowEpoch(said.share.text, draft.epoch.share.text));
    return undefined;
  }
  if (fromMs !== null && untilMs !== null && untilMs <= fromMs) {
    notes.problem(draft.at, endsBeforeItBegins);
    return undefined;
  }
  const policy: Policy = {
    ...{ resource, provider, consumer, rule, mode, carry },
    epoch: { window, sharePpm: epoch.ppm },
    burst:
      said === null || burst === null
        ? POLICY_DEFAULTS.burst
        : { bucketMs: said.bucketMs, sharePpm: burst.ppm },
  };
  return {
    policy,
    source,
    line: notes.lineOf(draft.at),
    label,
    fromMs,
    untilMs,
    isRoundedUp: epoch.isRoundedUp,
  };
}

interface PartQuestion {
  readonly resolved: ResolvedDraft;
  readonly known: KnownNames;
  readonly name: string;
  readonly overMs: number;
}

interface Part {
  readonly ppm: number;
  readonly isRoundedUp: boolean;
}

/** Parts per million, rounded up: 3 of 7 nodes must come out as no less than 3. */
function partOf(share: WrittenShare, { resolved, known, name, overMs }: PartQuestion): Part | undefined {
  if (share.kind === "ppm") return { ppm: share.ppm, isRoundedUp: false };
  const { notes, resource } = resolved.draft;
  const { unit } = share;
  const wrong = unitMisfit(unit, resource);
  if (wrong) {
    notes.problem(share.at, badUnit(name, share.text, resource));
    return undefined;
  }
  const capacity = known.capacities.get(resolved.provider) ?? {};
  const key = unit === "bytes" ? bytesKey(resource) : AMOUNT_OF[unit];
  const has = capacity[key];
  if (has === undefined) {
    notes.problem(share.at, capacityUnknown(share.text, resolved, key));
    return undefined;
  }
  const whole = BigInt(has) * share.per * (unit === "su" ? BigInt(overMs) : 1n);
  const parts = share.count * (unit === "su" ? PROC_MS_PER_SU : 1n) * MILLION;
  if (parts > whole * MILLION) {
    notes.problem(share.at, outOfRange(name, share.text));
    return undefined;
  }
  return { ppm: Number((parts + whole - 1n) / whole), isRoundedUp: parts % whole !== 0n };
}

/** Capacity to which an amount of each unit is related. */
const AMOUNT_OF = { procs: "procs", su: "procs", nodes: "nodes", gpus: "gpus" } as const;

function unitMisfit(unit: string, resource: SharedResource): boolean {
  if (unit === "procs" || unit === "su") return resource !== "cpu";
  return unit === "gpus" && resource !== "gpu";
}

function bytesKey(resource: SharedResource): keyof ProviderCapacity {
  return resource === "cpu" || resource === "gpu" ? "memory" : resource;
}

interface SettledDraft extends ResolvedDraft {
  readonly written: WrittenPolicy;
}

/** Two policies between the same two for the same resource, that hold at the same time. */
function tellDoubled(settled: readonly SettledDraft[]): void {
  const seen = new Map<string, SettledDraft[]>();
  for (const one of settled) {
    const { policy } = one.written;
    const key = [policy.resource, policy.provider, policy.consumer].join(" ");
    const others = seen.get(key) ?? [];
    const other = others.find(({ written }) => doOverlap(written, one.written));
    if (other !== undefined) one.draft.notes.problem(one.draft.at, doubled(one, other));
    seen.set(key, [...others, one]);
  }
}

function doOverlap(one: Validity, other: Validity): boolean {
  const isBefore = (first: Validity, second: Validity) =>
    first.untilMs !== null && second.fromMs !== null && first.untilMs <= second.fromMs;
  return !isBefore(one, other) && !isBefore(other, one);
}

function doubled(one: SettledDraft, { draft, written: other }: SettledDraft): Words {
  const isDated = other.fromMs !== null || other.untilMs !== null;
  const { resource, provider, consumer } = one.written.policy;
  const where = draft.notes === one.draft.notes ? "" : " of another of the files";
  return {
    code: isDated ? "overlappingValidity" : "doubledPolicy",
    what: `two policies give consumer ${shown(consumer)} a share of ${resource} at ${shown(provider)}`,
    why: `the other is in line ${other.line}${where}, and their periods overlap`,
    remedy: "keep one of them, or let one end (until:) before the other begins (from:)",
  };
}

function burstBelowEpoch(burst: string, epoch: string): Words {
  return {
    code: "burstBelowEpoch",
    what: `the burst share ${echoText(burst)} is below the epoch share ${echoText(epoch)}`,
    why: "the average use cannot exceed the maximum use at any time",
    remedy: "raise the burst share, lower the epoch share, or leave the burst out for 100%",
  };
}

function badUnit(name: string, text: string, resource: SharedResource): Words {
  return {
    code: "badShare",
    what: `${shown(name)}: ${echoText(text)} is not a share of ${resource}`,
    why: `${resource} is not measured in that unit`,
    remedy: "write percent, for instance 20%",
  };
}

function capacityUnknown(text: string, { provider, isSite }: ResolvedDraft, key: string): Words {
  return {
    code: "capacityUnknown",
    what: `${echoText(text)} of ${shown(provider)} cannot be turned into a share`,
    why: isSite
      ? `the site's number of ${key} is not stated`
      : "the capacity of a consumer is itself a share",
    remedy: isSite
      ? `state it, for instance providers: [{ name: ${provider}, ${key}: 128 }], or write percent`
      : "write percent, for instance 20%",
  };
}

const endsBeforeItBegins: Words = {
  code: "badValidity",
  what: "this policy ends before it begins",
  why: "until: is not after from:",
  remedy: "correct one of the two dates",
};
