/**
 * A site's settings as `stint.yaml` writes them: the inverse of reading.
 */
import { formatDuration, formatSize } from "../../base/index.ts";
import type { SiteSpec, SlurmSiteSpec } from "../../model/index.ts";
import { ENFORCEMENT_WORDS, type EnforcementWords, writtenEnforcement } from "./enforcement-words.ts";
import { RESERVATION_WORDS, type ReservationWords, writtenRule } from "./reservation-words.ts";
import { writtenResources } from "./resource-words.ts";
import type { SettingValue } from "./setting-value.ts";
import { type CommonWords, type SimulatedWords, SLURM_WORDS, type SlurmWords } from "./site-words.ts";

/** Where in a site of the file a setting stands. */
type SettingPath = "type" | keyof CommonWords | keyof SimulatedWords | keyof SlurmWords;

/** A setting with its value. */
export type WrittenSetting = readonly [SettingPath, SettingValue];

/** Every setting of a site, those with their usual values included; what is not there is left out. */
export function writtenSettings(spec: SiteSpec): readonly WrittenSetting[] {
  const common: WrittenSetting[] = [
    ["type", spec.type],
    // 0: the cluster says itself how large it is.
    ...(spec.procs === 0 ? [] : [["procs", spec.procs] as const]),
    ...(spec.memoryBytes === 0 ? [] : [["memory", formatSize(spec.memoryBytes)] as const]),
    ["discipline", spec.discipline],
    ["wallTime", formatDuration(spec.defaultWallTimeMs)],
    ...reservationSettings(spec),
    ...enforcementSettings(spec),
    ...writtenResources(spec),
  ];
  if (spec.type === "managed") return common;
  if (spec.type === "slurm") return [...common, ...slurmSettings(spec)];
  const { background, delays, losses } = spec;
  return [
    ...common,
    ["jobs", spec.jobs],
    ["speedUp", spec.speedUp],
    ...(background === null
      ? []
      : ([
          ["background.trace", background.trace],
          ["background.skip", formatDuration(background.skipMs)],
        ] as const)),
    ["delays.order", formatDuration(delays.orderMs)],
    ["delays.start", formatDuration(delays.startMs)],
    ["losses.failed", losses.failedPpm / 1_000_000],
    ["losses.doubtful", losses.doubtfulPpm / 1_000_000],
    ["losses.vanished", losses.vanishedPpm / 1_000_000],
    ["seed", spec.seed],
  ];
}

/** Where nothing is said of reservations, nothing is written: the careful defaults hold. */
function reservationSettings({ reservations }: SiteSpec): readonly WrittenSetting[] {
  if (reservations === undefined) return [];
  const paths = Object.keys(RESERVATION_WORDS) as (keyof ReservationWords)[];
  return paths.flatMap((path) => {
    const value = writtenRule(path, reservations, formatDuration);
    return value === null ? [] : [[path, value] as const];
  });
}

/** Where nothing is said of enforcement, nothing is written: it only watches. */
function enforcementSettings({ enforcement }: SiteSpec): readonly WrittenSetting[] {
  if (enforcement === undefined) return [];
  const paths = Object.keys(ENFORCEMENT_WORDS) as (keyof EnforcementWords)[];
  return paths.map((path) => [path, writtenEnforcement(path, enforcement, formatDuration)]);
}

function slurmSettings(spec: SlurmSiteSpec): readonly WrittenSetting[] {
  const words = Object.keys(SLURM_WORDS) as (keyof SlurmWords)[];
  return words.flatMap((word) => {
    const value = spec[word];
    return value === null || value === undefined ? [] : [[word, value] as const];
  });
}
