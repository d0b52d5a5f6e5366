/**
 * The state of a job by the text of rules BK-1 to BK-5, worked out from a heap of events in any order: a
 * row for each event, rows removed rule by rule, the last that is left decides.
 */

/** An event as plainly as it can be said: counters of UI, NS, WM, JSS, LM, LRMS, in this order. */
export interface PlainEvent {
  readonly who: "UI" | "NS" | "WM" | "JSS" | "LM" | "LRMS";
  readonly what: string;
  readonly counters: readonly number[];
  /** Of a ReallyRunning that LM saw: WM's counter where the program runs. */
  readonly there?: number;
}

const LIFE = ["SUBMITTED", "WAITING", "READY", "SCHEDULED", "RUNNING", "DONE"];

/** The state; `null` where no event tells of one. */
export function plainState(heap: readonly PlainEvent[]): string | null {
  const rows = [...heap].sort((a, b) => {
    for (let i = 0; i < 6; i++) if (a.counters[i] !== b.counters[i]) return a.counters[i] - b.counters[i];
    return 0;
  });
  const wm = (row: PlainEvent): number => row.there ?? row.counters[2];
  const deep = Math.max(0, ...rows.filter(({ what }) => what === "deep").map(wm));
  const branch = rows.filter((row) => row.what === "ReallyRunning" && wm(row) >= deep).map(wm)[0];
  const jobWide = ({ what, who }: PlainEvent) =>
    what === "cancelled" || what === "cleared" || (what === "aborted" && who === "WM");
  const left = rows.filter(
    (row) => jobWide(row) || (wm(row) >= deep && (branch === undefined || wm(row) === branch)),
  );
  let [state, at]: [string | null, number] = [null, -1];
  for (const row of left) {
    const says = saidState(row);
    if (says === null) continue;
    if (state === "ABORTED" || state === "CANCELLED" || state === "CLEARED") {
      if (row.what === "aborted" && row.who === "WM") state = "ABORTED";
      continue;
    }
    if (jobWide(row)) state = says;
    else if (wm(row) > at) [state, at] = [says, wm(row)];
    else if (wm(row) === at && wins(row, state, says)) state = says;
  }
  return state;
}

/** Within one branch: users' side only forward, a site's side back only before the program has begun. */
function wins(row: PlainEvent, state: string | null, says: string): boolean {
  if (row.what === "queued again" || says === "ABORTED") return true;
  const [was, is] = [LIFE.indexOf(state ?? ""), LIFE.indexOf(says)];
  if (row.who === "UI" || row.who === "NS") return is > was;
  return is >= was || was < LIFE.indexOf("RUNNING");
}

/** What an event says, by who says it. */
function saidState({ who, what }: PlainEvent): string | null {
  const said: Readonly<Record<string, string>> = {
    "registered UI": "SUBMITTED",
    "accepted NS": "WAITING",
    "dequeued WM": "WAITING",
    "matched WM": "WAITING",
    "enqueued WM": "READY",
    "dequeued JSS": "READY",
    "accepted LM": "READY",
    "transferred LM": "SCHEDULED",
    "refused LM": "READY",
    "running LM": "RUNNING",
    "running LRMS": "RUNNING",
    "ReallyRunning LM": "RUNNING",
    "ReallyRunning LRMS": "RUNNING",
    "done LM": "DONE",
    "queued again LM": "WAITING",
    "cancelled WM": "CANCELLED",
    "cancelled NS": "CANCELLED",
    "cleared NS": "CLEARED",
    "aborted WM": "ABORTED",
    "aborted JSS": "ABORTED",
  };
  return said[`${what} ${who}`] ?? null;
}
