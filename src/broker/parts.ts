/**
 * What a broker is made of: everything of the world that it uses, handed in.
 */
import type { Command, SiteSpec } from "../model/index.ts";
import type { Clock, ForeignSite, Logbook, ManagedSite, Samples } from "../runtime/index.ts";
import type { Sandboxes } from "./sandbox.ts";
import type { SiteCare } from "./site-care.ts";

/** A site that is open, by its kind. */
export type OpenSite =
  | { readonly kind: "managed"; readonly site: ManagedSite }
  | { readonly kind: "foreign"; readonly site: ForeignSite };

/** What a broker is made of. */
export interface BrokerParts {
  readonly logbook: Logbook;
  /**
   * Opens a site: each one that the log knows when the broker starts, and each one that is added. The
   * broker closes what it opened.
   *
   * @throws a Fault that says what is wrong with the site as it is configured
   */
  readonly openSite: (name: string, spec: SiteSpec) => Promise<OpenSite>;
  /** Looks after sites besides; where absent there is nothing to look after. */
  readonly care?: SiteCare;
  readonly sandboxes: Sandboxes;
  /** Where samples of use are kept; none are where absent. */
  readonly samples?: Samples;
  readonly clock: Clock;
  /** Asked before anything is decided; a "no" is warned of. */
  readonly atStart?: readonly Command[];
  /** Something went wrong that nobody asked about; one line for the service's log. */
  readonly warn: (message: string) => void;
  /** The log cannot be written (rule BR-6). */
  readonly onBroken: (error: unknown) => void;
}
