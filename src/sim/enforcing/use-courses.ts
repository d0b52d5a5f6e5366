/**
 * The course of use of every level of every consumer, noted as jobs start and end.
 */
import { pathsTo } from "../../policy/index.ts";
import type { UseSeries } from "./enforced-input.ts";

/** Courses that are being noted. */
export type AllSeries = Map<string, [atMs: number, cpu: number][]>;

/** Notes that a consumer uses so many processors more (or less) from now on. */
export function noteUse(courses: AllSeries, consumer: string, cpu: number, atMs: number): void {
  for (const path of ["", ...pathsTo(consumer)]) {
    const course = courses.get(path) ?? [];
    courses.set(path, course);
    const last = course.at(-1);
    if (last !== undefined && last[0] === atMs) last[1] += cpu;
    else course.push([atMs, (last?.[1] ?? 0) + cpu]);
  }
}

/** Processor-milliseconds of a course between two instants. */
export function usedBetween(course: UseSeries, fromMs: number, untilMs: number): number {
  return course.reduce((sum, [atMs, cpu], place) => {
    const nextMs = course[place + 1]?.[0] ?? untilMs;
    const lastsMs = Math.min(nextMs, untilMs) - Math.max(atMs, fromMs);
    return lastsMs > 0 ? sum + cpu * lastsMs : sum;
  }, 0);
}
