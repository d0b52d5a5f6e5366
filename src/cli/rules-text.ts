/** Names of the price rules of a site that a price comes from. */
import type { RuleUseView } from "../api/client/index.ts";
import { formatDuration } from "../base/index.ts";

/** Names with their times: `night`, or `day for 4h, night for 8h`; null where no price rule applied. */
export function rulesText(rules: readonly RuleUseView[]): string | null {
  if (rules.every(({ rule }) => rule === null)) return null;
  const name = (rule: string | null): string => rule ?? "no rule";
  if (rules.length === 1) return name(rules[0].rule);
  return rules
    .map(({ rule, durationSec }) => `${name(rule)} for ${formatDuration(Math.round(1000 * durationSec))}`)
    .join(", ");
}
