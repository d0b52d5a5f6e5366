/**
 * Starts less than a minute ago mean now: a request takes a moment to arrive (rule EN-34).
 */
import type { WantedWhen } from "../../../model/index.ts";

const JUST_NOW_MS = 60_000;

/** A start that has just gone by is now; one of a minute ago or more is past, and stays so. Unix ms. */
export function snapToNow(startMs: number, nowMs: number): number {
  return startMs > nowMs - JUST_NOW_MS ? Math.max(startMs, nowMs) : startMs;
}

/** Start of a question, adjusted to now in the same way. */
export function heardWhen(when: WantedWhen, nowMs: number): WantedWhen {
  return when.kind === "at" ? { kind: "at", startMs: snapToNow(when.startMs, nowMs) } : when;
}
