/**
 * The verdicts of a choice table, worked out plainly from rules PO-1, PO-21 and EN-73: everything is counted
 * anew for every site, from the policies as they were written and a list of jobs. Processors alone.
 */
import type { Policy } from "../../src/model/index.ts";

/** A job that is somewhere: it runs, or waits in the queue. */
export interface PlainJob {
  readonly site: string;
  readonly consumer: string;
  readonly procs: number;
  readonly runs: boolean;
}

/** What is asked. */
export interface PlainChoice {
  readonly policies: readonly Policy[];
  readonly jobs: readonly PlainJob[];
  readonly consumer: string;
  readonly procs: number;
}

/** `now`, `later burst vo`, `never noPolicy vo/g`, … of a site of so many processors. */
export function plainVerdict(
  { policies, jobs, consumer, procs }: PlainChoice,
  site: string,
  capacity: number,
): string {
  const there = jobs.filter((job) => job.site === site);
  const within = (path: string) =>
    there.filter((job) => job.consumer === path || job.consumer.startsWith(`${path}/`));
  const sum = (some: readonly PlainJob[]) => some.reduce((total, job) => total + job.procs, 0);
  const shares = levelShares(policies, site, consumer);
  const isAnybodyNamed = policies.some(({ provider }) => provider === site);
  if (!isAnybodyNamed) {
    if (procs > capacity) return "never capacity";
    return sum(there) + procs <= capacity ? "now" : "later free";
  }
  if (shares === undefined) return `never noPolicy ${consumer}`;
  if (procs > capacity) return "never capacity";
  const most = (share: bigint) => Number((share * BigInt(capacity)) / WHOLE);
  for (const { path, burst } of shares) if (procs > most(burst)) return `never burst ${path}`;
  for (const { path, burst } of shares) {
    const running = sum(within(path).filter(({ runs }) => runs));
    if (running + procs > most(burst)) return `later burst ${path}`;
  }
  return sum(there) + procs > capacity ? "later free" : "now";
}

const WHOLE = 10n ** 12n;

interface LevelShare {
  readonly path: string;
  readonly burst: bigint;
}

/** Down the path, each level's part of the place; undefined where no level is named. */
function levelShares(
  policies: readonly Policy[],
  site: string,
  consumer: string,
): readonly LevelShare[] | undefined {
  const levels: LevelShare[] = [];
  let [burst, isNamed] = [WHOLE, false];
  let path = "";
  for (const name of consumer.split("/")) {
    const above = path;
    path = above === "" ? name : `${above}/${name}`;
    const own = policies.findLast(
      (policy) =>
        policy.consumer === path && (policy.provider === site || (isNamed && policy.provider === above)),
    );
    if (own !== undefined) {
      burst = (burst * BigInt(own.burst.sharePpm)) / 1_000_000n;
      isNamed = true;
    }
    levels.push({ path, burst });
  }
  return isNamed ? levels : undefined;
}
