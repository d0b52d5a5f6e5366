/** Operations on a site itself rather than on its jobs: check and removal. */
import type { SiteCheck, SiteRemovalReport, SiteSpec } from "../model/index.ts";

/** Operations provided by the opener of sites. */
export interface SiteCare {
  /** Tries what will work there; `name` is null of a site that is not added. Changes nothing. */
  test(name: string | null, spec: SiteSpec): Promise<readonly SiteCheck[]>;
  /**
   * Removes everything of ours at a detached site, or only reports what remains there.
   *
   * @throws Fault where that cannot be done
   */
  leave(name: string, spec: SiteSpec, isClean: boolean): Promise<SiteRemovalReport>;
  /** Deletes the folder of a removed site, or archives it. */
  putAway(name: string, spec: SiteSpec, isClean: boolean): Promise<SiteRemovalReport>;
}

/** Site care that does nothing, for sites outside of which nothing has to be looked after. */
export const NO_CARE: SiteCare = {
  test: async () => [],
  leave: async () => ({ removed: [], left: [] }),
  putAway: async () => ({ removed: [], left: [] }),
};
