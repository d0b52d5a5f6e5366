/**
 * A site that the broker works with, whatever its kind.
 */
import type { JobRecord, StintEvent } from "../model/index.ts";
import type { Clock, ForeignSite, Round, SiteFiles, SiteShares } from "../runtime/index.ts";
import type { Predictions } from "./predictions/predictions.ts";
import type { Sandboxes } from "./sandbox.ts";
import type { Snapshots } from "./snapshots.ts";
import type { Transfers } from "./transfers.ts";

/** A site at work. */
export interface AttachedSite {
  readonly files: SiteFiles;
  /** Snapshots of the whole cluster, where the site can show it. */
  readonly snapshot?: Snapshots | undefined;
  /** The cluster's own shares, where its batch system has any. */
  readonly shares?: SiteShares | undefined;
  /**
   * Sets the priority of a job in a queue that has priorities, after earlier orders for it.
   *
   * @throws Fault of the site
   */
  readonly setPriority?: ((job: string, priority: number, mayRaise: boolean) => Promise<void>) | undefined;
  /** False where running jobs cannot be suspended; absent: they can. */
  readonly canSuspend?: (() => boolean) | undefined;
  /** Looks at pilots there and at what they run; absent where there can be none. @throws Fault of the site */
  readonly lookAtPilots?: ForeignSite["lookAtPilots"] | undefined;
  /** Notes that somebody has asked for the ads of the site's queues; absent where the site has none. */
  readonly askForQueues?: (() => void) | undefined;
  /** Begins: effects may be dispatched before it resolves. */
  begin(): Promise<void>;
  /** Does what follows at this site from an event that is about it or one of its jobs. */
  dispatch(event: StintEvent): void;
  /** Waits for pending work and disconnects from the site; jobs there continue. */
  detach(): Promise<void>;
}

/** Dependencies of a site's driver on the broker. */
export interface SiteWorld {
  readonly round: Round;
  readonly clock: Clock;
  readonly sandboxes: Sandboxes;
  readonly transfers: Pick<Transfers, "pass">;
  readonly predictions: Pick<Predictions, "attached" | "detached" | "surveyed">;
  /** Has the last state of a job ready for its present attempt. */
  readonly carry: (job: JobRecord) => Promise<void>;
  /** A job's record, whether it has ended or not. */
  readonly find: (id: string) => Promise<JobRecord | undefined>;
  readonly warn: (message: string) => void;
  readonly onBroken: (error: unknown) => void;
}
