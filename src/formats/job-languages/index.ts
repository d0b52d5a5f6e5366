export { readJobBytes, readJobFile, readJobText } from "./read-file.ts";
export { isBatchScript, type JobLanguage, recogniseJobLanguage } from "./recognise.ts";
