/**
 * Fields that had another name in earlier versions: what is sent under an old name is told the new one.
 */

/** The present name of each old one. Where a place knows no field of the present name, it was never there. */
export const RENAMED = {
  cpuNumber: "procs",
  wallTimeMs: "wallTimeSec",
  defaultWallTimeMs: "defaultWallTimeSec",
  skipMs: "skipSec",
  orderMs: "orderSec",
  startMs: "startSec",
  aheadMs: "aheadSec",
  longestMs: "longestSec",
  noticeMs: "noticeSec",
  farMs: "farSec",
  offerMs: "offerSec",
  clockMs: "clockSec",
  fromMs: "fromSec",
  untilMs: "untilSec",
  minRunMs: "minRunSec",
  leaseMs: "leaseSec",
  lengthMs: "lengthSec",
  offsetMs: "offsetSec",
  bucketMs: "bucketSec",
  asOfMs: "asOf",
  startedAtMs: "startedAt",
  limitMs: "wallTimeSec",
  overMs: "overSec",
  cpuMs: "cpuSec",
  usedMs: "usedSec",
} as const;
