/**
 * What works at a site and what does not, each with what would change it: the answer of `stint site test`.
 */

/** One thing that was tried. */
export interface SiteCheck {
  /** What it is about: `controller`, `jobs of others`, `submission`. */
  readonly what: string;
  /** Null where it cannot be told without doing what was not granted. */
  readonly works: boolean | null;
  /** Whether what the site is to do, as it is configured, takes it. */
  readonly isNeeded: boolean;
  /** What was seen, in one sentence. */
  readonly why: string;
  /** What to do, or which right would change it; null where nothing is to be done. */
  readonly remedy: string | null;
}
