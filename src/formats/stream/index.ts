export { utilityIn } from "./complete.ts";
export {
  MOST_STREAM_BYTES,
  readStreamText,
  readStreamXml,
  readStreamYaml,
  type StreamForm,
  type StreamReading,
  streamForm,
} from "./read.ts";
