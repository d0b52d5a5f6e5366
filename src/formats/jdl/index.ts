export { readJobJdl } from "./read.ts";
