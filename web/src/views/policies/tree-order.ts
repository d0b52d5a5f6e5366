import type { LevelUsageView } from "../../app/client.ts";

type Level = Pick<LevelUsageView, "consumer" | "resource">;

/** Levels with each consumer before those below it. */
export function inTreeOrder<L extends Level>(levels: readonly L[]): readonly L[] {
  // The end of a path sorts before its separator, and both before every letter.
  const key = ({ consumer, resource }: Level) => `${consumer.replaceAll("/", "\u0001")}\u0000${resource}`;
  return levels.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}
