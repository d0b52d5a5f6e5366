/** Results of `stint site test`: abilities of a site that work or fail, each with a remedy. */

/** One tested ability. */
export interface SiteCheck {
  /** Subject of the test: `controller`, `jobs of others`, `submission`. */
  readonly what: string;
  /** Null where a test would need an action that was not granted. */
  readonly works: boolean | null;
  /** True where the site's configuration needs this ability. */
  readonly isNeeded: boolean;
  /** Observation, in one sentence. */
  readonly why: string;
  /** Remedy, or the missing right; null for none. */
  readonly remedy: string | null;
}
