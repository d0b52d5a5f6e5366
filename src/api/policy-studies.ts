/** Long questions about policies that are answered from the log, away from the broker's thread. */
import type { VerificationView } from "../contract/index.ts";
import type { Discipline, EnforcementRules, EstimateRule, Policy, PolicyEffects } from "../model/index.ts";
import { ProblemError } from "./problem.ts";

/** Policies to try on what ran at a site in a period. */
export interface LogTrial {
  readonly site: string;
  /** Policies that are enforced there today; empty where none are. */
  readonly present: readonly Policy[];
  readonly after: readonly Policy[];
  readonly form: EnforcementRules["form"];
  /** Period of the compared starts, [from, to). Unix ms. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly discipline: Discipline;
  readonly estimates: EstimateRule;
}

/** Effects of a trial, with the limits of the comparison. */
export interface TriedOnLog {
  readonly effects: PolicyEffects;
  /** A sentence each. */
  readonly notes: readonly string[];
}

/** A period to verify at a site; absent ends are those of the record. Unix ms. */
export interface LogVerification {
  readonly site: string;
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly tolerancePpm?: number;
}

/** Answers to questions from the log, one after the other. */
export interface PolicyStudies {
  /** @throws Fault `tooManyStudies`, `studyTooLong`, and those of reading the log */
  tryOnLog(trial: LogTrial): Promise<TriedOnLog>;
  /** @throws Fault as for a trial; where no policy concerns the site */
  verifyLog(question: LogVerification): Promise<VerificationView>;
}

/** For a server without a log on disk. */
export const noStudies: PolicyStudies = {
  tryOnLog: async () => {
    throw noLogHere;
  },
  verifyLog: async () => {
    throw noLogHere;
  },
};

const noLogHere = new ProblemError({
  status: 409,
  code: "noLogOnDisk",
  what: "this cannot be answered from the log",
  why: "this broker keeps its log in memory only",
  remedy: "ask a broker with a state directory, which stint up starts",
});
