/**
 * Which price rules of a site a price was made by, in words.
 */
import type { RuleUseView } from "../api/client/index.ts";
import { formatDuration } from "../base/index.ts";

/** `night`, or `day for 4h, night for 8h`; null where none of the site's price rules counted. */
export function rulesText(rules: readonly RuleUseView[]): string | null {
  if (rules.every(({ rule }) => rule === null)) return null;
  const name = (rule: string | null): string => rule ?? "no rule";
  if (rules.length === 1) return name(rules[0].rule);
  return rules
    .map(({ rule, durationSec }) => `${name(rule)} for ${formatDuration(Math.round(1000 * durationSec))}`)
    .join(", ");
}
