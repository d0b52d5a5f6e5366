/**
 * Windows, crossings, shares and fairness, worked out plainly from rules PO-1 to PO-4: tick by tick.
 *
 * A course is what was in use in each tick of a ms, from tick 0; before it nothing was.
 */
import type { Policy } from "../../src/model/index.ts";

/** Amount by tick. */
export type Series = readonly number[];

/** PO-2: amount·ms over the last so many ticks, with the course going on as it ends. */
export function plainUsedOver(course: Series, lengthMs: number, nowMs: number): number {
  let used = 0;
  for (let tick = nowMs - lengthMs; tick < nowMs; tick++) used += inUseAt(course, tick);
  return used;
}

/** The first tick from now on at which the use is at the limit (or below it); null if there is none. */
export function plainCrossing(
  course: Series,
  {
    limit,
    lengthMs,
    isReached,
  }: { readonly limit: number; readonly lengthMs: number; readonly isReached: boolean },
  nowMs: number,
): number | null {
  for (let tick = nowMs; tick <= nowMs + 2 * lengthMs + course.length; tick++) {
    if (plainUsedOver(course, lengthMs, tick) >= limit === isReached) return tick;
  }
  return null;
}

function inUseAt(course: Series, tick: number): number {
  if (tick < 0 || course.length === 0) return 0;
  return course[Math.min(tick, course.length - 1)];
}

/** PO-1: the share of a consumer down its path, in parts of one; null where no level of it is named. */
export function plainShares(
  policies: readonly Policy[],
  site: string,
  consumer: string,
): { readonly epoch: number; readonly burst: number } | null {
  const names = consumer.split("/");
  let [epoch, burst, isNamed] = [1, 1, false];
  for (let depth = 1; depth <= names.length; depth++) {
    const path = names.slice(0, depth).join("/");
    const above = names.slice(0, depth - 1).join("/");
    const named = policies.find(
      (it) => it.consumer === path && it.provider === (above === "" ? site : above),
    );
    if (named === undefined) continue;
    epoch *= named.epoch.sharePpm / 1_000_000;
    burst *= named.burst.sharePpm / 1_000_000;
    isNamed = true;
  }
  return isNamed ? { epoch, burst } : null;
}

/**
 * PO-4: max-min fairness: everybody's part grows evenly until he has what he wants at most, or all is given.
 * In whole units; what does not divide is not given here.
 */
export function plainFairParts(wants: readonly number[], whole: number): readonly number[] {
  const given = wants.map(() => 0);
  let rest = whole;
  for (;;) {
    const hungry = wants.flatMap((want, index) => (given[index] < want ? [index] : []));
    if (hungry.length === 0 || rest < hungry.length) return given;
    for (const index of hungry) given[index]++;
    rest -= hungry.length;
  }
}
