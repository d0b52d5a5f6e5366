export { apelWriter } from "./apel.ts";
export { pseudonymsOf } from "./pseudonyms.ts";
export {
  type UsageRecord,
  type UsageRecordOptions,
  usageRecordOf,
} from "./usage-record.ts";
export { usageRecordWriter } from "./usage-record-xml.ts";
