/**
 * A course as a line of small bars, for a terminal.
 */

const BARS = [..."▁▂▃▄▅▆▇█"];
/** Nothing is known: unlike the lowest bar, which is nothing or next to it. */
const GAP = "·";

/**
 * The bars of values from 0 to `most`; what is above has the highest. Where there are more values than fit,
 * several make one bar, as high as their mean over those that are known.
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
