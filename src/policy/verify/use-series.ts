/**
 * Use of a level over time, for charts: the mean in use in each equal part of the period, and the use over
 * the epoch at its end, both in parts of the capacity. Verdicts do not depend on it; measures come from the
 * sweep.
 */
import { calendarWindow } from "../calendar.ts";
import { pathsTo } from "../share-tree.ts";
import type { CapacityStep, UseRecord } from "./evidence.ts";
import type { LevelState } from "./level-state.ts";
import { type LimitSteps, summed } from "./limit-steps.ts";
import type { Verification } from "./verify.ts";

/** Use of a level for each part of the period, in parts of one. */
export interface UseSeries {
  readonly partMs: number;
  readonly inUse: readonly number[];
  /** Use over the window, at the end of the part. */
  readonly overEpoch: readonly number[];
}

/** The use of a level in `count` equal parts of the period. */
export function useSeriesOf(
  { evidence, question }: Verification,
  level: LevelState,
  count: number,
): UseSeries {
  const { fromMs, toMs, definitions } = question;
  const used = useOf(level, evidence.records, definitions.nodeFailure === "provider");
  const capacity = capacityOf(evidence.capacity, level);
  const part = (from: number, to: number): number => {
    const whole = summed(capacity, from, to);
    return whole === 0n ? 0 : Number((summed(used, from, to) * 1_000_000n) / whole) / 1_000_000;
  };
  const borders = Array.from(
    { length: count + 1 },
    (_, i) => fromMs + Math.round((i * (toMs - fromMs)) / count),
  );
  const parts = borders.slice(1).map((to, i) => ({ from: borders[i], to }));
  const { window } = level.node;
  return {
    partMs: (toMs - fromMs) / count,
    inUse: parts.map(({ from, to }) => part(from, to)),
    overEpoch: parts.map(({ to }) => {
      if (window.kind === "sliding") return part(to - window.lengthMs, to);
      const { startMs, endMs } = calendarWindow(window.unit, to - 1, window.offsetMs);
      const whole = summed(capacity, startMs, endMs);
      return whole === 0n ? 0 : Number((summed(used, startMs, to) * 1_000_000n) / whole) / 1_000_000;
    }),
  };
}

function useOf(
  { resource, path }: LevelState,
  records: readonly UseRecord[],
  leavesLostOut: boolean,
): LimitSteps {
  const changes = new Map<number, bigint>();
  const add = (atMs: number, amount: bigint) => changes.set(atMs, (changes.get(atMs) ?? 0n) + amount);
  for (const { consumer, need, runs } of records) {
    const amount = BigInt(need[resource] ?? 0);
    if (amount === 0n || !pathsTo(consumer).includes(path)) continue;
    for (const { fromMs, toMs, isLost } of runs) {
      if (isLost === true && leavesLostOut) continue;
      add(fromMs, amount);
      if (toMs !== null) add(toMs, -amount);
    }
  }
  const atMs = [...changes.keys()].sort((one, other) => one - other);
  const values: bigint[] = [0n];
  for (const instantMs of atMs) values.push(values[values.length - 1] + (changes.get(instantMs) ?? 0n));
  return { atMs: [Number.NEGATIVE_INFINITY, ...atMs], values };
}

function capacityOf(steps: readonly CapacityStep[], { resource }: LevelState): LimitSteps {
  return {
    atMs: steps.map(({ fromMs }) => fromMs),
    values: steps.map(({ amounts }) => BigInt(amounts[resource] ?? 0)),
  };
}
