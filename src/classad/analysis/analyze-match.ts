/**
 * Analysis of one ad against many: which condition costs how many ads, and what would have to change.
 *
 * Source: `condor_q -better-analyze` of HTCondor. Departs from it: conditions behind references (`START`) and
 * the demands of the other ads are told apart as well, and every proposed change has been tried.
 * Cost: conditions × ads evaluations, and some 100 matches of the table at most.
 */
import type { Side } from "../dependence.ts";
import { findMatches } from "../find-matches.ts";
import type { AdTable, ClassAd } from "../language.ts";
import type { MatchContext } from "../row-evaluation.ts";
import { type AbsentName, absentNames } from "./absent-names.ts";
import { type Change, proposedChanges } from "./changes.ts";
import { isPassed, type JudgedCondition, judgeConditions, VERDICTS } from "./verdicts.ts";

/** A condition, and what it lets through. */
interface ConditionAnalysis {
  /** `ad`: demanded by the analysed ad; `row`: demanded by ads of the table. */
  readonly side: Side;
  /** Canonical text. */
  readonly text: string;
  /** Names of the attributes through which `Requirements` refer to it, outermost first. */
  readonly through: readonly string[];
  /** Ads that it concerns: all, or those that demand it. */
  readonly asked: number;
  /** Ads that it alone lets through. */
  readonly alone: number;
  /** Ads of the table that this and all conditions before it let through. */
  readonly cumulative: number;
  /** Ads that match but for this condition. */
  readonly only: number;
  /** Ads for which it is `undefined`, or `error`. */
  readonly undefinedIn: number;
  readonly errorIn: number;
  /** By row: 0 not asked, 1 true, 2 false, 3 `undefined`, 4 `error`. */
  readonly verdicts: Uint8Array;
}

/** Two conditions, by index, that no ad meets both of, though each lets some through. */
interface Exclusion {
  readonly first: number;
  readonly second: number;
}

/** The result of an analysis. */
interface MatchAnalysis {
  /** Ads in the table, and how many of them match. */
  readonly ads: number;
  readonly matching: number;
  /** Conditions of the analysed ad, then those of the table. */
  readonly conditions: readonly ConditionAnalysis[];
  readonly exclusions: readonly Exclusion[];
  readonly absent: readonly AbsentName[];
  /** Changes of the analysed ad that win ads, the best one first. */
  readonly changes: readonly Change[];
}

/** Most exclusions that are listed. */
const EXCLUSION_LIMIT = 100;

/** The analysis of an ad against each ad of a table. */
export function analyzeMatch(ad: ClassAd, table: AdTable, context: MatchContext = {}): MatchAnalysis {
  const judged = judgeConditions(ad, table, context);
  return {
    ads: table.ads.length,
    matching: findMatches(ad, table, context).length,
    conditions: countedConditions(judged, table.ads.length),
    exclusions: exclusionsAmong(judged),
    absent: absentNames(judged, ad, table),
    changes: proposedChanges(ad, table, judged, context),
  };
}

function countedConditions(judged: readonly JudgedCondition[], rows: number): readonly ConditionAnalysis[] {
  const failures = new Uint32Array(rows);
  for (const { verdicts } of judged) {
    for (let row = 0; row < rows; row++) if (!isPassed(verdicts[row])) failures[row]++;
  }
  const left = new Uint8Array(rows).fill(1);
  return judged.map(({ side, text, through, verdicts }) => {
    const counts = [0, 0, 0, 0, 0];
    let cumulative = 0;
    let only = 0;
    for (let row = 0; row < rows; row++) {
      counts[verdicts[row]]++;
      if (isPassed(verdicts[row])) cumulative += left[row];
      else {
        left[row] = 0;
        if (failures[row] === 1) only++;
      }
    }
    return {
      ...{ side, text, through, cumulative, only, verdicts },
      asked: rows - counts[VERDICTS.unasked],
      alone: counts[VERDICTS.true],
      undefinedIn: counts[VERDICTS.undefined],
      errorIn: counts[VERDICTS.error],
    };
  });
}

function exclusionsAmong(judged: readonly JudgedCondition[]): readonly Exclusion[] {
  const met = judged.map(({ verdicts }) => bitsOf(verdicts, (verdict) => verdict === VERDICTS.true));
  const passed = judged.map(({ verdicts }) => bitsOf(verdicts, isPassed));
  const found: Exclusion[] = [];
  for (let first = 0; first < judged.length; first++) {
    if (!overlap(met[first], met[first])) continue;
    for (let second = first + 1; second < judged.length && found.length < EXCLUSION_LIMIT; second++) {
      if (!overlap(met[second], met[second])) continue;
      if (!overlap(passed[first], passed[second])) found.push({ first, second });
    }
  }
  return found;
}

function bitsOf(verdicts: Uint8Array, isSet: (verdict: number) => boolean): Uint32Array {
  const bits = new Uint32Array((verdicts.length >>> 5) + 1);
  for (let row = 0; row < verdicts.length; row++) {
    if (isSet(verdicts[row])) bits[row >>> 5] |= 1 << (row & 31);
  }
  return bits;
}

function overlap(one: Uint32Array, another: Uint32Array): boolean {
  for (let word = 0; word < one.length; word++) if ((one[word] & another[word]) !== 0) return true;
  return false;
}
