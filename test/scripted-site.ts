/**
 * A managed site whose processes are a script: they report when the test's clock says so.
 */
import type { LaunchOrder, ManagedSite, SiteReport } from "../src/runtime/index.ts";

/** What was asked of a scripted site, in order. */
export interface ScriptedSite extends ManagedSite {
  readonly asked: string[];
  /** Tells the broker something. */
  tell(report: SiteReport): void;
  /** What `inventory` answers; by default it knows of nothing. */
  known: SiteReport[];
}

/** A report that an attempt runs. */
export function running(token: string, atMs: number): SiteReport {
  return { kind: "running", token, atMs, pid: 1 };
}

/** A report that an attempt ended by itself. */
export function exited(token: string, atMs: number, exitCode = 0): SiteReport {
  const nothing = { signal: undefined, cpuMs: undefined, detail: undefined };
  return { kind: "ended", token, atMs, cause: "exited", exitCode, ...nothing };
}

/** A site of four processors; `onLaunch` may answer a launch. */
export function scriptedSite(onLaunch: (order: LaunchOrder) => void = () => undefined): ScriptedSite {
  const listeners: ((report: SiteReport) => void)[] = [];
  const asked: string[] = [];
  const note = (verb: string) => async (token: string) => void asked.push(`${verb} ${token}`);
  const site: ScriptedSite = {
    name: "local",
    asked,
    known: [],
    capacity: async () => ({ procs: 4, memoryBytes: 2 ** 30 }),
    async launch(order) {
      asked.push(`launch ${order.token}`);
      onLaunch(order);
    },
    cancel: note("cancel"),
    suspend: note("suspend"),
    resume: note("resume"),
    signal: note("signal"),
    inventory: async (tokens) => {
      asked.push(`inventory ${tokens.join(" ")}`.trim());
      return site.known;
    },
    onReport: (listener) => void listeners.push(listener),
    acknowledge: note("acknowledge"),
    readFile: async () => undefined,
    listFiles: async () => [],
    sizeOfFiles: async () => 0,
    purge: note("purge"),
    close: async () => undefined,
    tell(report) {
      for (const listener of listeners) listener(report);
    },
  };
  return site;
}
