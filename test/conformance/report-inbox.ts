/** Collects what a site reports, so that a test awaits a report instead of sleeping. */
import type { SiteReport } from "../../src/runtime/index.ts";

/** The last report of an attempt. */
export type EndedReport = Extract<SiteReport, { kind: "ended" }>;

const DEADLINE_MS = 30_000;

/** Listens to one site from its creation on. */
export class ReportInbox {
  readonly reports: SiteReport[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #deadlineMs: number;

  constructor(site: { onReport(listener: (report: SiteReport) => void): void }, deadlineMs = DEADLINE_MS) {
    this.#deadlineMs = deadlineMs;
    site.onReport((report) => {
      this.reports.push(report);
      for (const look of this.#waiting) look();
    });
  }

  /** The kinds of an attempt's reports so far, in their order. */
  kinds(token: string): string[] {
    return this.reports.filter((it) => it.token === token).map(({ kind }) => kind);
  }

  /** The first report of this kind, when it comes. */
  until(token: string, kind: SiteReport["kind"]): Promise<SiteReport> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.reports.find((it) => it.token === token && it.kind === kind);
        if (found === undefined) return;
        this.#waiting.delete(look);
        clearTimeout(deadline);
        resolve(found);
      };
      const deadline = setTimeout(() => {
        this.#waiting.delete(look);
        reject(new Error(`no "${kind}" of ${token} came; there was: ${JSON.stringify(this.reports)}`));
      }, this.#deadlineMs);
      this.#waiting.add(look);
      look();
    });
  }

  /** The report of its end, when it comes. */
  async ended(token: string): Promise<EndedReport> {
    const report = await this.until(token, "ended");
    if (report.kind !== "ended") throw new Error("what must hold: until() gives the kind asked for");
    return report;
  }
}
