/** Metrics of streams: how many are in each state, and rates, storage, lag and halts of those that run. */
import { Gauge, type Registry } from "prom-client";
import type { StreamFigures, StreamRecord } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { streamState } from "./stream-view.ts";

type OfStream = readonly [name: string, help: string, value: (figures: StreamFigures) => number | null];

/** Metrics of each stream that reports: name, help, and value, which is null where a stream has none. */
const OF_STREAMS: readonly OfStream[] = [
  [
    "allocated_bytes_per_second",
    "Bandwidth allocated to a stream",
    ({ allocatedBytesPerSec }) => allocatedBytesPerSec,
  ],
  [
    "received_bytes_per_second",
    "Rate at which its data arrive",
    ({ receivedBytesPerSec }) => receivedBytesPerSec,
  ],
  [
    "processed_bytes_per_second",
    "Rate at which its application acknowledges data",
    ({ processedBytesPerSec }) => processedBytesPerSec,
  ],
  ["processed_bytes", "Data that its application has acknowledged", ({ ackedBytes }) => ackedBytes],
  ["occupied_bytes", "Storage that its blocks occupy", ({ occupiedBytes }) => occupiedBytes],
  ["quota_bytes", "Storage that its blocks may occupy", ({ quotaBytes }) => quotaBytes],
  [
    "lag_bytes",
    "Data of its sources that are not acknowledged; absent while a size is unknown",
    ({ totalBytes, ackedBytes }) => (totalBytes === null ? null : Math.max(0, totalBytes - ackedBytes)),
  ],
  ["unsent_bytes", "Results that its sink has not confirmed", ({ unsentBytes }) => unsentBytes ?? null],
  ["halts", "Halts of its transfer since its wrapper started", ({ halts }) => halts],
  ["halted_seconds", "Time for which its transfer was halted", ({ haltedMs }) => haltedMs / 1000],
  ["trouble", "1 where its source or its sink fails", ({ trouble }) => Number(trouble !== null)],
];

/** Adds the metrics of streams. @returns a function that updates them */
export function addStreamMetrics(
  registers: Registry[],
  brokerApi: Pick<BrokerApi, "query" | "streamFigures">,
): () => void {
  const count = new Gauge({
    name: "stint_streams",
    help: "Streams that are not over, by site and state",
    labelNames: ["site", "state"],
    registers,
  });
  const labelNames = ["site", "stream"];
  const gauges = OF_STREAMS.map(([name, help, value]) => {
    return { gauge: new Gauge({ name: `stint_stream_${name}`, help, labelNames, registers }), value };
  });
  return () => {
    for (const { gauge } of [{ gauge: count }, ...gauges]) gauge.reset();
    const active = brokerApi.query("streams").filter(({ endedAtMs }: StreamRecord) => endedAtMs === null);
    for (const record of active) {
      const { job: stream, site } = record;
      const figures = brokerApi.streamFigures(stream);
      count.inc({ site, state: streamState(record, figures) });
      if (figures === undefined) continue;
      for (const { gauge, value } of gauges) {
        const amount = value(figures);
        if (amount !== null) gauge.set({ site, stream }, amount);
      }
    }
  };
}
