/** Obstacles to a job's files at a site, in words. */
import { sizeText, some } from "../base/index.ts";
import type { RefusalText } from "./problem-text.ts";
import type { StoreLimit } from "./stored-files.ts";

/** Remedy for a full store. */
const REMEDY =
  "download the output of your ended jobs (`stint output JOB`), then remove it (`stint clear JOB`)";

/**
 * Why a job waits for room in stores.
 *
 * @param formatInstant writes a Unix time in ms as its reader wants it
 */
export function storeFullText(
  limits: readonly StoreLimit[],
  formatInstant: (atMs: number) => string,
): string {
  const each = limits.map((limit) => limitText(limit, formatInstant));
  return `no site has room for its files: ${each.join("; ")}. To make room, ${REMEDY}`;
}

/** The words for files that no site would ever take. */
export function filesOverQuotaText(limits: readonly StoreLimit[]): RefusalText {
  const asked = sizeText(limits[0]?.askedBytes ?? 0);
  return {
    what:
      `the job's input files have ${asked}, which exceeds your storage ` +
      "limit at every site that it may use",
    why: some(limits.map((limit) => limitText({ ...limit, untilMs: null }, String))),
    remedy: "send fewer files and let the job download its data, or request a larger storage share",
  };
}

function limitText(
  { site, limit, level, provider, usedBytes, askedBytes, limitBytes, untilMs }: StoreLimit,
  formatInstant: (atMs: number) => string,
): string {
  const asked = askedBytes === 0 ? "" : `, and ${sizeText(askedBytes)} more are needed`;
  if (limit === "reservation") {
    const used = `${sizeText(usedBytes)} are used${asked}`;
    return `its reservation has ${sizeText(limitBytes)} of the stores of ${site}, of which ${used}`;
  }
  if (limit === "capacity") {
    const used = `${sizeText(usedBytes)} are used${asked}`;
    return `the stores of ${site} hold ${sizeText(limitBytes)}, of which ${used}`;
  }
  const whose = `${level ?? site} at ${site} (a storage policy of ${provider ?? site})`;
  const most = sizeText(limitBytes);
  if (limit === "burst") return `${whose} may store ${most} and uses ${sizeText(usedBytes)}${asked}`;
  const until = untilMs === null ? "" : `, until ${formatInstant(untilMs)} if nothing changes`;
  return (
    `${whose} may store ${most} on average over its window, and has ` +
    `stored ${sizeText(usedBytes)}${until}`
  );
}
