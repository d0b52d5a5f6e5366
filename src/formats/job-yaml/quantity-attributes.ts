/**
 * The attributes that are numbers: counts, memory, and the time limit.
 */
import { durationOf, sizeOf, wholeNumberOf } from "../yaml/index.ts";
import type { Given } from "./draft.ts";

const likelyForgotUnitBytes = 1024 * 1024;
const anyCount = { least: 1, most: Number.MAX_SAFE_INTEGER };

/** `cpuNumber`: how many processors. */
export function readCpuNumber(given: Given): void {
  const count = wholeNumberOf(given, { ...anyCount, example: "cpuNumber: 4" });
  if (count !== undefined) given.draft.cpuNumber = count;
}

/** `gpus`: how many of them. */
export function readGpus(given: Given): void {
  const count = wholeNumberOf(given, { ...anyCount, example: "gpus: 1" });
  if (count !== undefined) given.draft.gpus = count;
}

/** `memory`: bytes, or a size with a unit. */
export function readMemory(given: Given): void {
  const { name, value, notes, draft } = given;
  const bytes = sizeOf(given, { example: "memory: 4G", ifZero: noMemory });
  if (bytes === undefined) return;
  if (bytes < likelyForgotUnitBytes && value.kind === "scalar") {
    notes.warning(value.at, {
      code: "memoryTiny",
      what: `${name} is ${bytes} bytes`,
      why: "a number without a unit counts bytes, and hardly any program runs in so few",
      remedy: `write for instance ${name}: ${Math.max(1, Math.trunc(Number.parseFloat(value.text)))}M`,
    });
  }
  draft.memoryBytes = bytes;
}

/** `wallTime`: the time limit. */
export function readWallTime(given: Given): void {
  const limitMs = durationOf(given, { example: "wallTime: 1h30m", ifZero: noTime });
  if (limitMs !== undefined) given.draft.wallTimeMs = limitMs;
}

/** `delayCost`: SU for an hour of delay; whole, so that prices stay exact. */
export function readDelayCost(given: Given): void {
  const bounds = { least: 0, most: 1_000_000_000, example: "delayCost: 16" };
  const suPerHour = wholeNumberOf(given, bounds);
  if (suPerHour !== undefined) given.draft.delayCostSuPerHour = suPerHour;
}

const noMemory = { why: "a program needs some", remedy: "leave it out where it does not matter" };
const noTime = {
  why: "a job that may run for no time cannot run",
  remedy: "leave it out for the site's default, or write for instance wallTime: 1h30m",
};
