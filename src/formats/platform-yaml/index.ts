export { readPlatformFile, readPlatformYaml } from "./read.ts";
