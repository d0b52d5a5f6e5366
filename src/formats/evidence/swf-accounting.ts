/**
 * Use by a recorded workload (SWF) with owners.
 *
 * Source: SWF 2.2 [SWF]. Only recorded values count: a job without a recorded wait ran at an unknown time,
 * and is in no measure. Lines of partial executions (status 2 to 4) repeat the summary line of the job, and
 * are skipped.
 */
import { MS_PER_SECOND } from "../../base/index.ts";
import type { UseOutcome, UseRecord } from "../../policy/index.ts";
import { readSwf, type SwfBatch, swfField, traceBytes } from "../index.ts";
import { type Accounted, countedRemarks, toldBy } from "./accounted.ts";
import { consumerOf, type Owners, userName } from "./owners.ts";

/** Options of reading a recorded workload. */
export interface SwfAccountingRules {
  readonly owners: Owners;
  /** Skip and count malformed lines instead of stopping at the first. */
  readonly lenient: boolean;
}

interface Counts {
  startUnknown: number;
  partial: number;
  noProcs: number;
}

/**
 * The records of a file, in Unix time where the header has its start, else on the file's own clock.
 *
 * @throws Fault as every workload that is read
 */
export async function readSwfAccounting(file: string, rules: SwfAccountingRules): Promise<Accounted> {
  const bytes = traceBytes(file);
  const reader = readSwf(bytes, { file, lenient: rules.lenient });
  const counts: Counts = { startUnknown: 0, partial: 0, noProcs: 0 };
  const records: UseRecord[] = [];
  const seen = new Map<string, number>();
  for await (const batch of reader) {
    const originMs = (reader.header.unixStartTime ?? 0) * MS_PER_SECOND;
    for (let row = 0; row < batch.count; row++) {
      const record = recordOf(batch, row, { owners: rules.owners, originMs, counts });
      if (record === undefined) continue;
      const times = (seen.get(record.id) ?? 0) + 1;
      seen.set(record.id, times);
      records.push(times === 1 ? record : { ...record, id: `${record.id}#${times}` });
    }
  }
  const { maxProcs, maxNodes } = reader.header;
  return {
    records,
    told: toldBy(records),
    procs: maxProcs ?? maxNodes,
    remarks: countedRemarks([
      [counts.startUnknown, "jobs ran at a time that is not recorded: they are in no measure of use"],
      [counts.partial, "lines of partial executions were passed over: the job's own line counts"],
      [counts.noProcs, "jobs without processors were passed over"],
      [reader.malformed, "malformed lines were skipped"],
    ]),
    sha256: bytes.sha256(),
  };
}

interface RowRules {
  readonly owners: Owners;
  readonly originMs: number;
  readonly counts: Counts;
}

function recordOf(batch: SwfBatch, row: number, rules: RowRules): UseRecord | undefined {
  const { owners, originMs, counts } = rules;
  const field = (name: keyof typeof swfField): number => batch.fields[swfField[name]][row];
  const msOf = (name: "submit" | "wait" | "runtime"): number => Math.round(field(name) * MS_PER_SECOND);
  const status = field("status");
  if (status >= 2 && status <= 4) return count(counts, "partial");
  const allocated = field("allocatedProcs");
  const procs = allocated > 0 ? allocated : field("requestedProcs");
  if (!(procs > 0)) return count(counts, "noProcs");
  const submittedAtMs = originMs + msOf("submit");
  const [wait, runtimeMs] = [field("wait"), Math.max(0, msOf("runtime"))];
  const said = (value: number) => (value >= 0 ? String(value) : null);
  const owner = { user: said(field("user")), group: said(field("group")) };
  const record = {
    id: String(field("jobNumber")),
    consumer: consumerOf(owners, owner, ({ user }) => userName(user)),
    need: { cpu: procs },
    submittedAtMs,
  };
  if (wait < 0) {
    if (runtimeMs > 0) counts.startUnknown++;
    const outcome: UseOutcome = runtimeMs > 0 ? outcomeOf(status) : "cancelled";
    return { ...record, waits: [], runs: [], endedAtMs: null, outcome };
  }
  const startMs = submittedAtMs + msOf("wait");
  const endMs = startMs + runtimeMs;
  return {
    ...record,
    waits: startMs > submittedAtMs ? [{ fromMs: submittedAtMs, toMs: startMs }] : [],
    runs: runtimeMs > 0 ? [{ fromMs: startMs, toMs: endMs }] : [],
    endedAtMs: endMs,
    outcome: outcomeOf(status),
  };
}

/** 1: completed, 0: failed, 5: cancelled; unknown counts as completed. */
function outcomeOf(status: number): UseOutcome {
  if (status === 0) return "failed";
  return status === 5 ? "cancelled" : "completed";
}

function count(counts: Counts, what: keyof Counts): undefined {
  counts[what]++;
  return undefined;
}
