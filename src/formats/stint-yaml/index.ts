export { clockOf } from "./clock-of.ts";
export type {
  Configuration,
  ConfiguredSite,
  Said,
} from "./configuration.ts";
export type { Surroundings } from "./read.ts";
export { readStintFile } from "./read-file.ts";
export { readRules } from "./read-rules.ts";
export { readResources } from "./resource-words.ts";
export type { SettingValue } from "./setting-value.ts";
export { partsOf, ppmOf } from "./shares.ts";
export { pathOf } from "./site-words.ts";
export { writtenSettings } from "./written.ts";
