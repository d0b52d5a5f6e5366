export { readJobYaml } from "./read.ts";
export { splitShellWords } from "./shell-words.ts";
