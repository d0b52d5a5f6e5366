export { type JobEvent, readEventFile } from "./read-file.ts";
