/** Dependencies of a broker on its environment. */
import type { Command, SiteSpec, StintEvent } from "../model/index.ts";
import type { Clock, ForeignSite, Logbook, ManagedSite, Samples } from "../runtime/index.ts";
import type { Retention } from "./job-retention.ts";
import type { Sandboxes } from "./sandbox.ts";
import type { SiteCare } from "./site-care.ts";

/** A site that is open, by its kind. */
export type OpenSite =
  | { readonly kind: "managed"; readonly site: ManagedSite }
  | { readonly kind: "foreign"; readonly site: ForeignSite };

/** Everything of its environment that a broker uses. */
export interface BrokerParts {
  readonly logbook: Logbook;
  /**
   * Opens a site: each one in the log when the broker starts, and each added one. The broker closes what it
   * opened.
   *
   * @throws a Fault that says what is wrong with the site as it is configured
   */
  readonly openSite: (name: string, spec: SiteSpec) => Promise<OpenSite>;
  /** Looks after sites besides; where absent there is nothing to look after. */
  readonly care?: SiteCare;
  readonly sandboxes: Sandboxes;
  /** Store for samples of use; absent: no samples. */
  readonly samples?: Samples;
  readonly clock: Clock;
  /** Retention of ended jobs; absent: they are kept until somebody removes them. */
  readonly retention?: Retention;
  /** Words that start Stint on this machine, for the wrappers of streams; absent: no streams. */
  readonly streamProgram?: readonly string[];
  /** Asked before anything is decided; a "no" is warned of. */
  readonly atStart?: readonly Command[];
  /** Writes a failure outside any request to the service's log, as one line. */
  readonly warn: (message: string) => void;
  /** Called with each event when it is durable, in order. */
  readonly onEvent?: (event: StintEvent) => void;
  /** The log cannot be written (rule BR-6). */
  readonly onBroken: (error: unknown) => void;
}
