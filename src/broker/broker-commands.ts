/**
 * Commands for which the engine's answer alone is not enough: files have to be copied first, a site opened,
 * or something that is over looked up in the views. All other commands go to the round as they are.
 */
import type { Answer } from "../engine/index.ts";
import type { Command, JobRecord, OfKind } from "../model/index.ts";
import type { Logbook, Round } from "../runtime/index.ts";
import type { Sandboxes } from "./sandbox.ts";
import type { Sites } from "./sites.ts";
import type { Transfers } from "./transfers.ts";
import type { Turns } from "./turns.ts";

/** Everything that handlers of commands use. */
export interface CommandWorld {
  readonly round: Round;
  readonly logbook: Logbook;
  readonly sites: Sites;
  readonly sandboxes: Sandboxes;
  readonly transfers: Pick<Transfers, "pass">;
  /** A job, over or not. */
  readonly find: (id: string) => Promise<JobRecord | undefined>;
  /** Submissions by owner: the jobs of an owner are accepted in the order in which they came. */
  readonly submissions: Turns;
  /** Runs the commands of one name one after the other. */
  readonly inTurn: <T>(name: string, run: () => Promise<T>) => Promise<T>;
}

/** Discriminant of a command. */
export type CommandKind = Command["kind"];
/** The commands of one kind. */
export type CommandOf<Kind extends CommandKind> = OfKind<Command, Kind>;
/** Commands by their kind. */
export interface CommandByKind extends Readonly<{ [Kind in CommandKind]: CommandOf<Kind> }> {}

/** Handlers of commands. */
export type BrokerAnswers = {
  readonly [Kind in CommandKind]?: (world: CommandWorld, command: CommandByKind[Kind]) => Promise<Answer>;
};
