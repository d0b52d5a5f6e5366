/**
 * What runs beyond a burst, and is stopped for it.
 *
 * A burst holds at every instant, so what began past the enforcer (at a site that is only looked at now and
 * then), or before a limit was lowered, is stopped as soon as it is seen, however short it has run. What is
 * wider than its burst is left alone: it could never go on.
 */
import type { EnforcementCause } from "../../model/index.ts";
import { stopFor } from "./cap.ts";
import { type Look, lastBegunFirst, type Row } from "./look.ts";

/**
 * Stops what runs of levels that are over their bursts, the last begun first, as far as that is granted.
 * Returns whether it stopped anything.
 */
export function stopOverBurst(look: Look): boolean {
  if (!isAnyOver(look)) return false;
  const before = look.steps.length;
  const running = look.rows
    .filter(({ state, isPossible }) => state === "running" && isPossible)
    .sort(lastBegunFirst);
  for (const row of running) {
    const over = overFor(look, row);
    if (over === undefined) continue;
    const cause: EnforcementCause = { kind: "burst", consumer: look.levels.list[over.level].path };
    stopFor(look, row, { column: over.column, cause });
  }
  return look.steps.length > before;
}

function isAnyOver({ now: { inUse }, levels: { bursts } }: Look): boolean {
  return bursts.some((burst, at) => inUse[at] > burst);
}

/** The uppermost level of a job that is over its burst of something that the job occupies. */
function overFor(
  { now: { inUse }, levels: { list, bursts } }: Look,
  { level, need }: Row,
): { readonly level: number; readonly column: number } | undefined {
  for (const index of list[level].line) {
    const column = need.findIndex((amount, at) => {
      const place = index * need.length + at;
      return amount > 0 && inUse[place] > bursts[place];
    });
    if (column >= 0) return { level: index, column };
  }
  return undefined;
}
