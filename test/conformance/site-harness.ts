/**
 * What an implementation brings to the conformance suite of sites, and the common face of both kinds.
 */
import type { FilePart, ForeignSite, ManagedSite, SiteReport, SubmitOrder } from "../../src/runtime/index.ts";

/** What a job of the suite does. */
export type Behaviour =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "print"; readonly stdout: string; readonly stderr: string }
  /** Runs until `letGo`, then exits with the code. */
  | { readonly kind: "gated"; readonly code: number }
  /** Runs until it is killed; TERM does not move it. */
  | { readonly kind: "stubborn" }
  /** The name of a program that is not there. */
  | { readonly kind: "missing" };

/** How jobs are made for a site, and what the suite must know of it. */
export interface JobHarness {
  /** Between TERM and KILL. */
  readonly graceMs: number;
  /** The shortest time limit that the site can keep. */
  readonly shortLimitMs: number;
  /** How long a test waits for what has to come; 30 s where absent. */
  readonly deadlineMs?: number;
  /** How late the site may be in ending a job at its limit; 500 ms where absent. */
  readonly lateMs?: number;
  /** Whether the site shows a job as running before it is known that its program can be started. */
  readonly showsRunningBeforeLaunch?: boolean;
  command(token: string, behaviour: Behaviour): readonly string[];
  letGo(token: string): Promise<void>;
  /** How often the job of this token was begun. */
  begun(token: string): Promise<number>;
  /** What jobs of this behaviour need in their environment, where they need anything. */
  environment?(behaviour: Behaviour): Readonly<Record<string, string>>;
  /** Closes what is open and leaves nothing running. */
  dispose(): Promise<void>;
}

/** One site with its state, made for one test. `open` again is another life of the broker. */
export interface ManagedSiteHarness extends JobHarness {
  open(): Promise<ManagedSite>;
}

/** One foreign site with its state, of at least four processors. */
export interface ForeignSiteHarness extends JobHarness {
  open(): Promise<ForeignSite>;
  /** A moment passes, live or played. */
  pause(): Promise<void>;
  /** The site's clock, live or played. */
  nowMs(): number;
  /** Long enough for a site of this kind to do something at its time; reservations last a few of these. */
  readonly stepMs: number;
}

/**
 * In which circumstances a foreign site is made. `doubtful`: every submission is accepted and reported
 * failed; `vanishing`: every job goes without a trace; `others`: somebody else's jobs are there.
 */
export type Circumstances = "plain" | "doubtful" | "vanishing" | "others";

/** What both kinds of site do, as a test sees it. */
export interface SiteFace {
  begin(order: SubmitOrder): Promise<void>;
  cancel(token: string): Promise<void>;
  suspend(token: string): Promise<void>;
  resume(token: string): Promise<void>;
  signal(token: string, name: string): Promise<void>;
  onReport(listener: (report: SiteReport) => void): void;
  acknowledge(token: string): Promise<void>;
  readFile(token: string, name: string, from: number, most: number): Promise<FilePart | undefined>;
  listFiles(token: string): Promise<readonly { readonly name: string; readonly sizeBytes: number }[]>;
  sizeOfFiles(token: string): Promise<number>;
  purge(token: string): Promise<void>;
  close(): Promise<void>;
}

/** A managed site is its own face. */
export function faceOfManaged(site: ManagedSite): SiteFace {
  return {
    begin: (order) => site.launch(order),
    cancel: (token) => site.cancel(token),
    suspend: (token) => site.suspend(token),
    resume: (token) => site.resume(token),
    signal: (token, name) => site.signal(token, name),
    onReport: (listener) => site.onReport(listener),
    acknowledge: (token) => site.acknowledge(token),
    readFile: (token, name, from, most) => site.readFile(token, name, from, most),
    listFiles: (token) => site.listFiles(token),
    sizeOfFiles: (token) => site.sizeOfFiles(token),
    purge: (token) => site.purge(token),
    close: () => site.close(),
  };
}
