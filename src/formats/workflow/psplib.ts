/**
 * PSPLIB `.sm`: projects with renewable resources, one mode per activity.
 *
 * A period is one second; the activities need none of our processors but the file's own resources R 1, R 2,
 * …, with the capacities that the file states. Source: Kolisch, Sprecher 1996 [PSPLIB].
 */
import type { TaskDraft } from "../../plan/index.ts";
import { type DraftReading, unreadable } from "./reading.ts";

/** The project of a text. */
export function readPsplib(text: string): DraftReading {
  const lines = text.split(/\r?\n/);
  const successors = rowsBelow(lines, "PRECEDENCE RELATIONS:");
  const requests = rowsBelow(lines, "REQUESTS/DURATIONS:");
  const [capacities] = rowsBelow(lines, "RESOURCEAVAILABILITIES:");
  if (successors.length === 0 || requests.length === 0 || capacities === undefined) {
    return unreadable(malformed(undefined, "a section is missing or empty"));
  }
  const names = capacities.numbers.map((_, k) => `R${k + 1}`);
  const parents = new Map<number, number[]>();
  for (const { numbers, line } of successors) {
    const [job, modes, count, ...of] = numbers;
    if (modes !== 1) return unreadable(malformed(line, "an activity has several modes, which are not read"));
    if (of.length !== count) return unreadable(malformed(line, `${count} successors are stated`));
    for (const child of of) parents.set(child, [...(parents.get(child) ?? []), job]);
  }
  const tasks: TaskDraft[] = [];
  for (const { numbers, line } of requests) {
    const [job, , duration, ...amounts] = numbers;
    if (amounts.length !== names.length) {
      return unreadable(malformed(line, `there are ${names.length} resources`));
    }
    const own = Object.fromEntries(names.map((name, k) => [name, amounts[k]]));
    const waitsFor = (parents.get(job) ?? []).map((id) => ({ id: String(id), bytes: 0 }));
    tasks.push({
      ...{ id: String(job), procs: 0, runtimeMs: 1000 * duration, amounts: own, parents: waitsFor, line },
    });
  }
  const name = /file with basedata\s*:\s*(\S+?)(?:\.bas)?\s*$/im.exec(text)?.[1] ?? "project";
  const capacityOf = Object.fromEntries(names.map((of, k) => [of, capacities.numbers[k]]));
  return { draft: { name, tasks, capacities: capacityOf }, problems: [] };
}

interface Row {
  readonly line: number;
  readonly numbers: readonly number[];
}

/** Rows of numbers below a title; heads of columns and rules between are passed over. */
function rowsBelow(lines: readonly string[], title: string): readonly Row[] {
  const first = lines.findIndex((line) => line.startsWith(title));
  if (first < 0) return [];
  const rows: Row[] = [];
  for (let at = first + 1; at < lines.length && !lines[at].startsWith("*"); at++) {
    const words = lines[at].trim().split(/\s+/);
    if (!words.every((word) => /^-?\d+$/.test(word))) continue;
    rows.push({ line: at + 1, numbers: words.map(Number) });
  }
  return rows;
}

function malformed(line: number | undefined, why: string) {
  return {
    ...{ code: "psplibSyntax", what: "this is not a PSPLIB project", why },
    remedy: "check whether the file is complete; single-mode projects (.sm) are read",
    ...(line === undefined ? {} : { line }),
  };
}
