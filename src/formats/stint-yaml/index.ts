export type { Configuration, ConfiguredSite, MailOfServer, Said } from "./configuration.ts";
export { readStintFile } from "./read.ts";
export { readResources, readRules } from "./read-site.ts";
export { type SettingValue, writtenSettings } from "./written.ts";
