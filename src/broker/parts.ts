/**
 * What a broker is made of: everything of the world that it uses, handed in.
 */
import type { Clock, Logbook, ManagedSite } from "../runtime/index.ts";
import type { Sandboxes } from "./sandbox.ts";

/** What a broker is made of. */
export interface BrokerParts {
  readonly logbook: Logbook;
  /** The site of this machine; its name is that of the site in the log. */
  readonly site: ManagedSite;
  readonly sandboxes: Sandboxes;
  readonly clock: Clock;
  /** Something went wrong that nobody asked about; one line for the service's log. */
  readonly warn: (message: string) => void;
  /** The log cannot be written (rule BR-6). */
  readonly onBroken: (error: unknown) => void;
}
