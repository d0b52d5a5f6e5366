/** Dependencies of the questions that the API answers. */
import type { BrokerApi, Clock, Logbook, Round } from "../runtime/index.ts";
import type { PastStates } from "./past-states.ts";
import type { Plans } from "./plans.ts";
import type { Predictions } from "./predictions/predictions.ts";
import type { ResponseBook } from "./response-times.ts";
import type { Retirement } from "./retirement.ts";
import type { Sandboxes } from "./sandbox.ts";
import type { SiteCare } from "./site-care.ts";
import type { Sites } from "./sites.ts";
import type { StreamKeeper } from "./streams/keep-streams.ts";
import type { Transfers } from "./transfers.ts";
import type { Trials } from "./trials/trials.ts";
import type { UsageKeeper } from "./usage-history.ts";

/**
 * Everything that the tables of questions use. A table implements the questions of one subject; the API is
 * all tables together, so a new question is declared in `runtime` and implemented in its table.
 */
export interface ApiWorld {
  readonly round: Round;
  readonly logbook: Logbook;
  readonly clock: Clock;
  readonly sandboxes: Sandboxes;
  readonly care: SiteCare;
  readonly streamProgram: readonly string[];
  readonly sites: Sites;
  readonly predictions: Pick<Predictions, "when" | "virtual" | "explain" | "respond" | "promised">;
  readonly observed: UsageKeeper;
  readonly transfers: Transfers;
  readonly retirement: Pick<Retirement, "clear" | "purge">;
  readonly trials: Pick<Trials, "make" | "plan" | "leftFree" | "slots">;
  readonly streams: Pick<StreamKeeper, "figures" | "noteEnd" | "problem">;
  readonly plans: Plans;
  readonly pastStates: PastStates;
  readonly responses: ResponseBook;
  /** A job, over or not. */
  readonly find: BrokerApi["job"];
  /** Runs commands with the same name, such as that of a site, one after the other. */
  readonly inTurn: <T>(name: string, run: () => Promise<T>) => Promise<T>;
}
