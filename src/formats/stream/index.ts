export {
  MOST_STREAM_BYTES,
  readStreamText,
  readStreamXml,
  readStreamYaml,
  streamForm,
} from "./read.ts";
