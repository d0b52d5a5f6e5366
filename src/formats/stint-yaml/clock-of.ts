/**
 * Clocks at a fixed distance from UTC.
 */
import { echoText } from "../echo-text.ts";
import { type NamedValue, numberOrText, shown } from "../yaml/index.ts";

const MINUTE_MS = 60_000;

/** How far a clock is ahead of UTC: `UTC`, `+01:00`. */
export function clockOf(named: NamedValue): number | undefined {
  const written = numberOrText(named, "clock: UTC");
  if (written === undefined) return undefined;
  if (/^(UTC|Z)$/i.test(written.text)) return 0;
  const match = /^([+-])(\d\d):([0-5]\d)$/.exec(written.text);
  if (match !== null && Number(match[2]) <= 14) {
    const minutes = Number(match[2]) * 60 + Number(match[3]);
    return (match[1] === "-" ? -minutes : minutes) * MINUTE_MS;
  }
  named.notes.problem(written.at, {
    code: "badClock",
    what: `${shown(named.name)}: ${echoText(written.text)} is no clock`,
    why: "a clock is at a fixed distance from UTC, so that all its days have the same length",
    remedy: "write UTC, or for instance +01:00",
  });
  return undefined;
}
