/**
 * Why the usage policies of a site would never let a job go, as long as they stay: as data, and in words.
 */
import { some } from "../base/index.ts";
import type { RefusalText } from "./problem-text.ts";

/** Reason against a job at a site that does not pass with time. */
export interface PolicyDenial {
  readonly site: string;
  /** `noPolicy`: nothing is given there; `burst`, `capacity`: it is wider than may ever be had at once. */
  readonly limit: "noPolicy" | "burst" | "capacity";
  /** The consumer whose limit it is; null where it is the site's own. */
  readonly level: string | null;
}

/** `no policy gives vo0 anything there`. */
export function policyLimitText({ limit, level }: Omit<PolicyDenial, "site">): string {
  const whose = level ?? "the site";
  switch (limit) {
    case "noPolicy":
      return `no policy gives ${whose} anything there`;
    case "burst":
      return `it is larger than the burst limit of ${whose}`;
    case "capacity":
      return "it is larger than the site";
  }
}

/** The words for a job that the policies of every site it may use deny. */
export function policyDeniedText(consumer: string, denials: readonly PolicyDenial[]): RefusalText {
  return {
    what: `the usage policies do not permit this job of ${consumer}`,
    why: some(denials.map((denial) => `${denial.site}: ${policyLimitText(denial)}`)),
    remedy: "`stint when` shows where it could run; `stint policy show` lists the policies",
  };
}

/** Why sites are passed by, for a job that waits. */
export function policyNeverText(denials: readonly PolicyDenial[]): string {
  const each = denials.map((denial) => `${denial.site} would never let it go: ${policyLimitText(denial)}`);
  return `by the usage policies ${each.join("; ")}`;
}
