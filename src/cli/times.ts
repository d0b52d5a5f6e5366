/**
 * Lengths of time as people read them.
 */

/** Seconds as `1h04m`, `3d02h`, `12.5s`: the two largest units, which is what one compares. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toFixed(seconds < 10 ? 1 : 0))}s`;
  const whole = Math.round(seconds);
  const days = Math.floor(whole / 86_400);
  const hours = Math.floor((whole % 86_400) / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  if (days > 0) return `${days}d${twoDigits(hours)}h`;
  if (hours > 0) return `${hours}h${twoDigits(minutes)}m`;
  return `${minutes}m${twoDigits(whole % 60)}s`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
