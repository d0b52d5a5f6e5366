export { readJobBytes, readJobFile, readJobText } from "./read-file.ts";
