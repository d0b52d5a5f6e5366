/**
 * What keeps new files out of a store, counted tick by tick (rules PO-57 and PO-58).
 */
import type { Policy } from "../../src/model/index.ts";

/** What is stored of whom, a number of bytes a tick; the last tick is now. */
export type PlainCourses = Readonly<Record<string, readonly number[]>>;

/** `burst vo`, `epoch vo/group`, `capacity`, or undefined. */
export function plainQuota(
  policies: readonly Policy[],
  courses: PlainCourses,
  wish: { readonly consumer: string; readonly asked: number; readonly capacity: number },
): string | undefined {
  const { consumer, asked, capacity } = wish;
  const ticks = Math.max(...Object.values(courses).map((course) => course.length));
  const storedAt = (level: string, tick: number): number =>
    Object.entries(courses)
      .filter(([whose]) => level === "" || whose === level || whose.startsWith(`${level}/`))
      .reduce((sum, [, course]) => sum + (course[tick] ?? 0), 0);
  const named = policies
    .filter((it) => consumer === it.consumer || consumer.startsWith(`${it.consumer}/`))
    .sort((one, other) => one.consumer.length - other.consumer.length);
  for (const policy of named) {
    const level = policy.consumer;
    const most = share(policies, policy, "burst") * capacity;
    if (storedAt(level, ticks - 1) + asked > most + 1e-9) return `burst ${level}`;
    if (policy.rule !== "cap" || policy.epoch.window.kind !== "sliding") continue;
    const { lengthMs } = policy.epoch.window;
    let used = 0;
    // The amount of a tick is stored until the next one; the last tick has only just begun.
    for (let tick = Math.max(0, ticks - 1 - lengthMs); tick < ticks - 1; tick++)
      used += storedAt(level, tick);
    if (used >= share(policies, policy, "epoch") * capacity * lengthMs - 1e-9) return `epoch ${level}`;
  }
  return asked > 0 && storedAt("", ticks - 1) + asked > capacity ? "capacity" : undefined;
}

/** Of the place's capacity, down the path. */
function share(policies: readonly Policy[], policy: Policy, which: "epoch" | "burst"): number {
  const giver = policies.find((it) => it.consumer === policy.provider);
  return (policy[which].sharePpm / 1_000_000) * (giver === undefined ? 1 : share(policies, giver, which));
}
