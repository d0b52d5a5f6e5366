export { ATTRIBUTES } from "./attributes.ts";
export type { FileState, Surroundings } from "./draft.ts";
export { type DescribedJob, type JobReading, readJobYaml } from "./read.ts";
export { fileState, MAX_JOB_FILE_BYTES, readJobBytes, readJobFile } from "./read-file.ts";
export { type JobLanguage, recogniseJobLanguage } from "./recognise.ts";
export type { Remark } from "./remark.ts";
export { type OpenQuote, type ShellWords, splitShellWords } from "./shell-words.ts";
