export { readRsl } from "./read.ts";
