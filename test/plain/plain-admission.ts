/**
 * Admission of reservations, worked out plainly from rule PO-7: every tick of every window is looked at.
 *
 * Amounts and ticks are small integers; windows slide. Compared are products of integers: percent of
 * percent of capacity times ticks.
 */
import type { Policy } from "../../src/model/index.ts";

/** A rectangle; `end` null: for ever. */
export interface PlainBooking {
  readonly consumer: string;
  readonly amount: number;
  readonly start: number;
  readonly end: number | null;
}

/** Why a request is refused; the first that fails. */
export type PlainRefusal =
  | { readonly kind: "noPolicy" | "capacity" }
  | { readonly kind: "burst" | "epoch"; readonly level: string };

/** What is judged by. */
export interface PlainRules {
  readonly policies: readonly Policy[];
  readonly site: string;
  readonly capacity: number;
  /** Nothing is different from then on: behind all ends, by the longest window. */
  readonly horizon: number;
}

/** Whether the request is admitted beside what is booked. */
export function plainAdmits(
  { policies, site, capacity, horizon }: PlainRules,
  booked: readonly PlainBooking[],
  request: PlainBooking,
): PlainRefusal | undefined {
  const names = request.consumer.split("/");
  const paths = names.map((_, index) => names.slice(0, index + 1).join("/"));
  const levels = paths.flatMap((path) => {
    const named = policies.find((it) => it.consumer === path && providesTo(it, site));
    return named === undefined ? [] : [named];
  });
  if (levels.length === 0) return { kind: "noPolicy" };
  const all = [...booked, request];
  const amountAt = (path: string, tick: number) =>
    all
      .filter((it) => path === "" || isOf(it, path))
      .reduce((sum, it) => sum + (isOn(it, tick) ? it.amount : 0), 0);
  const ticks = Array.from({ length: horizon }, (_, tick) => tick);
  const asked = ticks.filter((tick) => isOn(request, tick));

  for (const [depth, { consumer }] of levels.entries()) {
    const above = levels.slice(0, depth + 1);
    const share = above.reduce((product, { burst }) => product * (burst.sharePpm / 10_000), 1);
    const limit = share * capacity;
    if (asked.some((tick) => amountAt(consumer, tick) * 100 ** above.length > limit)) {
      return { kind: "burst", level: consumer };
    }
  }
  for (const [depth, { consumer, epoch }] of levels.entries()) {
    if (epoch.window.kind !== "sliding") throw new Error("the plain version knows sliding windows only");
    const above = levels.slice(0, depth + 1);
    const { lengthMs } = epoch.window;
    const share = above.reduce((product, it) => product * (it.epoch.sharePpm / 10_000), 1);
    // Windows that the request is in: those that end after it began, and begin before it ended.
    const isOver = ticks.some((end) => {
      const window = Array.from({ length: lengthMs }, (_, back) => end - back);
      if (!window.some((tick) => isOn(request, tick))) return false;
      const used = window.reduce((sum, tick) => sum + amountAt(consumer, tick), 0);
      return used * 100 ** above.length > share * capacity * lengthMs;
    });
    if (isOver) return { kind: "epoch", level: consumer };
  }
  return asked.some((tick) => amountAt("", tick) > capacity) ? { kind: "capacity" } : undefined;
}

function providesTo({ provider, consumer }: Policy, site: string): boolean {
  return provider === site || consumer.startsWith(`${provider}/`);
}

function isOf({ consumer }: PlainBooking, path: string): boolean {
  return consumer === path || consumer.startsWith(`${path}/`);
}

function isOn({ start, end }: PlainBooking, tick: number): boolean {
  return tick >= start && (end === null || tick < end);
}
