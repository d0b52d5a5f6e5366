/** A stream as it was read, for people and as JSON. */
import { counted, formatDuration, formatSize } from "../base/index.ts";
import { procsOf, type StreamSpec, storageNeedBytes } from "../stream/index.ts";
import { printable } from "./text-table.ts";

/** A stream in one line: what it needs, from where, and what more bandwidth is worth to it. */
export function streamText(form: string, stream: StreamSpec): string {
  const { name, weight, processors, bandwidth, sources, sink, pipeline, blocks } = stream;
  const procs = counted(procsOf(stream), "processor");
  const most = bandwidth.maxBytesPerSec;
  const parts = [
    `weight ${weight}, growing by ${stream.weightStep} each ${formatDuration(stream.weightPeriodMs)}`,
    processors.type === undefined ? procs : `${procs} of type ${printable(processors.type)}`,
    `${rateText(bandwidth.minBytesPerSec)} to ${most === undefined ? "the whole link" : rateText(most)}`,
    `storage ${formatSize(storageNeedBytes(stream))}`,
    utilityText(stream),
    `${counted(sources.list.length, "source")}${sources.list.some((it) => it.isEndless) ? ", endless" : ""}`,
    `blocks of ${formatSize(blocks.sizeBytes)}`,
    ...(sink === undefined ? [] : [`results to ${printable(sink.href)}`]),
    ...(pipeline.length === 0 ? [] : [`stages ${printable(pipeline.map((it) => it.name).join(", "))}`]),
  ];
  return `${printable(name)} (${form}): ${parts.join(", ")}`;
}

function utilityText({ utility }: StreamSpec): string {
  const unit = rateText(utility.unitBytesPerSec);
  switch (utility.kind) {
    case "log":
      return `utility ${utility.weight}·ln(1 + x/${unit})`;
    case "alpha":
      return `α-fair utility with α ${utility.a}, weight ${utility.weight}`;
    case "linear":
      return `utility ${utility.weight} per ${unit}`;
    case "sigmoid":
      return `sigmoid utility about ${utility.x0} times ${unit}, weight ${utility.weight}`;
    case "step":
      return `utility ${utility.weight} from ${utility.x0} times ${unit} on`;
  }
}

/** A stream as JSON; lengths of time in seconds. */
export function streamValue(stream: StreamSpec): unknown {
  const { weightPeriodMs, processing, limits, ...others } = stream;
  const { trialMs, ...rates } = processing;
  const { wallTimeMs, deadlineMs, ...bounds } = limits;
  return {
    ...others,
    weightPeriodSec: weightPeriodMs / 1000,
    processing: { ...rates, trialSec: trialMs / 1000 },
    limits: {
      ...bounds,
      ...(wallTimeMs === undefined ? {} : { wallTimeSec: wallTimeMs / 1000 }),
      ...(deadlineMs === undefined ? {} : { deadlineSec: deadlineMs / 1000 }),
    },
  };
}

/** A rate in bytes, as files say it of streams: links alone are in bits. */
function rateText(bytesPerSec: number): string {
  const size = formatSize(bytesPerSec);
  return /\d$/.test(size) ? `${size}B/s` : `${size}/s`;
}
