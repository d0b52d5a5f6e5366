export { problemOfDescription } from "./judge-description.ts";
