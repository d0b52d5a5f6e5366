/**
 * What all pairs say together: means over seeds with their intervals, and what was measured for what was
 * priced.
 */
import type { Discipline, Interval } from "../../src/model/index.ts";
import { meanOf, ratioOf } from "./compare.ts";
import { byDiscipline, type MeasuredPair } from "./pair.ts";
import type { LimitUse } from "./workload.ts";

/** Of one kind of workload. Amounts in processor-minutes. */
export interface TruthSummary {
  readonly use: LimitUse;
  readonly pairs: readonly MeasuredPair[];
  readonly priced: Interval;
  /** Of the jobs that waited: what started later; and with what started earlier taken off. */
  readonly measured: Interval;
  readonly measuredNet: Interval;
  readonly control: Interval;
  readonly controlNet: Interval;
  /** measured − priced, pair by pair. */
  readonly difference: Interval;
  /** measured − control, pair by pair. */
  readonly beyondControl: Interval;
  readonly afterwards: Interval;
  /** measured ÷ priced; undefined where nothing was priced. */
  readonly ratio: Interval | undefined;
  /** net measured ÷ priced. */
  readonly netRatio: Interval | undefined;
  /** measured ÷ what the same look would have cost, over the pairs in which the slot was possible. */
  readonly ratioBy: Readonly<Record<Discipline, Interval | undefined>>;
  /** measured ÷ what the slot does in our own site machine with the real run times, likewise. */
  readonly ratioToSimulated: Readonly<Record<Discipline, Interval | undefined>>;
  /** Slots that could not be had, of all that were asked for. */
  readonly refused: number;
}

const MINUTE_MS = 60_000;

/** Processor-milliseconds in processor-minutes. */
export function procMinutes(procMs: number): number {
  return procMs / MINUTE_MS;
}

/** The summary of at least one pair. */
export function summaryOf(use: LimitUse, pairs: readonly MeasuredPair[]): TruthSummary {
  const mean = (of: (pair: MeasuredPair) => number): Interval =>
    meanOf(pairs.map((pair) => procMinutes(of(pair))));
  const later = ({ measured }: MeasuredPair): number => measured.laterProcMs;
  const ratioTo = (of: (pair: MeasuredPair) => number | null): Interval | undefined =>
    ratioOf(
      pairs.flatMap((pair): [number, number][] => {
        const base = of(pair);
        return base === null ? [] : [[base, later(pair)]];
      }),
    );
  return {
    ...{ use, pairs },
    priced: mean(({ pricedProcMs }) => pricedProcMs),
    measured: mean(later),
    measuredNet: mean(({ measured }) => measured.netProcMs),
    control: mean(({ control }) => control.laterProcMs),
    controlNet: mean(({ control }) => control.netProcMs),
    difference: mean((pair) => later(pair) - pair.pricedProcMs),
    beyondControl: mean((pair) => later(pair) - pair.control.laterProcMs),
    afterwards: mean(({ afterwards }) => afterwards.laterProcMs),
    ratio: ratioTo(({ pricedProcMs }) => pricedProcMs),
    netRatio: ratioOf(pairs.map(({ pricedProcMs, measured }) => [pricedProcMs, measured.netProcMs])),
    ratioBy: byDiscipline((it) => ratioTo(({ planned }) => planned[it])),
    ratioToSimulated: byDiscipline((it) => ratioTo(({ simulated }) => simulated[it])),
    refused: pairs.reduce((sum, { refusals }) => sum + refusals.length, 0),
  };
}

/** A mean and its interval, for people. */
export function intervalText({ mean, low, high }: Interval, digits: number): string {
  const text = mean.toFixed(digits);
  return low === null || high === null
    ? text
    : `${text} (95 %: ${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}
