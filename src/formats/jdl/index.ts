export { rowOf, TABLE } from "./attribute-table.ts";
export { readJobJdl } from "./read.ts";
