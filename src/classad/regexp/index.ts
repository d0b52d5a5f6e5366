export { compileRegexp, type RegexpProgram } from "./program.ts";
export { type Marks, searchRegexp } from "./search.ts";
export type { RegexpOptions } from "./syntax.ts";
