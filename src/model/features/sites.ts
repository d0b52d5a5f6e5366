/**
 * Sites: added, changed, drained, opened again, removed.
 */
import { counted, nearestWord, some } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";
import type { RefusalText } from "../problem-text.ts";
import type { SiteSpec } from "../site-spec.ts";

interface SitesTypes {
  readonly command:
    | { readonly kind: "addSite"; readonly site: string; readonly spec: SiteSpec }
    | { readonly kind: "changeSite"; readonly site: string; readonly spec: SiteSpec }
    | { readonly kind: "drainSite"; readonly site: string; readonly by: string }
    | { readonly kind: "reopenSite"; readonly site: string; readonly by: string }
    | { readonly kind: "removeSite"; readonly site: string; readonly by: string };
  readonly event:
    | { readonly kind: "siteAdded" | "siteChanged"; readonly site: string; readonly spec: SiteSpec }
    /** No new job goes there; those that are there go on. */
    | { readonly kind: "siteDrained" | "siteReopened"; readonly site: string; readonly by: string }
    /** No job of ours is there, and none comes any more; its name is free. */
    | { readonly kind: "siteRemoved"; readonly site: string; readonly by: string };
  readonly refusal: SitesRefusal;
}

type SitesRefusal =
  | { readonly kind: "unknownSite"; readonly site: string; readonly known: readonly string[] }
  | { readonly kind: "siteNameInvalid"; readonly site: string }
  /** A site of another type, or one too small for jobs that it has: it cannot become that. */
  | {
      readonly kind: "siteTypeFixed";
      readonly site: string;
      readonly present: string;
      readonly asked: string;
    }
  | { readonly kind: "siteInUse"; readonly site: string; readonly job: string }
  /** Jobs that are not over are there or wait for it by name; the first of them, and how many in all. */
  | {
      readonly kind: "siteHasJobs";
      readonly site: string;
      readonly jobs: readonly string[];
      readonly count: number;
      readonly isDraining: boolean;
    }
  /** The cluster's own shares were changed for us, and not taken back: so many changes. */
  | { readonly kind: "siteHasShares"; readonly site: string; readonly count: number };

export const sites: FeatureModel<SitesTypes> = {
  events: { siteAdded: 1, siteChanged: 1, siteDrained: 1, siteReopened: 1, siteRemoved: 1 },
  refusals: {
    unknownSite: { status: 422, text: unknownSiteText },
    siteNameInvalid: {
      status: 422,
      text: ({ site }) => ({
        what: `${site.slice(0, 80)} is not a valid site name`,
        why: "a name is up to 63 letters, digits and . _ -, and begins with a letter or a digit",
        remedy: "choose a name like cluster-a",
      }),
    },
    siteTypeFixed: {
      status: 409,
      text: ({ site, present, asked }) => ({
        what: `site ${site} cannot become ${asked}`,
        why: `it is ${present}, and it has jobs`,
        remedy: "choose another name for the new site",
      }),
    },
    siteInUse: {
      status: 409,
      text: ({ site, job }) => ({
        what: `site ${site} cannot be reduced to that size`,
        why: `job ${job} is there and needs more resources than would remain`,
        remedy: `wait until it has ended, or cancel it: \`stint cancel ${job}\``,
      }),
    },
    siteHasJobs: { status: 409, text: siteHasJobsText },
    siteHasShares: {
      status: 409,
      text: ({ site, count }) => ({
        what: `site ${site} cannot be removed`,
        why: `${counted(count, "change")} that Stint made in the cluster would remain`,
        remedy: `undo these changes first: \`stint policy compile ${site} --take-back\``,
      }),
    },
  },
};

function unknownSiteText({ site, known }: Extract<SitesRefusal, { kind: "unknownSite" }>): RefusalText {
  const near = nearestWord(site, known);
  return {
    what: `there is no site ${site}`,
    why: known.length === 0 ? "this broker has no site yet" : `this broker knows ${some(known)}`,
    remedy: near === undefined ? "name one of its sites, or omit it to let Stint choose" : `write ${near}`,
  };
}

function siteHasJobsText({
  site,
  jobs,
  count,
  isDraining,
}: Extract<SitesRefusal, { kind: "siteHasJobs" }>): RefusalText {
  const more = count > jobs.length ? [`${count - jobs.length} more`] : [];
  const noMore = isDraining ? "" : `stop new jobs with \`stint site drain ${site}\`; `;
  return {
    what: `site ${site} cannot be removed`,
    why: `jobs that are there, or assigned to it, have not ended: ${some([...jobs, ...more])}`,
    remedy: `${noMore}wait until they have ended, or cancel them with \`stint cancel\``,
  };
}
