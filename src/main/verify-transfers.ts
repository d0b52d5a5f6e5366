/**
 * What a log tells of transfers at a site: how much passed for whom, and of which time that is known (rules
 * EN-115).
 */
import type { StintEvent } from "../model/index.ts";
import type { RecordedStretch, UseRecord } from "../policy/index.ts";

type Measured = Extract<StintEvent, { kind: "transfersMeasured" }>;

/** What was told of transfers so far. */
export interface TransferStory {
  readonly site: string;
  readonly told: Measured[];
}

/** Takes in an event. */
export function tellTransfers({ site, told }: TransferStory, event: StintEvent): void {
  if (event.kind === "transfersMeasured" && event.site === site) told.push(event);
}

/** Transfers as a verification is made of: a record for each time that was measured and each consumer. */
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

/** The times of which it is known what passed; those next to each other are one. */
export function transferTimes({ told }: TransferStory): readonly RecordedStretch[] {
  const times: RecordedStretch[] = [];
  for (const { fromMs, toMs } of told) {
    const last = times.at(-1);
    if (last?.toMs === fromMs) times[times.length - 1] = { ...last, toMs };
    else times.push({ fromMs, toMs, resource: "network" });
  }
  return times;
}
