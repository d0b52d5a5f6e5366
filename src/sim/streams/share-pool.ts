/**
 * Sharing of link and store among running streams in each variant, by the functions of the live broker.
 */
import type { Random } from "../../base/index.ts";
import type { SceneStream, StreamScene, StreamVariant } from "../../stream/index.ts";
import {
  allocateBandwidth,
  allocateStorage,
  drawStorage,
  floorOf,
  moveStorage,
  STREAM_RULES,
  type StreamNeed,
} from "../../stream/index.ts";
import { isArriving, type PlayingStream } from "./playing-stream.ts";

/** Rules of a variant. */
export interface VariantRules {
  readonly isHalting: boolean;
  readonly isStaged: boolean;
  /** False where admission counts processors alone. */
  readonly isIntegrated: boolean;
}

/** Properties of a variant, apart from how it shares the link. */
export function rulesOf(variant: StreamVariant): VariantRules {
  const isPlain = variant === "processors-only" || variant === "equal-share";
  return {
    isHalting: !isPlain && variant !== "staged",
    isStaged: variant === "staged",
    isIntegrated: variant !== "processors-only",
  };
}

/** The minima that admission counts under a variant. */
export function needUnder(
  variant: StreamVariant,
  stream: SceneStream,
  classes: readonly string[],
): StreamNeed {
  const isCounted = rulesOf(variant).isIntegrated;
  const { minBytesPerSec, maxBytesPerSec, processedBytesPerSec } = stream;
  const fixed = Math.max(minBytesPerSec, Math.min(maxBytesPerSec, processedBytesPerSec));
  const counted = variant === "reserved" ? fixed : minBytesPerSec;
  return {
    ...{ id: stream.id, procs: stream.procs, classes, link: "wan" },
    bytesPerSec: isCounted ? counted : 0,
    storageBytes: isCounted ? stream.storageBytes : 0,
  };
}

/** Shares the link anew. */
export function shareLink(
  playing: readonly PlayingStream[],
  {
    variant,
    inboundBytesPerSec,
    random,
  }: {
    readonly variant: StreamVariant;
    readonly inboundBytesPerSec: number;
    readonly random: Random;
  },
): void {
  const active = playing.filter((one) => isArriving(one) && !one.isHalted && !one.isDraining);
  for (const one of playing) one.allocatedBytesPerSec = 0;
  if (variant === "reserved") {
    for (const one of active) {
      const wanted = Math.min(one.stream.maxBytesPerSec, one.speedBytesPerSec);
      one.allocatedBytesPerSec = Math.max(one.stream.minBytesPerSec, wanted);
    }
    return;
  }
  if (variant === "exact" || variant === "literal" || variant === "genetic") {
    const sessions = active.map(({ stream }) => stream);
    const method = variant === "genetic" ? "genetic" : "exact";
    const { bytesPerSec } = allocateBandwidth(sessions, { inboundBytesPerSec, method, random });
    for (const [at, one] of active.entries()) one.allocatedBytesPerSec = bytesPerSec[at];
    return;
  }
  let rest = inboundBytesPerSec;
  const byMaximum = [...active].sort((one, other) => one.stream.maxBytesPerSec - other.stream.maxBytesPerSec);
  for (const [at, one] of byMaximum.entries()) {
    one.allocatedBytesPerSec = Math.min(one.stream.maxBytesPerSec, rest / (byMaximum.length - at));
    rest -= one.allocatedBytesPerSec;
  }
}

/** Shares the store anew, after an arrival or a departure. */
export function shareStore(
  playing: readonly PlayingStream[],
  { storageBytes }: Pick<StreamScene, "storageBytes">,
  { variant, random }: { readonly variant: StreamVariant; readonly random: Random },
): void {
  const stored = playing.map(({ stream, occupiedBytes, speedBytesPerSec }) => ({
    ...{ minBytes: stream.storageBytes, occupiedBytes: Math.ceil(occupiedBytes) },
    ...{ maxBytesPerSec: stream.maxBytesPerSec, processedBytesPerSec: speedBytesPerSec },
  }));
  if (!rulesOf(variant).isIntegrated) {
    for (const one of playing) one.quotaBytes = storageBytes;
    return;
  }
  const floors = stored.reduce((sum, it) => sum + floorOf(it), 0);
  if (floors > storageBytes) {
    // Those above their minimum keep what they occupy; the others have what is left of it until space is
    // free.
    const occupied = stored.reduce((sum, { occupiedBytes }) => sum + occupiedBytes, 0);
    const missing = stored.reduce((sum, it) => sum + floorOf(it) - it.occupiedBytes, 0);
    const part = Math.max(0, storageBytes - occupied) / missing;
    for (const [at, one] of playing.entries()) {
      const own = stored[at].occupiedBytes;
      one.quotaBytes = own + Math.floor((floorOf(stored[at]) - own) * part);
    }
    return;
  }
  const drawn = variant === "literal" ? drawnQuotas(stored.map(floorOf), storageBytes, random) : undefined;
  const quotas = drawn ?? allocateStorage(stored, { storageBytes, rules: STREAM_RULES });
  for (const [at, one] of playing.entries()) one.quotaBytes = quotas[at];
}

/** Tries of a simulation: those of live use would take minutes where the odds are poor. */
const DRAWS = 10_000;

function drawnQuotas(
  minimaBytes: readonly number[],
  storageBytes: number,
  random: Random,
): readonly number[] | undefined {
  return drawStorage({ storageBytes, minimaBytes, draw: "uniform", tries: DRAWS, random }).quotasBytes;
}

/** Moves storage between the running streams; true where any quota changed. */
export function moveQuotas(playing: readonly PlayingStream[]): boolean {
  const quotas = moveStorage(
    playing.map(({ quotaBytes, stream, occupiedBytes }) => ({
      ...{ quotaBytes, minBytes: Math.min(quotaBytes, stream.storageBytes) },
      occupiedBytes: Math.ceil(occupiedBytes),
    })),
    STREAM_RULES.storageMove,
  );
  let hasChanged = false;
  for (const [at, one] of playing.entries()) {
    hasChanged ||= quotas[at] !== one.quotaBytes;
    one.quotaBytes = quotas[at];
  }
  return hasChanged;
}
