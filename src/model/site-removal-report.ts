/** Report on a removed site: sentences on what was deleted, and on what remains where. */
export interface SiteRemovalReport {
  readonly removed: readonly string[];
  readonly left: readonly string[];
}
