/**
 * Lines of slurm.conf that usage policies need (rule EN-82): priorities by shares, the half-life of use,
 * enforced limits, preemption.
 *
 * Only an administrator changes them: they are compared with the controller's settings and reported.
 * Source: slurm.conf(5) of Slurm 22.05.
 */
import { mulDiv } from "../../../base/index.ts";
import type { ConfigurationLine, EpochWindow, Policy } from "../../../model/index.ts";

/** Needs of the policies for the configuration. */
export interface ConfigurationNeeds {
  /** Windows of the consumers below the site itself, for processors. */
  readonly windows: readonly EpochWindow[];
  readonly policies: readonly Policy[];
  /** True if a level is below another one. */
  readonly isNested: boolean;
  readonly hasPreemption: boolean;
}

type Settings = Readonly<Record<string, string>>;

const MILLION = 1_000_000;
/**
 * ln 2 in parts per million: use that decays with half-life w·ln 2 weighs at a steady rate as much as the
 * last w.
 */
const LN2_PPM = 693_147;
const MS_PER_SECOND = 1000;
const MS_PER_MINUTE = 60_000;
/** Number of recalculations that Slurm needs within a window. */
const CALCULATIONS_AN_EPOCH = 10;
const LEAST_WEIGHT = 10_000;
const SHARES_WEIGHT = "PriorityWeightFairshare";
const OTHER_WEIGHTS = ["Age", "Assoc", "JobSize", "Partition", "QOS"] as const;

/** Lines that would have to differ. */
export function configurationFor(
  needs: ConfigurationNeeds,
  settings: Settings,
): readonly ConfigurationLine[] {
  const wanted = [
    ...(needs.windows.length === 0 ? [] : [...byShares(needs, settings), ...fading(needs.windows, settings)]),
    ...enforcement(needs, settings),
    ...(needs.hasPreemption ? preemption : []),
  ];
  return wanted
    .map((line) => ({ ...line, before: settingOf(settings, line.name) }))
    .filter(({ before, after }) => before?.toLowerCase() !== after.toLowerCase());
}

/** Value of a setting; the manual and the commands differ in the case of some names. */
function settingOf(settings: Settings, name: string): string | null {
  const found = Object.entries(settings).find(([it]) => it.toLowerCase() === name.toLowerCase());
  return found === undefined ? null : found[1];
}

/** Remarks on windows that Slurm cannot express, and on those that cannot be compared yet. */
export function windowRemarks(windows: readonly EpochWindow[], settings: Settings): readonly string[] {
  const different = new Set(windows.map((window) => JSON.stringify(window)));
  const told: string[] = [];
  if (windows.length > 0 && settings.PriorityType === "priority/basic")
    told.push("the cluster does not tell its weights before it goes by shares: compile again then");
  if (different.size > 1)
    told.push("there is one time there over which use counts: the longest epoch is taken");
  if (windows.some((window) => window.kind === "fixed" && window.unit === "hour"))
    told.push("use cannot be forgotten every hour there: it fades over an hour");
  return told;
}

type Line = Omit<ConfigurationLine, "before">;

function byShares({ isNested }: ConfigurationNeeds, settings: Settings): readonly Line[] {
  const weight = Number(settingOf(settings, SHARES_WEIGHT) ?? 0);
  const others = OTHER_WEIGHTS.reduce((sum, name) => sum + Number(settings[`PriorityWeight${name}`] ?? 0), 0);
  const flags = (settings.PriorityFlags ?? "").split(",").filter((flag) => flag !== "");
  const lines: Line[] = [
    {
      name: "PriorityType",
      after: "priority/multifactor",
      why: "without it the queue is not ordered by shares",
    },
  ];
  if (weight <= others || weight === 0) {
    const why =
      weight === 0 ? "shares weigh nothing there" : "what else makes a priority outweighs the shares";
    lines.push({ name: SHARES_WEIGHT, after: String(Math.max(LEAST_WEIGHT, 10 * others)), why });
  }
  if (isNested && flags.includes("NO_FAIR_TREE")) {
    const after = flags.filter((flag) => flag !== "NO_FAIR_TREE").join(",") || "NONE";
    lines.push({
      name: "PriorityFlags",
      after,
      why: "without fair tree, use within one group affects the priority of other groups",
    });
  }
  return lines;
}

function fading(windows: readonly EpochWindow[], settings: Settings): readonly Line[] {
  const longest = windows.reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one));
  const why = "over so long a time use counts by the policies";
  const period = longest.kind === "fixed" ? PERIODS[longest.unit] : undefined;
  if (period !== undefined) {
    return [
      { name: "PriorityDecayHalfLife", after: slurmTime(0), why },
      { name: "PriorityUsageResetPeriod", after: period, why },
    ];
  }
  // Slurm keeps it in whole minutes.
  const minutesOfHalfLife = mulDiv(lengthOf(longest), LN2_PPM, MILLION * MS_PER_MINUTE, "nearest");
  const halfLifeMs = Math.max(1, minutesOfHalfLife) * MS_PER_MINUTE;
  const lines: Line[] = [
    { name: "PriorityDecayHalfLife", after: slurmTime(halfLifeMs), why },
    { name: "PriorityUsageResetPeriod", after: "NONE", why },
  ];
  const mostMs = Math.max(MS_PER_MINUTE, Math.floor(lengthOf(longest) / CALCULATIONS_AN_EPOCH));
  const isSlow = timeMs(settings.PriorityCalcPeriod ?? "00:05:00") > mostMs;
  const minutes = Math.floor(mostMs / MS_PER_MINUTE) * MS_PER_MINUTE;
  if (isSlow)
    lines.push({
      name: "PriorityCalcPeriod",
      after: slurmTime(minutes),
      why: "usage is calculated too rarely",
    });
  return lines;
}

const PERIODS: Readonly<Record<string, string>> = { day: "DAILY", week: "WEEKLY", month: "MONTHLY" };
const DAY_MS = 86_400_000;
const UNIT_MS = { hour: 3_600_000, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;

function lengthOf(window: EpochWindow): number {
  return window.kind === "sliding" ? window.lengthMs : UNIT_MS[window.unit];
}

function enforcement({ policies, hasPreemption }: ConfigurationNeeds, settings: Settings): readonly Line[] {
  const lines: Line[] = [];
  const enforced = (settings.AccountingStorageEnforce ?? "").toLowerCase().split(",");
  const needed = ["associations", "limits", ...(hasPreemption ? ["qos"] : [])];
  const missing = needed.filter(
    (word) => !enforced.includes(word) && !(word !== "qos" && enforced.includes("safe")),
  );
  if (missing.length > 0) {
    const kept = enforced.filter((word) => word !== "" && word !== "none");
    const after = [...kept, ...missing].join(",");
    lines.push({ name: "AccountingStorageEnforce", after, why: "without it limits are not enforced there" });
  }
  const counted = settings.AccountingStorageTRES ?? "";
  const hasGpus = policies.some(({ resource }) => resource === "gpu");
  if (hasGpus && !counted.split(",").includes("gres/gpu")) {
    const after = [counted, "gres/gpu"].filter((word) => word !== "").join(",");
    lines.push({ name: "AccountingStorageTRES", after, why: "without it GPUs are not counted there" });
  }
  return lines;
}

const why = "what is lent is to give way at once";
const preemption: readonly Line[] = [
  { name: "PreemptType", after: "preempt/qos", why },
  { name: "PreemptMode", after: "REQUEUE", why },
];

/** Time in Slurm's format, rounded to the second: `7-00:00:00`, `00:34:39`. */
function slurmTime(ms: number): string {
  const seconds = Math.round(ms / MS_PER_SECOND);
  const days = Math.floor(seconds / 86_400);
  const parts = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = parts.map((part) => String(part).padStart(2, "0")).join(":");
  return days === 0 ? clock : `${days}-${clock}`;
}

/** Time parsed from Slurm's format, in ms; 0 for other text. */
function timeMs(text: string): number {
  const match = /^(?:(\d+)-)?(\d+):(\d+):(\d+)$/.exec(text);
  if (match === null) return 0;
  const [days = 0, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * MS_PER_SECOND;
}
