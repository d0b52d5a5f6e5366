/**
 * Health of sites: a site at which jobs fail as soon as they begin is set aside, tested with single jobs, and
 * readmitted step by step.
 */
import { counted, some } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";

/** Attempt that was lost, or ended with an error sooner than jobs usually end there. */
export interface QuickFailure {
  readonly atMs: number;
  /** Executable and arguments, shortened. */
  readonly description: string;
  readonly owner: string;
  /** True if the site lost or could not begin it; false if its program ended with an error. */
  readonly isLost: boolean;
}

/** Ends of attempts in a period; `period` counts days or minutes since the Unix epoch. */
export interface EndTally {
  readonly period: number;
  readonly ended: number;
  readonly quick: number;
}

/** A site that gets no jobs but tests. Instants are Unix ms. */
interface SetAside {
  readonly sinceMs: number;
  /** Quick failures, of so many ends, for which it was set aside. */
  readonly quick: number;
  readonly ended: number;
  /** From when on the next job may be sent as a test. */
  readonly probeAtMs: number;
  readonly pauseMs: number;
  readonly goodProbes: number;
}

/** Recent ends of attempts at a site, and what follows from them. */
export interface SiteHealth {
  readonly site: string;
  /** The last 30 days with ends, today included. */
  readonly days: readonly EndTally[];
  /** The last 10 minutes with ends. */
  readonly minutes: readonly EndTally[];
  /** Of the last hour, oldest first. */
  readonly failures: readonly QuickFailure[];
  /** Counts of run times of jobs that ended well: entry i is for 2^i − 1 s up to 2^(i+1) − 1 s. */
  readonly runs: readonly number[];
  readonly aside: SetAside | null;
  /** Jobs that ended well since the site was readmitted; null: it takes as many jobs as ever. */
  readonly endedWell: number | null;
  /** Jobs sent there since it was set aside; those that are over may still be among them. */
  readonly sent: readonly string[];
}

interface SiteHealthTypes {
  readonly event:
    | ({ readonly kind: "siteSetAside"; readonly site: string } & Pick<SetAside, "quick" | "ended">)
    /** `by`: who reopened it; null after two good tests. */
    | { readonly kind: "siteReadmitted"; readonly site: string; readonly by: string | null };
  readonly books: { readonly siteHealth: SiteHealth };
  readonly cause:
    | ({ readonly kind: "siteSetAside"; readonly site: string } & Pick<
        SetAside,
        "sinceMs" | "quick" | "ended" | "probeAtMs"
      >)
    | {
        readonly kind: "siteOnTrial";
        readonly site: string;
        readonly most: number;
        readonly endedWell: number;
        readonly needed: number;
      }
    /** What the job runs failed so often as soon as it began, at all of these sites. */
    | { readonly kind: "failsEverywhere"; readonly sites: readonly string[]; readonly times: number };
}

export const siteHealth: FeatureModel<SiteHealthTypes> = {
  events: { siteSetAside: 1, siteReadmitted: 1 },
  refusals: {},
  books: { siteHealth: ({ site }) => site },
  causes: {
    siteSetAside: ({ site, sinceMs, quick, ended, probeAtMs }, formatInstant) =>
      `${site} has been set aside since ${formatInstant(sinceMs)}: ${quick} of ${counted(ended, "job")} ` +
      `failed there as soon as they began; from ${formatInstant(probeAtMs)} on, one job at a time tests it`,
    siteOnTrial: ({ site, most, endedWell, needed }) =>
      `${site} was readmitted and takes ${counted(most, "job")} at a time until ${needed} have ended ` +
      `well (${endedWell} so far)`,
    failsEverywhere: ({ sites, times }) =>
      `the same program with the same arguments failed ${counted(times, "time")} in the last hour as soon ` +
      `as it began, at ${some(sites)}: its description is at fault, rather than the sites`,
  },
};
