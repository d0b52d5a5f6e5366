/**
 * The published parameters of Lublin & Feitelson's model [LF03].
 *
 * Fitted by its authors to the logs of three machines. `combined` is their fit to all jobs together and the
 * default; `batch` and `interactive` are their fits to the two kinds apart. Of sizes only the shape is here:
 * how wide jobs are depends on the machine.
 */
import type { LublinSet } from "../../model/index.ts";

/** Names as in the paper, in lower case where it uses indices. */
export interface LublinParameters {
  /** Probability of one processor. */
  readonly serialProb: number;
  /** Probability of a power of two, 2 or more. */
  readonly pow2Prob: number;
  /** log2 of the narrowest parallel job; below 1, so that 2 is drawn often enough. */
  readonly uLow: number;
  /** Distance of the bend of the two-stage uniform distribution below log2 of the machine. */
  readonly uMedBelow: number;
  /** Distance of the widest job below log2 of the machine. */
  readonly uHiBelow: number;
  /** Probability of the lower stage. */
  readonly uProb: number;
  /** Shape and scale of the short jobs' ln(runtime in s). */
  readonly a1: number;
  readonly b1: number;
  /** Shape and scale of the long jobs' ln(runtime in s). */
  readonly a2: number;
  readonly b2: number;
  /** The probability of a short job is pa × processors + pb, limited to 0 … 1. */
  readonly pa: number;
  readonly pb: number;
  /** Shape and scale of ln(seconds between arrivals) at rush hours. */
  readonly aArr: number;
  readonly bArr: number;
  /** Factor of aArr from rush hours to the whole day. */
  readonly arar: number;
  /** Shape and scale of the daily cycle, in half hours. */
  readonly aNum: number;
  readonly bNum: number;
}

/** The three sets. */
export const LUBLIN_PARAMETERS: Readonly<Record<LublinSet, LublinParameters>> = {
  combined: {
    serialProb: 0.244,
    pow2Prob: 0.576,
    uLow: 0.8,
    uMedBelow: 2.5,
    uHiBelow: 0,
    uProb: 0.86,
    a1: 4.2,
    b1: 0.94,
    a2: 312,
    b2: 0.03,
    pa: -0.0054,
    pb: 0.78,
    aArr: 10.2303,
    bArr: 0.4871,
    arar: 1.0225,
    aNum: 8.1737,
    bNum: 3.9631,
  },
  batch: {
    serialProb: 0.2927,
    pow2Prob: 0.6686,
    uLow: 1.2,
    uMedBelow: 2,
    uHiBelow: 0,
    uProb: 0.875,
    a1: 6.57,
    b1: 0.823,
    a2: 639.1,
    b2: 0.0156,
    pa: -0.003,
    pb: 0.6986,
    aArr: 6.0415,
    bArr: 0.8531,
    arar: 1.0519,
    aNum: 6.1271,
    bNum: 5.274,
  },
  interactive: {
    serialProb: 0.1541,
    pow2Prob: 0.625,
    uLow: 1,
    // On their machines of 128 processors, bend and widest job were at 2^3 and 2^5.5.
    uMedBelow: 4,
    uHiBelow: 1.5,
    uProb: 0.705,
    a1: 3.8351,
    b1: 0.6605,
    a2: 7.073,
    b2: 0.6856,
    pa: -0.0118,
    pb: 0.9156,
    aArr: 6.551,
    bArr: 0.6621,
    arar: 0.9797,
    aNum: 8.9186,
    bNum: 3.668,
  },
};
