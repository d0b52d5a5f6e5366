export { assert, unreachable } from "./assert.ts";
export { formatDuration, parseDuration } from "./duration-text.ts";
export { ExactSum } from "./exact-sum.ts";
export { Fault, type FaultFacts, type FaultKind, formatPosition, messageOf } from "./fault.ts";
export { copyHeap, createHeap, type Heap, peekHeap, popHeap, pushHeap, smallestKey } from "./heap.ts";
export { type IntersectionOf, joined } from "./joined.ts";
export { exactProduct, mulDiv, type Rounding } from "./mul-div.ts";
export { nearestWord } from "./nearest-word.ts";
export { packRows, type RowSpan, type UnplacedBar } from "./pack-rows.ts";
export {
  after,
  between,
  type DurationMs,
  durationMs,
  type InstantMs,
  instantMs,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  MS_PER_SECOND,
  PROC_MS_PER_SU,
  type ProcMs,
  type Procs,
  procMs,
  procs,
  type Quantity,
  type Thousandths,
  thousandths,
} from "./quantity.ts";
export type { QuantityRefusal } from "./quantity-text.ts";
export { createRandom, drawExponential, drawFraction, drawInteger, type Random } from "./random.ts";
export { formatRate, parseRate } from "./rate-text.ts";
export { accepted, type Result, refused } from "./result.ts";
export { formatSize, parseSize } from "./size-text.ts";
export { sortedPlaces } from "./sorted-places.ts";
export {
  counted,
  lengthText,
  offsetText,
  percentText,
  ppmPercent,
  roughTimeText,
  shortened,
  sizeText,
  some,
  suText,
  utcText,
} from "./text.ts";
export { isWholeText, wholeText } from "./whole-text.ts";
