/**
 * The attributes that are numbers: counts, memory, and the time limit.
 */
import { parseDuration, parseSize } from "../../base/index.ts";
import { echoText } from "../echo-text.ts";
import { type Given, wrongType } from "./draft.ts";
import type { ScalarValue } from "./value.ts";

const likelyForgotUnitBytes = 1024 * 1024;

/** `cpuNumber`: how many processors. */
export function readCpuNumber(given: Given): void {
  const count = countOf(given, "cpuNumber: 4");
  if (count !== undefined) given.draft.cpuNumber = count;
}

/** `gpus`: how many of them. */
export function readGpus(given: Given): void {
  const count = countOf(given, "gpus: 1");
  if (count !== undefined) given.draft.gpus = count;
}

/** `memory`: bytes, or a size with a unit. */
export function readMemory(given: Given): void {
  const { name, notes, draft } = given;
  const written = numberOrText(given, "memory: 4G");
  if (written === undefined) return;
  const size = parseSize(written.text);
  if (!size.ok || size.value === 0) {
    const { why, remedy } = size.ok ? noMemory : size.refusal;
    const code = size.ok ? "notPositive" : "badSize";
    notes.problem(written.at, { code, what: `${name}: ${echoText(written.text)} is no size`, why, remedy });
    return;
  }
  if (size.value < likelyForgotUnitBytes) {
    notes.warning(written.at, {
      code: "memoryTiny",
      what: `${name} is ${size.value} bytes`,
      why: "a number without a unit counts bytes, and hardly any program runs in so few",
      remedy: `write for instance ${name}: ${Math.max(1, Math.trunc(Number.parseFloat(written.text)))}M`,
    });
  }
  draft.memoryBytes = size.value;
}

/** `wallTime`: the time limit. */
export function readWallTime(given: Given): void {
  const { name, notes, draft } = given;
  const written = numberOrText(given, "wallTime: 1h30m");
  if (written === undefined) return;
  const time = parseDuration(written.text);
  if (time.ok && time.value > 0) {
    draft.wallTimeMs = time.value;
    return;
  }
  const { why, remedy } = time.ok ? noTime : time.refusal;
  const code = time.ok ? "notPositive" : "badDuration";
  notes.problem(written.at, {
    code,
    what: `${name}: ${echoText(written.text)} is no length of time`,
    why,
    remedy,
  });
}

const noMemory = { why: "a program needs some", remedy: "leave it out where it does not matter" };
const noTime = {
  why: "a job that may run for no time cannot run",
  remedy: "leave it out for the site's default, or write for instance wallTime: 1h30m",
};

function countOf({ name, value, notes }: Given, example: string): number | undefined {
  if (value.kind !== "scalar" || value.value === null || typeof value.value === "boolean") {
    notes.problem(value.at, wrongType(name, value, example));
    return undefined;
  }
  const count = value.value;
  if (typeof count === "number" && Number.isSafeInteger(count) && count >= 1) return count;
  const isQuoted = typeof count === "string" && /^\d+$/.test(count);
  notes.problem(value.at, {
    code: isQuoted ? "wrongType" : "notCount",
    what: `${name}: ${echoText(value.text)} is not a number of them`,
    why: isQuoted ? "in quotes it is a text" : "it is a whole number, 1 or more",
    remedy: isQuoted
      ? `write ${name}: ${count} without quotes`
      : `write for instance ${example}, or leave it out`,
  });
  return undefined;
}

function numberOrText({ name, value, notes }: Given, example: string): ScalarValue | undefined {
  const isEither =
    value.kind === "scalar" && (typeof value.value === "number" || typeof value.value === "string");
  if (isEither) return value;
  notes.problem(value.at, wrongType(name, value, example));
  return undefined;
}
