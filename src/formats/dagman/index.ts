export { readDagman } from "./read.ts";
