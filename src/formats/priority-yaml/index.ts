export { readPriorityYaml } from "./read.ts";
export { readPriorityFile } from "./read-file.ts";
