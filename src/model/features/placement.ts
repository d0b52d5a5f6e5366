/**
 * Which site's queue a job goes into, and who starts there.
 */
import { counted, sizeText, some } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";
import type { RecommendedPlace } from "../job.ts";
import type { RefusalText } from "../problem-text.ts";
import type { SiteNeed } from "../site-amounts.ts";

interface PlacementTypes {
  readonly event: /** A decision: no site takes these now; they wait until one opens. */
    | { readonly kind: "jobsParked"; readonly jobs: readonly string[] }
    /** A decision: into which site's queue a job goes. */
    | {
        readonly kind: "jobPlaced";
        readonly job: string;
        readonly attempt: number;
        readonly site: string;
        /** Prediction for the site when it was chosen among several, to be scored. */
        readonly recommended?: RecommendedPlace;
      }
    /** A decision: the site's queue was looked at, and these attempts start. */
    | { readonly kind: "queueSettled"; readonly site: string; readonly starts: readonly string[] };
  readonly refusal: PlacementRefusal;
}

type PlacementRefusal =
  | { readonly kind: "noSite" }
  /** More than any site it may use has in all. */
  | {
      readonly kind: "widerThanAnySite";
      readonly procs: number;
      readonly memoryBytes: number;
      /** Absent: none are asked for. */
      readonly gpus?: number;
      readonly sites: readonly {
        readonly site: string;
        readonly procs: number;
        readonly memoryBytes: number;
        readonly gpus?: number;
      }[];
    }
  /** Every site that is large enough imitates jobs, and the job names none of them. */
  | { readonly kind: "onlyImitated"; readonly sites: readonly string[] }
  /** None of the sites that it may use has any GPU. */
  | { readonly kind: "gpusNotOffered"; readonly gpus: number };

export const placement: FeatureModel<PlacementTypes> = {
  events: { jobsParked: 1, jobPlaced: 1, queueSettled: 1 },
  refusals: {
    noSite: {
      status: 422,
      text: () => ({
        what: "the job cannot be placed",
        why: "this broker has no site yet",
        remedy: "add one with `stint site add`, or start the broker with `stint up --this-machine`",
      }),
    },
    widerThanAnySite: { status: 422, text: widerText },
    onlyImitated: {
      status: 422,
      text: ({ sites }) => ({
        what: "no site can run the job",
        why: `${some(sites)} only simulates jobs, and no other site is large enough`,
        remedy:
          `to simulate the job, name such a site (--site ${sites[0]}); to ` +
          "run it, add a site that runs jobs",
      }),
    },
    gpusNotOffered: {
      status: 422,
      text: ({ gpus }) => ({
        what: `no site offers ${counted(gpus, "GPU")}`,
        why: "no site that the job may use has GPUs",
        remedy:
          "add a site that has GPUs (`gpus: N` in stint.yaml, `stint site add --gpus N`), or ask for none",
      }),
    },
  },
};

function widerText({
  sites,
  ...asked
}: Extract<PlacementRefusal, { kind: "widerThanAnySite" }>): RefusalText {
  const has = sites.map(({ site, ...size }) => `${site} has ${amountsText(size)}`);
  return {
    what: `no site is large enough for ${amountsText(asked)}`,
    why: has.length === 0 ? "no site may take the job" : some(has),
    remedy: "request no more than the largest site has, or split the job",
  };
}

/** `4 processors, 8G of memory and 1 GPU`; memory of 0 bytes and absent GPUs are left out. */
function amountsText({ procs, memoryBytes = 0, gpus }: SiteNeed): string {
  const texts = [
    counted(procs, "processor"),
    ...(memoryBytes > 0 ? [`${sizeText(memoryBytes)} of memory`] : []),
    ...(gpus === undefined ? [] : [counted(gpus, "GPU")]),
  ];
  return some(texts);
}
