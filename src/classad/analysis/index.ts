export { analyzeMatch } from "./analyze-match.ts";
