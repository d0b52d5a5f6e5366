export { yamlDocuments } from "./documents.ts";
export {
  type DocumentReading,
  readDocument,
  readDocuments,
  readUnplaced,
  readValue,
} from "./read-document.ts";
export { readPath, type Surroundings, UNREADABLE } from "./read-single.ts";
export { firstProblems, type Notes, type Remark, takeNotes, type Words } from "./remark.ts";
export { readWholeFile, remarkFault } from "./remark-fault.ts";
export {
  mergeKey,
  type NamedValue,
  oneText,
  shown,
  type Word,
  wrongType,
} from "./shapes.ts";
export {
  type FileState,
  fileState,
  MAX_TEXT_BYTES,
  readBounded,
  readText,
  textOfBytes,
} from "./text-file.ts";
export { type Entry, type MappingValue, plainValue, type Value } from "./value.ts";
export { wordOf } from "./word-values.ts";
export { flatPaths, writtenAs } from "./write-shape.ts";
