export { absoluteInput, expandedInputs, expandInput } from "./expand-input.ts";
export { isPattern, patternExpression } from "./path-pattern.ts";
