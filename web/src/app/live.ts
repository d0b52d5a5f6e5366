/**
 * Changes as the broker reports them. The browser reconnects by itself with the id of the last event, and
 * the broker tells whether something was missed; then everything is asked again.
 */
import { useEffect, useState } from "react";
import { type ChangeView, pathOf } from "./client.ts";
import { queries } from "./queries.ts";

/** Connection to the broker's changes; `since` is the instant of its loss, Unix ms. */
export type Liveness = { readonly state: "live" | "connecting" } | { readonly state: "lost"; since: number };

/** Pause before a new connection where the browser has given up: the broker answered with an error. */
const RETRY_MS = 2000;
/** Lists are asked again at most so often, however many jobs change. */
const LISTS_EVERY_MS = 2000;

/** Follows the changes while the component is there. */
export function useLive(): Liveness {
  const [liveness, setLiveness] = useState<Liveness>({ state: "connecting" });
  useEffect(() => {
    let source: EventSource | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const lists = throttledLists();
    let wasLost = false;
    const open = (): void => {
      source = new EventSource(pathOf("watchEvents", {}));
      source.onopen = () => {
        if (wasLost) void queries.invalidateQueries();
        wasLost = false;
        setLiveness({ state: "live" });
      };
      source.onerror = () => {
        wasLost = true;
        setLiveness((now) => (now.state === "lost" ? now : { state: "lost", since: Date.now() }));
        if (source?.readyState !== EventSource.CLOSED) return;
        // Perhaps the token has expired: the shell then shows the sign-in.
        void queries.invalidateQueries({ queryKey: ["session"] });
        retry = setTimeout(open, RETRY_MS);
      };
      source.addEventListener("changed", (event) => {
        const change: ChangeView = JSON.parse(event.data);
        for (const id of change.jobs) void queries.invalidateQueries({ queryKey: ["job", id] });
        lists.stale();
      });
    };
    open();
    return () => {
      source?.close();
      clearTimeout(retry);
      lists.end();
    };
  }, []);
  return liveness;
}

/**
 * Single jobs are told of each; of long lists what is in sight is read again; simulations change alone;
 * troubles are asked for by themselves.
 */
const UNTOUCHED = [
  ...["session", "job", "job-pages", "troubles"],
  ...["simulation", "simulations", "simulation-workloads"],
];

/** Makes everything but single jobs stale, at most so often. */
function throttledLists() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = 0;
  const flush = (): void => {
    timer = undefined;
    lastAt = Date.now();
    void queries.invalidateQueries({ predicate: ({ queryKey }) => !UNTOUCHED.includes(String(queryKey[0])) });
  };
  return {
    stale() {
      timer ??= setTimeout(flush, Math.max(0, lastAt + LISTS_EVERY_MS - Date.now()));
    },
    end: () => clearTimeout(timer),
  };
}
