import { useEffect, useState, useSyncExternalStore } from "react";
import { lengthText } from "./format.ts";

const dayAndClock = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});
const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** Time of day of an instant, in the reader's zone. */
export function clockText(atMs: number): string {
  return clock.format(atMs);
}

/** Day and time of an instant, in the reader's zone. */
export function instantText(at: string | number): string {
  return dayAndClock.format(new Date(at));
}

/** The present, renewed every second, or every minute. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Callbacks that a timer shared by all instants of the page calls each second. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function eachSecond(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const tell of listeners) tell();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** An instant as people say it, "in 2h05m" or "3m ago", with day and time as its title. */
export function Instant({ at }: { readonly at: string | null }) {
  return at === null ? <span>–</span> : <KnownInstant at={at} />;
}

function KnownInstant({ at }: { readonly at: string }) {
  // Rendered anew only when the words change: what was long ago rarely does.
  const text = useSyncExternalStore(eachSecond, () => relative(at));
  return (
    <time dateTime={at} title={instantText(at)}>
      {text}
    </time>
  );
}

const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A sentence of the broker, with its instants in the reader's zone. */
export function Sentence({ text }: { readonly text: string }) {
  return text
    .split(INSTANT)
    .map((part) => (INSTANT.test(part) ? `${instantText(part)} (${relative(part)})` : part))
    .join("");
}

function relative(at: string): string {
  const fromNow = Date.parse(at) - Date.now();
  const text = lengthText(Math.abs(fromNow));
  return fromNow >= 0 ? `in ${text}` : `${text} ago`;
}
