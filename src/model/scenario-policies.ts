/**
 * The usage policies of a scenario's site, and what came of them.
 *
 * As everything of a summary: the field names are JSON keys, their snake_case columns of CSV files.
 */
import type { EnforcementRules } from "./policy.ts";

/** Enforcers of a scenario's site; `none`: compliance is measured without enforcement. */
export const SCENARIO_ENFORCERS = ["ours", "literal", "none"] as const satisfies readonly (
  | EnforcementRules["form"]
  | "none"
)[];
/** See {@link SCENARIO_ENFORCERS}. */
export type ScenarioEnforcer = (typeof SCENARIO_ENFORCERS)[number];

/** The policies of one site of one run. */
export interface ScenarioPolicies {
  /** Absolute paths of policy files. */
  readonly files: readonly string[];
  /** Tuples that stand in the scenario itself. */
  readonly tuples: readonly string[];
  /** YAML file of owners; without it each user is `u<number>`. */
  readonly owners?: string;
  readonly pep: ScenarioEnforcer;
}

/**
 * Compliance with the policies of a site in the counted time. Parts are of the capacity of that time, summed
 * over the topmost named levels.
 */
export interface PolicyFacts {
  /** By which name the policies know the site. */
  readonly site: string;
  readonly pep: ScenarioEnforcer;
  /** EUPV ([UP]): used above the epoch limit; of that, while others were below theirs. */
  readonly aboveEpoch: number;
  readonly aboveEpochContended: number;
  /** BUPV: used above the burst limit. */
  readonly aboveBurst: number;
  /** Entitled, asked for, and not given. */
  readonly notGiven: number;
  /** Suspensions over the whole run. */
  readonly stops: number;
  readonly stoppedJobs: number;
  /** Jobs that are wider than what their consumer may ever use; they are in no measure. */
  readonly neverStarted: number;
  /** In the order of the policies, each level before those below it. */
  readonly consumers: readonly ConsumerFacts[];
}

/** One level of a consumer. Shares and parts are of the capacity, 0 … 1. */
export interface ConsumerFacts {
  readonly consumer: string;
  readonly epochShare: number;
  readonly burstShare: number;
  readonly used: number;
  readonly aboveEpoch: number;
  readonly aboveEpochContended: number;
  readonly aboveBurst: number;
  readonly notGiven: number;
  /** Of the jobs that were submitted in the time that counts, those that started. */
  readonly jobs: number;
  readonly waitMeanSec: number | null;
  readonly stops: number;
}
