export { clockOf } from "./clock-of.ts";
export type { Configuration, ConfiguredSite, Said } from "./configuration.ts";
export { readStintFile } from "./read.ts";
export { readResources, readRules } from "./read-site.ts";
export { partsOf, ppmOf } from "./shares.ts";
export { type SettingValue, writtenSettings } from "./written.ts";
