/**
 * What is done about a site itself rather than about its jobs: trying it out, and leaving it.
 */
import type { SiteCheck, SiteRemovalReport, SiteSpec } from "../model/index.ts";

/** What whoever opens sites knows to do about them besides. */
export interface SiteCare {
  /** Tries what will work there; `name` is null of a site that is not added. Changes nothing. */
  test(name: string | null, spec: SiteSpec): Promise<readonly SiteCheck[]>;
  /**
   * Takes away what of ours is at the site, or only says what stays there; nobody works with it now.
   *
   * @throws Fault where that cannot be done
   */
  leave(name: string, spec: SiteSpec, isClean: boolean): Promise<SiteRemovalReport>;
  /** The site is removed: its folder goes, or is kept where it is in nobody's way. */
  putAway(name: string, spec: SiteSpec, isClean: boolean): Promise<SiteRemovalReport>;
}

/** Of sites that have no surroundings. */
export const NO_CARE: SiteCare = {
  test: async () => [],
  leave: async () => ({ removed: [], left: [] }),
  putAway: async () => ({ removed: [], left: [] }),
};
