export { readStreamControl, readStreamOrder } from "./read.ts";
