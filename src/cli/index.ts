export { disciplineComparison } from "./discipline-comparison.ts";
export { positiveInteger } from "./option-values.ts";
export { type Capabilities, runProgram, type Surface } from "./program.ts";
export { asFault, EXIT_CODES, faultText } from "./report-fault.ts";
