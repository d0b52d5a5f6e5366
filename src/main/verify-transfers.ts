/**
 * Transfers at a site from a log: amounts per consumer, and the times that were measured.
 */
import type { StintEvent } from "../model/index.ts";
import type { RecordedStretch, UseRecord } from "../policy/index.ts";

type Measured = Extract<StintEvent, { kind: "transfersMeasured" }>;

/** Measurements so far. */
export interface TransferStory {
  readonly site: string;
  readonly told: Measured[];
}

/** Applies an event. */
export function tellTransfers({ site, told }: TransferStory, event: StintEvent): void {
  if (event.kind === "transfersMeasured" && event.site === site) told.push(event);
}

/** Transfer records of a verification: one for each measured interval and consumer. */
export function transferRecords({ told }: TransferStory): readonly UseRecord[] {
  return told.flatMap(({ fromMs, toMs, passed }) =>
    passed.flatMap(({ consumer, bytes }): readonly UseRecord[] => {
      const network = Math.floor((bytes * 1000) / (toMs - fromMs));
      if (network === 0) return [];
      return [
        {
          ...{ id: `transfers ${fromMs} ${consumer}`, of: "transfers", consumer, need: { network } },
          ...{ submittedAtMs: fromMs, waits: [], runs: [{ fromMs, toMs }], endedAtMs: toMs },
          outcome: "unfinished",
        },
      ];
    }),
  );
}

/** Measured intervals, adjacent ones joined. */
export function transferTimes({ told }: TransferStory): readonly RecordedStretch[] {
  const times: RecordedStretch[] = [];
  for (const { fromMs, toMs } of told) {
    const last = times.at(-1);
    if (last?.toMs === fromMs) times[times.length - 1] = { ...last, toMs };
    else times.push({ fromMs, toMs, resource: "network" });
  }
  return times;
}
