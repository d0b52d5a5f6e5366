export { readEventFile } from "./read-file.ts";
