export { readStreamScenario, readStreamScenarioFile, type StreamScenario } from "./read.ts";
