export { type DescribedJob, type JobReading, readJobYaml } from "./read.ts";
export { readJobBytes, readJobFile, readJobText } from "./read-file.ts";

export { splitShellWords } from "./shell-words.ts";
