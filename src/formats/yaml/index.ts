export { yamlDocuments } from "./documents.ts";
export { type ReadWord, readEntries } from "./entries.ts";
export {
  durationOf,
  numberOrText,
  rateOf,
  sizeOf,
  wholeNumberOf,
} from "./quantities.ts";
export { readDocument } from "./read-document.ts";
export { type Notes, type Remark, takeNotes, type Words } from "./remark.ts";
export { readWholeFile, remarkFault } from "./remark-fault.ts";
export {
  mergeKey,
  type NamedValue,
  oneText,
  shown,
  textList,
  textMapping,
  type Word,
  wrongType,
} from "./shapes.ts";
export { type FileState, fileState, MAX_TEXT_BYTES, readBounded, textOfBytes } from "./text-file.ts";
export { type Entry, type MappingValue, plainValue, type Value } from "./value.ts";
export { valueUnknown, wordOf } from "./word-values.ts";
export { writtenAs } from "./write-shape.ts";
