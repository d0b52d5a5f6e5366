/**
 * Health of sites and of their nodes: where jobs fail as soon as they begin, the site or the node is set
 * aside, tested with single jobs, and readmitted step by step.
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
  /** The node on which it ran; absent: unknown, or several. */
  readonly node?: string;
}

/** Ends of attempts in a period; `period` counts days or minutes since the Unix epoch. */
export interface EndTally {
  readonly period: number;
  readonly ended: number;
  readonly quick: number;
}

/** A site or node that gets no jobs but tests. Instants are Unix ms. */
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
  /** Nodes that are set aside or take few jobs; absent: none. */
  readonly troubledNodes?: readonly string[];
}

/** Recent ends of attempts on a node, and what follows from them; rates and run times are the site's. */
export interface NodeHealth extends Omit<SiteHealth, "days" | "runs" | "troubledNodes"> {
  readonly node: string;
}

interface SiteHealthTypes {
  readonly event:
    | ({ readonly kind: "nodeSetAside"; readonly site: string; readonly node: string } & Pick<
        SetAside,
        "quick" | "ended"
      >)
    /** `by`: who reopened its site; null after two good tests. */
    | {
        readonly kind: "nodeReadmitted";
        readonly site: string;
        readonly node: string;
        readonly by: string | null;
      }
    | ({ readonly kind: "siteSetAside"; readonly site: string } & Pick<SetAside, "quick" | "ended">)
    /** `by`: who reopened it; null after two good tests. */
    | { readonly kind: "siteReadmitted"; readonly site: string; readonly by: string | null };
  readonly books: { readonly siteHealth: SiteHealth; readonly nodeHealth: NodeHealth };
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
    /** Nodes that the job avoids at its site; named unless the site publishes aggregates only. */
    | {
        readonly kind: "nodesAvoided";
        readonly site: string;
        readonly nodes: readonly string[];
        readonly count: number;
      }
    /** What the job runs failed so often as soon as it began, at all of these sites. */
    | { readonly kind: "failsEverywhere"; readonly sites: readonly string[]; readonly times: number };
}

export const siteHealth: FeatureModel<SiteHealthTypes> = {
  events: { siteSetAside: 1, siteReadmitted: 1, nodeSetAside: 1, nodeReadmitted: 1 },
  refusals: {},
  books: { siteHealth: ({ site }) => site, nodeHealth: ({ site, node }) => `${site}/${node}` },
  causes: {
    siteSetAside: ({ site, sinceMs, quick, ended, probeAtMs }, formatInstant) =>
      `${site} has been set aside since ${formatInstant(sinceMs)}: ${quick} of ${counted(ended, "job")} ` +
      `failed there as soon as they began; from ${formatInstant(probeAtMs)} on, one job at a time tests it`,
    siteOnTrial: ({ site, most, endedWell, needed }) =>
      `${site} was readmitted and takes ${counted(most, "job")} at a time until ${needed} have ended ` +
      `well (${endedWell} so far)`,
    nodesAvoided: ({ site, nodes, count }) =>
      `at ${site} it avoids ${nodes.length > 0 ? some(nodes) : counted(count, "node")}, where jobs failed ` +
      "as soon as they began; one job at a time tests such a node",
    failsEverywhere: ({ sites, times }) =>
      `the same program with the same arguments failed ${counted(times, "time")} in the last hour as soon ` +
      `as it began, at ${some(sites)}: its description is at fault, rather than the sites`,
  },
};
