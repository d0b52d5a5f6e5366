export { readPriorityFile, readPriorityYaml } from "./read.ts";
