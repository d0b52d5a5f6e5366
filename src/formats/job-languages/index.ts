export { readJobBytes, readJobFile, readJobText } from "./read-file.ts";
export { isBatchScript } from "./recognise.ts";
