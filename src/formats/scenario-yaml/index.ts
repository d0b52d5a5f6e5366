export { readScenarioFile } from "./read-file.ts";

export { isScenarioFile } from "./recognise.ts";
