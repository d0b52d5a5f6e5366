/** Time lines of jobs for a terminal: waiting and running. */

/** One line. */
export interface TimelineRow {
  readonly name: string;
  readonly site: string;
  readonly submittedAtMs: number;
  /** Undefined if the job never ran. */
  readonly startedAtMs: number | undefined;
  readonly endedAtMs: number;
  /** End of the job in one word. */
  readonly outcome: string;
}

const COLUMNS = 44;

/** One line per job: `·` for waiting, `█` for running; below, the scale in seconds. */
export function timeline(rows: readonly TimelineRow[]): string {
  const fromMs = Math.min(...rows.map(({ submittedAtMs }) => submittedAtMs));
  const toMs = Math.max(...rows.map(({ endedAtMs }) => endedAtMs));
  const columnAt = (atMs: number): number =>
    Math.round(((atMs - fromMs) / Math.max(1, toMs - fromMs)) * COLUMNS);
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const siteWidth = Math.max(...rows.map(({ site }) => site.length));
  const lines = rows.map((row) => {
    const startedAt = row.startedAtMs ?? row.endedAtMs;
    const before = " ".repeat(columnAt(row.submittedAtMs));
    const waited = "·".repeat(columnAt(startedAt) - columnAt(row.submittedAtMs));
    const ran =
      row.startedAtMs === undefined
        ? ""
        : "█".repeat(Math.max(1, columnAt(row.endedAtMs) - columnAt(startedAt)));
    const line = (before + waited + ran).padEnd(COLUMNS + 1);
    return `  ${row.name.padEnd(nameWidth)}  ${row.site.padEnd(siteWidth)}  ${line} ${row.outcome}\n`;
  });
  const seconds = `${((toMs - fromMs) / 1000).toFixed(0)} s`;
  const scale = `0${seconds.padStart(COLUMNS)}`;
  return `${lines.join("")}  ${" ".repeat(nameWidth + siteWidth + 2)}  ${scale}\n`;
}
