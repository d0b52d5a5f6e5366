/** Amounts of processor time in columns. */

const SEC_PER_HOUR = 3600;
const LEAST = 0.01;

/** Processor-seconds in hours: to hundredths below 100, else whole; `<0.01` for less than that. */
export function hoursText(procSec: number): string {
  const hours = procSec / SEC_PER_HOUR;
  if (hours > 0 && hours < LEAST) return `<${LEAST}`;
  return hours < 100 ? String(Number(hours.toFixed(2))) : String(Math.round(hours));
}
