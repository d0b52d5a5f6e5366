/**
 * A managed site whose processes are played: each runs as long as it says, heeds orders at once, and lives on
 * while no broker is there.
 */
import type { ManagedSiteSpec } from "../../src/model/index.ts";
import type { Clock, LaunchOrder, ManagedSite, SiteReport } from "../../src/runtime/index.ts";

interface Process {
  readonly token: string;
  leftMs: number;
  /** Null while it is suspended. */
  sinceMs: number | null;
  end: SiteReport | undefined;
}

/** Opens the same processes again and again. */
export interface ScriptedMachine {
  open(name: string, spec: ManagedSiteSpec): ManagedSite;
}

/** A machine on which nothing runs yet. */
export function scriptedMachine(clock: Clock, runtimeMs: (order: LaunchOrder) => number): ScriptedMachine {
  const processes = new Map<string, Process>();
  const listeners = new Set<(report: SiteReport) => void>();
  const tell = (report: SiteReport) => {
    for (const listener of listeners) listener(report);
  };
  const end = (it: Process, more: Partial<Extract<SiteReport, { kind: "ended" }>>) => {
    if (it.end !== undefined) return;
    const plain = {
      cause: "exited",
      exitCode: 0,
      signal: undefined,
      cpuMs: undefined,
      detail: undefined,
    } as const;
    it.end = { kind: "ended", token: it.token, atMs: clock.nowMs(), ...plain, ...more };
    tell(it.end);
  };
  const goOn = (it: Process) => {
    it.sinceMs = clock.nowMs();
    const begun = it.sinceMs;
    clock.wakeAt(begun + it.leftMs, () => it.sinceMs === begun && end(it, {}));
  };
  const known = (token: string) => processes.get(token);
  return {
    open: (name, { procs, memoryBytes }) => ({
      name,
      capacity: async () => ({ procs, memoryBytes }),
      async launch(order) {
        const it: Process = { token: order.token, leftMs: runtimeMs(order), sinceMs: null, end: undefined };
        processes.set(order.token, it);
        goOn(it);
        tell({ kind: "running", token: order.token, atMs: clock.nowMs(), pid: 1 });
      },
      async cancel(token) {
        const it = known(token);
        if (it !== undefined) end(it, { cause: "cancelled", exitCode: undefined, signal: "SIGTERM" });
      },
      async suspend(token) {
        const it = known(token);
        if (it === undefined || it.sinceMs === null) return;
        it.leftMs -= clock.nowMs() - it.sinceMs;
        it.sinceMs = null;
        tell({ kind: "suspended", token, atMs: clock.nowMs() });
      },
      async resume(token) {
        const it = known(token);
        if (it === undefined || it.sinceMs !== null) return;
        goOn(it);
        tell({ kind: "resumed", token, atMs: clock.nowMs() });
      },
      signal: async () => undefined,
      inventory: async (tokens) =>
        tokens.flatMap((token) => {
          const it = known(token);
          if (it === undefined) return [];
          return [it.end ?? { kind: "running", token, atMs: clock.nowMs(), pid: 1 }];
        }),
      onReport: (listener) => void listeners.add(listener),
      acknowledge: async () => undefined,
      readFile: async () => undefined,
      listFiles: async () => [],
      sizeOfFiles: async () => 0,
      purge: async (token) => void processes.delete(token),
      close: async () => listeners.clear(),
    }),
  };
}
