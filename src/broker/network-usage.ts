/**
 * What the levels of a site's network policies have had passed, as an observation point tells it (rule
 * BR-55): measured since the broker began, over a window by whole minutes.
 */
import { mulDiv } from "../base/index.ts";
import { type LevelUsage, type SiteState, sharesAt } from "../engine/index.ts";
import { networkBytesPerSecOf, WHOLE_SHARE } from "../model/index.ts";
import { calendarWindow, type ShareNode } from "../policy/index.ts";
import type { Round } from "../runtime/index.ts";
import type { LevelTransfer, Transfers } from "./transfers.ts";

const MINUTE_MS = 60_000;

/** A row for each level that a network policy names; none where the site declares no link. */
export function networkUsage(
  round: Round,
  { name, spec }: SiteState,
  transfers: Pick<Transfers, "passed">,
): readonly LevelUsage[] {
  const nowMs = round.nowMs();
  const capacity = networkBytesPerSecOf(spec);
  const nodes = sharesAt(round.projection, name, nowMs)?.nodes.get("network");
  if (capacity === 0 || nodes === undefined) return [];
  const passed = transfers.passed(name);
  return [...nodes.values()].flatMap((node) => {
    if (node.policy === null) return [];
    const its = passed.filter(({ consumer }) => isOf(consumer, node.path));
    const { path: consumer, window, epochShare, burstShare, rule, mode } = node;
    return {
      ...({ resource: "network", consumer, window, rule, mode } as const),
      inUse: its.reduce((sum, { bytesPerSec }) => sum + bytesPerSec, 0),
      ...{ waiting: 0, jobsRunning: 0, jobsWaiting: 0 },
      usedPpm: usedPpm(its, node, capacity, nowMs),
      epochPpm: mulDiv(epochShare, 1_000_000, WHOLE_SHARE, "down"),
      burstPpm: mulDiv(burstShare, 1_000_000, WHOLE_SHARE, "down"),
    };
  });
}

function isOf(consumer: string, level: string): boolean {
  return consumer === level || consumer.startsWith(`${level}/`);
}

function usedPpm(
  its: readonly LevelTransfer[],
  { window }: ShareNode,
  capacity: number,
  nowMs: number,
): number {
  const { startMs, endMs } =
    window.kind === "sliding"
      ? { startMs: nowMs - window.lengthMs, endMs: nowMs }
      : calendarWindow(window.unit, nowMs, window.offsetMs);
  let bytes = 0n;
  for (const { minutes } of its) {
    for (const [minute, amount] of minutes) if ((minute + 1) * MINUTE_MS > startMs) bytes += BigInt(amount);
  }
  const whole = BigInt(capacity) * BigInt(endMs - startMs);
  return Number((bytes * 1_000_000_000n) / whole);
}
