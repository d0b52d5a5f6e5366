/**
 * Fields that had another name in earlier versions; a request with an old name is answered with the new one.
 */

/** New name of each old one, where the place has a field of the new name. */
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
