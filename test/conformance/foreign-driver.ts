/**
 * The broker's part towards a foreign site, and no more: submits, releases, looks every few ms, and tells
 * what it sees of each token once. What it says is what a broker could know.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { SurveyedEnd, SurveyedJob } from "../../src/engine/index.ts";
import type { FilePart, ForeignSite, SiteReport, SiteVerb, SubmitOrder } from "../../src/runtime/index.ts";
import type { SiteFace } from "./site-harness.ts";

const LOOK_EVERY_MS = 5;

/** Drives one foreign site for one life of the broker. */
export class ForeignDriver implements SiteFace {
  readonly #site: ForeignSite;
  readonly #listeners: ((report: SiteReport) => void)[] = [];
  readonly #reports: SiteReport[] = [];
  /** The site's ids, as answers to submissions and surveys give them. */
  readonly #siteJobs = new Map<string, Promise<string>>();
  readonly #states = new Map<string, "running" | "suspended" | "ended">();
  readonly #looking: Promise<void>;
  #isClosed = false;

  constructor(site: ForeignSite) {
    this.#site = site;
    this.#looking = this.#lookOn();
  }

  async begin(order: SubmitOrder): Promise<void> {
    const submitted = this.#site.submit(order);
    this.#siteJobs.set(order.token, submitted);
    const attempt = { token: order.token, siteJob: await submitted };
    await this.#site.act("release", attempt);
  }

  cancel(token: string): Promise<void> {
    return this.#act("cancel", token);
  }

  suspend(token: string): Promise<void> {
    return this.#act("suspend", token);
  }

  resume(token: string): Promise<void> {
    return this.#act("resume", token);
  }

  async signal(token: string, name: string): Promise<void> {
    await this.#site.signal({ token, siteJob: await this.#siteJobOf(token) }, name);
  }

  /** Late listeners hear everything from the beginning. */
  onReport(listener: (report: SiteReport) => void): void {
    this.#listeners.push(listener);
    for (const report of this.#reports) listener(report);
  }

  acknowledge(token: string): Promise<void> {
    return this.#site.acknowledge(token);
  }

  readFile(token: string, name: string, from: number, most: number): Promise<FilePart | undefined> {
    return this.#site.readFile(token, name, from, most);
  }

  listFiles(token: string): Promise<readonly { readonly name: string; readonly sizeBytes: number }[]> {
    return this.#site.listFiles(token);
  }

  sizeOfFiles(token: string): Promise<number> {
    return this.#site.sizeOfFiles(token);
  }

  purge(token: string): Promise<void> {
    return this.#site.purge(token);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#looking;
    await this.#site.close();
  }

  async #act(verb: SiteVerb, token: string): Promise<void> {
    await this.#site.act(verb, { token, siteJob: await this.#siteJobOf(token) });
  }

  async #siteJobOf(token: string): Promise<string> {
    for (;;) {
      const siteJob = this.#siteJobs.get(token);
      if (siteJob !== undefined) return siteJob;
      await delay(LOOK_EVERY_MS);
    }
  }

  async #lookOn(): Promise<void> {
    while (!this.#isClosed) {
      const { atMs, ended, jobs } = await this.#site.survey();
      for (const job of jobs) if (job.token !== null) this.#seen(job, job.token, atMs);
      for (const end of ended) this.#seenEnd(end);
      await delay(LOOK_EVERY_MS);
    }
  }

  #seen({ siteJob, startedAtMs, state }: SurveyedJob, token: string, atMs: number): void {
    if (!this.#siteJobs.has(token)) this.#siteJobs.set(token, Promise.resolve(siteJob));
    if (state !== "running" && state !== "suspended") return;
    const before = this.#states.get(token);
    if (before === state || before === "ended") return;
    if (before === undefined) this.#tell({ kind: "running", token, atMs: startedAtMs ?? atMs, pid: 0 });
    if (state === "suspended") this.#tell({ kind: "suspended", token, atMs });
    if (before === "suspended") this.#tell({ kind: "resumed", token, atMs });
    this.#states.set(token, state);
  }

  #seenEnd({ end, endedAtMs, startedAtMs, token }: SurveyedEnd): void {
    const before = this.#states.get(token);
    if (before === "ended") return;
    if (before === undefined && startedAtMs !== null) {
      this.#tell({ kind: "running", token, atMs: startedAtMs, pid: 0 });
    }
    this.#states.set(token, "ended");
    this.#tell({
      kind: "ended",
      token,
      atMs: endedAtMs,
      cause: end.cause,
      exitCode: end.exitCode ?? undefined,
      signal: end.signal ?? undefined,
      cpuMs: end.cpuMs ?? undefined,
      detail: end.detail ?? undefined,
    });
  }

  #tell(report: SiteReport): void {
    this.#reports.push(report);
    for (const listener of this.#listeners) listener(report);
  }
}
