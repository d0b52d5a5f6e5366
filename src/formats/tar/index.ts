export type { TarEntry, TarFile } from "./entry.ts";
export { readTar } from "./read-tar.ts";
export { writeTar } from "./write-tar.ts";
