export { runStream, type WrapperEnd, type WrapperWorld } from "./run-stream.ts";
