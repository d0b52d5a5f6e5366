import type { LevelUsageView } from "../../app/client.ts";

type Level = Pick<LevelUsageView, "consumer" | "resource">;

/** Each consumer before those that have a part of its share. */
export function inTreeOrder<L extends Level>(levels: readonly L[]): readonly L[] {
  // What separates the parts of a path sorts after what ends it, and both sort before every letter.
  const key = ({ consumer, resource }: Level) => `${consumer.replaceAll("/", "\u0001")}\u0000${resource}`;
  return levels.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}
