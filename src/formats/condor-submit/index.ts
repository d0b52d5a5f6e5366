export { readCondorSubmit } from "./read-with-files.ts";
