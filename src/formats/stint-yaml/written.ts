/**
 * A site's settings as `stint.yaml` writes them: the inverse of reading.
 */
import { formatDuration, formatSize } from "../../base/index.ts";
import type { SiteSpec } from "../../model/index.ts";
import type { CommonWords, SimulatedWords } from "./site-words.ts";

/** Where in a site of the file a setting stands. */
export type SettingPath = "type" | keyof CommonWords | keyof SimulatedWords;

/** Every setting of a site, those with their usual values included; what is not there is left out. */
export function writtenSettings(spec: SiteSpec): readonly (readonly [SettingPath, string | number])[] {
  const common: (readonly [SettingPath, string | number])[] = [
    ["type", spec.type],
    ["procs", spec.procs],
    ["memory", formatSize(spec.memoryBytes)],
    ["discipline", spec.discipline],
    ["wallTime", formatDuration(spec.defaultWallTimeMs)],
  ];
  if (spec.type === "managed") return common;
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
