import { expect, it } from "vitest";
import { enforcementObstacleText } from "./enforcement-obstacle.ts";

it("what keeps an enforcer from acting is said with its end", () => {
  const at = (ms: number) => `${ms / 3_600_000} o'clock`;
  const texts = [
    { kind: "budget", actionsPerHour: 600, untilMs: 3_600_000 } as const,
    { kind: "suspendedShare", sharePpm: 500_000 } as const,
    { kind: "siteAway", why: "no answer" } as const,
    { kind: "noRight", verb: "hold", untilMs: 7_200_000 } as const,
  ].map((obstacle) => enforcementObstacleText(obstacle, at));
  expect(texts).toEqual([
    "the budget of 600 actions an hour is used up until 1 o'clock",
    "the limit of suspended processors is reached: 50 % of the site",
    "the site cannot be reached: no answer",
    "the site refuses the right to hold jobs; it is asked again at 2 o'clock",
  ]);
});
