export { readScenarioYaml, type ScenarioReading } from "./read.ts";
export { readScenarioFile } from "./read-file.ts";
export { SITE_PATHS } from "./read-site.ts";
export { isScenarioFile } from "./recognise.ts";
