export { absoluteInput, expandedInputs, expandInput } from "./expand-input.ts";
