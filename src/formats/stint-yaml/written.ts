/**
 * A site's settings as `stint.yaml` writes them: the inverse of reading.
 */
import { siteShape } from "../../contract/files/index.ts";
import type { SiteSpec } from "../../model/index.ts";
import { flatPaths, writtenAs } from "../yaml/index.ts";

/** A setting's path in the file, `losses.failed`, with its value. */
export type WrittenSetting = readonly [string, SettingValue];

/** A setting's value in plain data: a scalar, texts, names with values, or (price rules) mappings. */
export type SettingValue =
  | string
  | number
  | boolean
  | readonly SettingValue[]
  | { readonly [name: string]: SettingValue };

/**
 * All settings of a site, defaults included. Omitted are reservations and enforcement with the default rules,
 * and sizes that a cluster reports itself (0).
 */
export function writtenSettings(spec: SiteSpec): readonly WrittenSetting[] {
  const { procs, memoryBytes, ...others } = spec;
  const known = { ...others, procs: procs || undefined, memoryBytes: memoryBytes || undefined };
  const shape = siteShape.cases[spec.type];
  return flatPaths(shape, writtenAs(shape, known)) as readonly WrittenSetting[];
}
