/**
 * Who keeps the policies elsewhere, and when each was last heard of (rule BR-50).
 *
 * That it was heard of is not recorded: a follower that says the same again changes nothing.
 */
import type { Result } from "../base/index.ts";
import type { Command, Refusal } from "../model/index.ts";
import type { FollowerView, Round } from "../runtime/index.ts";

/** The followers of a broker. */
export interface FollowerBook {
  readonly follow: (
    command: Extract<Command, { kind: "followPolicies" }>,
  ) => Promise<Result<undefined, Refusal>>;
  readonly now: () => readonly FollowerView[];
}

/** Of nobody was heard yet. */
export function createFollowerBook(round: Round): FollowerBook {
  const heardAtMs = new Map<string, number>();
  return {
    async follow(command) {
      const answered = await round.ask(command);
      if (answered.ok) heardAtMs.set(command.follower, round.nowMs());
      return answered;
    },
    now: () =>
      [...round.projection.followers.values()]
        .sort((one, other) => (one.name < other.name ? -1 : 1))
        .map((follower) => ({ ...follower, heardAtMs: heardAtMs.get(follower.name) ?? null })),
  };
}
