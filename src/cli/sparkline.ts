/** A series as a line of small bars, for a terminal. */

const BARS = [..."▁▂▃▄▅▆▇█"];
/** Mark of an unknown value; the lowest bar is zero or close to it. */
const GAP = "·";

/**
 * Bars of values from 0 to `most`; higher values get the highest bar. Where there are more values than
 * columns, a bar is the mean of several known values.
 */
export function sparkline(values: readonly (number | null)[], most: number, width: number): string {
  const count = Math.min(width, values.length);
  return Array.from({ length: count }, (_, bar) => {
    const begin = Math.floor((bar * values.length) / count);
    const end = Math.floor(((bar + 1) * values.length) / count);
    const known = values.slice(begin, end).filter((value) => value !== null);
    if (known.length === 0) return GAP;
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
    const height = most <= 0 ? 0 : Math.ceil((mean / most) * BARS.length) - 1;
    return BARS[Math.min(BARS.length - 1, Math.max(0, height))];
  }).join("");
}
