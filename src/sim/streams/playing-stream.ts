/**
 * A stream while it runs: data flow in and are processed at constant rates between two events.
 *
 * A fluid model: no latencies, and blocks count only for the halt mark, which leaves room for those under
 * way.
 */

import type { SceneStream } from "../../stream/index.ts";
import { haltMarkBytes, type ProcsByClass, STREAM_RULES } from "../../stream/index.ts";

/** State of a running stream. */
export interface PlayingStream {
  readonly stream: SceneStream;
  readonly procs: ProcsByClass;
  /** Rate of processing on its processors. */
  readonly speedBytesPerSec: number;
  readonly startedMs: number;
  quotaBytes: number;
  occupiedBytes: number;
  arrivedBytes: number;
  processedBytes: number;
  allocatedBytesPerSec: number;
  isHalted: boolean;
  /** Of the staged baseline: data are processed, and none arrive. */
  isDraining: boolean;
  halts: number;
  overflowBytes: number;
  busyMs: number;
}

/** Blocks that the staged baseline transfers, processes and cleans up at a time. */
const STAGED_BLOCKS = 16;

/** Level at which inflow stops: the halt mark, or the quota for those who never halt. */
export function fullBytes({ quotaBytes, stream }: PlayingStream, isHalting: boolean): number {
  if (!isHalting) return quotaBytes;
  return haltMarkBytes(quotaBytes, { sizeBytes: stream.blockBytes, connections: stream.connections });
}

function stageBytes(playing: PlayingStream): number {
  return Math.min(fullBytes(playing, true), STAGED_BLOCKS * playing.stream.blockBytes);
}

/** Level at which a halted stream resumes. */
function resumeBytes(playing: PlayingStream): number {
  return Math.min(STREAM_RULES.resumeMark * playing.quotaBytes, fullBytes(playing, true) / 2);
}

/** True while data are to come. */
export function isArriving({ stream, arrivedBytes }: PlayingStream): boolean {
  return arrivedBytes < stream.dataBytes;
}

/** Limits that reduce the rate of a stream. */
export interface FlowRules {
  /** True where a full storage halts the transfer. */
  readonly isHalting: boolean;
  /** True where nothing is processed while data arrive. */
  readonly isStaged: boolean;
  /** True where the whole store, and not the quota, is the limit, and it is full. */
  readonly isStoreFull: boolean;
}

/** Rates between two events, in bytes/s. */
export interface Rates {
  readonly inflow: number;
  readonly processed: number;
  /** Inflow that finds no room. */
  readonly lost: number;
}

/** Bytes that count as none: sums of fractions. */
const NOTHING_BYTES = 1e-3;

/** Rates of a stream in its present state. */
export function ratesOf(playing: PlayingStream, rules: FlowRules): Rates {
  const { speedBytesPerSec: speed, occupiedBytes, isDraining } = playing;
  const isOpen = isArriving(playing) && !playing.isHalted && !isDraining;
  const sent = isOpen ? playing.allocatedBytesPerSec : 0;
  if (rules.isStaged && !isDraining) return { inflow: sent, processed: 0, lost: 0 };
  const processed = occupiedBytes > NOTHING_BYTES ? speed : Math.min(speed, sent);
  const isFull =
    rules.isStoreFull || (!rules.isHalting && occupiedBytes >= playing.quotaBytes - NOTHING_BYTES);
  const inflow = isFull ? Math.min(sent, processed) : sent;
  return { inflow, processed, lost: sent - inflow };
}

/** Milliseconds until the rates of a stream change by themselves; at least 1. */
export function untilChangeMs(playing: PlayingStream, rates: Rates, rules: FlowRules): number {
  const { stream, occupiedBytes, arrivedBytes, processedBytes } = playing;
  const slope = rates.inflow - rates.processed;
  const full = rules.isStaged ? stageBytes(playing) : fullBytes(playing, rules.isHalting);
  const waits = [
    rates.inflow > 0 ? (stream.dataBytes - arrivedBytes) / rates.inflow : Infinity,
    rates.processed > 0 ? (stream.dataBytes - processedBytes) / rates.processed : Infinity,
    slope > 0 && !rules.isStoreFull && occupiedBytes < full ? (full - occupiedBytes) / slope : Infinity,
    slope < 0 ? occupiedBytes / -slope : Infinity,
    slope < 0 && playing.isHalted ? (occupiedBytes - resumeBytes(playing)) / -slope : Infinity,
  ];
  return Math.max(1, Math.ceil(Math.min(...waits) * 1000));
}

/** Lets time pass at these rates. */
export function flow(playing: PlayingStream, rates: Rates, lengthMs: number): void {
  const seconds = lengthMs / 1000;
  const room = playing.stream.dataBytes - playing.arrivedBytes;
  const came = Math.min(room, rates.inflow * seconds);
  const done = Math.min(playing.occupiedBytes + came, rates.processed * seconds);
  playing.arrivedBytes += came;
  playing.processedBytes += done;
  playing.occupiedBytes += came - done;
  playing.overflowBytes += rates.lost * seconds;
  if (rates.processed > 0) playing.busyMs += lengthMs * (done / (playing.speedBytesPerSec * seconds));
}

/** Halts or resumes a stream by its storage; true where something changed. */
export function turn(playing: PlayingStream, { isHalting, isStaged }: FlowRules): boolean {
  const { occupiedBytes } = playing;
  if (isStaged) {
    const isFull = occupiedBytes >= stageBytes(playing) - NOTHING_BYTES || !isArriving(playing);
    const isDraining = playing.isDraining ? occupiedBytes > NOTHING_BYTES : isFull;
    const hasChanged = isDraining !== playing.isDraining;
    playing.isDraining = isDraining;
    return hasChanged;
  }
  if (!isHalting || !isArriving(playing)) return false;
  const isHalted = playing.isHalted
    ? occupiedBytes > resumeBytes(playing) + NOTHING_BYTES
    : occupiedBytes >= fullBytes(playing, true) - NOTHING_BYTES;
  const hasChanged = isHalted !== playing.isHalted;
  if (hasChanged && isHalted) playing.halts++;
  playing.isHalted = isHalted;
  return hasChanged;
}

/** True once all data are processed. */
export function isDone({ stream, processedBytes }: PlayingStream): boolean {
  return processedBytes >= stream.dataBytes - NOTHING_BYTES;
}
