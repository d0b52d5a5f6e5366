/**
 * Columns of sessions for the search of the multiplier, and the rates they take at a multiplier.
 *
 * Equal to asking each session in turn (`test/plain/streams.ts`); for speed what does not depend on the
 * multiplier is computed once and stands in typed arrays.
 */
import { type Bounded, chordOf } from "./envelope.ts";

/** Sessions in columns. */
export interface Columns {
  readonly count: number;
  readonly kinds: Uint8Array;
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** Weight per unit: the slope scale of the utility. */
  readonly slope: Float64Array;
  readonly unit: Float64Array;
  /** α of α-fair utilities as 1/a, k of sigmoids. */
  readonly shape: Float64Array;
  readonly middle: Float64Array;
  readonly chordSlope: Float64Array;
  readonly chordEnd: Float64Array;
}

const LOG = 0;
const ROOT = 1;
const CHORD = 2;
const SIGMOID = 3;
const SQUARE_ROOT = 4;

/** Columns of these sessions. */
export function columnsOf(sessions: readonly Bounded[]): Columns {
  const count = sessions.length;
  const column = () => new Float64Array(count);
  const columns: Columns = {
    ...{ count, kinds: new Uint8Array(count), least: column(), most: column(), slope: column() },
    ...{ unit: column(), shape: column(), middle: column(), chordSlope: column(), chordEnd: column() },
  };
  for (const [at, session] of sessions.entries()) {
    const { utility, minBytesPerSec, maxBytesPerSec } = session;
    columns.least[at] = minBytesPerSec;
    columns.most[at] = Math.max(minBytesPerSec, maxBytesPerSec);
    columns.unit[at] = utility.unitBytesPerSec;
    columns.slope[at] = utility.weight / utility.unitBytesPerSec;
    if (utility.kind === "log") columns.kinds[at] = LOG;
    else if (utility.kind === "alpha") {
      columns.kinds[at] = utility.a === 2 ? SQUARE_ROOT : ROOT;
      columns.shape[at] = 1 / utility.a;
    } else {
      const { slope, end } = chordOf(session);
      columns.kinds[at] = utility.kind === "sigmoid" ? SIGMOID : CHORD;
      columns.chordSlope[at] = slope;
      columns.chordEnd[at] = end;
      if (utility.kind === "sigmoid") {
        columns.shape[at] = utility.k;
        columns.middle[at] = utility.x0;
      }
    }
  }
  return columns;
}

/** Writes the rates at the multiplier into `rates`; their sum. */
export function takeAt(columns: Columns, multiplier: number, rates: Float64Array): number {
  const { count, kinds, least, most, slope, unit } = columns;
  let sum = 0;
  for (let at = 0; at < count; at++) {
    let rate: number;
    const kind = kinds[at];
    if (kind === LOG) rate = (slope[at] * unit[at]) / multiplier - unit[at];
    else if (kind === SQUARE_ROOT) rate = unit[at] * Math.sqrt(slope[at] / multiplier);
    else if (kind === ROOT) rate = unit[at] * (slope[at] / multiplier) ** columns.shape[at];
    else if (kind === SIGMOID) rate = pastChord(columns, at, multiplier);
    else rate = multiplier > columns.chordSlope[at] ? 0 : columns.chordEnd[at];
    if (rate < least[at]) rate = least[at];
    else if (rate > most[at]) rate = most[at];
    rates[at] = rate;
    sum += rate;
  }
  return sum;
}

/** Rate of a sigmoid: its minimum above the chord's slope, else where the upper part has this slope. */
function pastChord(columns: Columns, at: number, multiplier: number): number {
  const { least, slope, unit, shape, middle, chordSlope, chordEnd } = columns;
  const isOnChord = chordSlope[at] > 0;
  if (isOnChord && multiplier > chordSlope[at]) return least[at];
  const part = 1 - (4 * multiplier) / (slope[at] * shape[at]);
  if (part <= 0) return Math.max(least[at], isOnChord ? chordEnd[at] : 0);
  const height = (1 + Math.sqrt(part)) / 2;
  const rate = unit[at] * (middle[at] + Math.log(height / (1 - height)) / shape[at]);
  return Math.max(rate, chordEnd[at]);
}
