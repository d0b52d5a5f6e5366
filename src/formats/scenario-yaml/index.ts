export { readScenarioFile } from "./read.ts";

export { isScenarioFile } from "./recognise.ts";
