export type { ReadJob } from "./attributes.ts";
export { descriptionOf, readJobYaml } from "./read.ts";
export { splitShellWords } from "./shell-words.ts";
