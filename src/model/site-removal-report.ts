/**
 * What came of removing a site: what is gone with it, and what stays where. A sentence each.
 */
export interface SiteRemovalReport {
  readonly removed: readonly string[];
  readonly left: readonly string[];
}
