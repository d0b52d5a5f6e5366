export { readFault } from "./file-fault.ts";
export { readReservationsCsv } from "./reservations-csv.ts";
export { abortOpenFiles, openSafeFile, type SafeFile, writeSafeFile } from "./safe-file.ts";
export { maxBatchRows, type SwfBatch } from "./swf/batch.ts";
export { swfField, swfFieldCount } from "./swf/fields.ts";
export type { SwfHeader } from "./swf/header.ts";
export { lineBlocks, maxLineBytes } from "./swf/line-blocks.ts";

export { readSwf, type SwfReader } from "./swf/read.ts";
export { type SwfWriter, swfWriter } from "./swf/write.ts";
export { type TraceBytes, traceBytes } from "./trace-bytes.ts";
export { isWorkloadFile } from "./workload-jsonl/recognise.ts";
