/** Obstacles to an enforcer, as facts and in words. */
import { unreachable } from "../base/index.ts";
import type { EnforcementVerb } from "./policy.ts";

/** Why an enforcer cannot act as it would. Instants are Unix ms. */
export type EnforcementObstacle =
  /** The limit of actions in this hour is reached. */
  | { readonly kind: "budget"; readonly actionsPerHour: number; readonly untilMs: number }
  /** As much of the site is suspended as may be at once, and somebody else would be. */
  | { readonly kind: "suspendedShare"; readonly sharePpm: number }
  /** The site cannot be seen or ordered; in its words. */
  | { readonly kind: "siteAway"; readonly why: string }
  /** The site refuses the right to this, and is asked again at that instant. */
  | { readonly kind: "noRight"; readonly verb: EnforcementVerb; readonly untilMs: number };

/** The obstacle in one clause. */
export function enforcementObstacleText(
  obstacle: EnforcementObstacle,
  formatInstant: (atMs: number) => string,
): string {
  switch (obstacle.kind) {
    case "budget":
      return (
        `the budget of ${obstacle.actionsPerHour} actions an hour is used up ` +
        `until ${formatInstant(obstacle.untilMs)}`
      );
    case "suspendedShare":
      return `the limit of suspended processors is reached: ${obstacle.sharePpm / 10_000} % of the site`;
    case "siteAway":
      return `the site cannot be reached: ${obstacle.why}`;
    case "noRight":
      return (
        `the site refuses the right to ${obstacle.verb} jobs; ` +
        `it is asked again at ${formatInstant(obstacle.untilMs)}`
      );
    default:
      return unreachable(obstacle);
  }
}
