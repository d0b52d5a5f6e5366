export { ATTRIBUTES } from "./attributes.ts";
export type { Surroundings } from "./draft.ts";
export { type DescribedJob, type JobReading, readJobYaml } from "./read.ts";
export { readJobBytes, readJobFile } from "./read-file.ts";
export { type JobLanguage, recogniseJobLanguage } from "./recognise.ts";
export { type OpenQuote, type ShellWords, splitShellWords } from "./shell-words.ts";
