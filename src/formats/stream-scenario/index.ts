export { readStreamScenarioFile } from "./read.ts";
