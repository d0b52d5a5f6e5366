export { readBatchScript } from "./read.ts";
