/** Tables of expected and promised starts against the real ones. */
import { START_METHODS } from "../src/predict/index.ts";
import type { Expected, Promised } from "./slurm-starts.ts";

/** Real starts and earliest possible starts of jobs, by id. */
export type Truth = ReadonlyMap<string, { readonly startedAtMs: number; readonly eligibleAtMs: number }>;

/**
 * Prints the errors of all expectations at all moments, and side by side where all three methods have one.
 */
export function reportMoments(expected: readonly Expected[], truth: Truth): void {
  const known = expected.filter(({ siteJob }) => truth.has(siteJob));
  const isWhole = (it: Expected): boolean =>
    it.bySlurmMs !== undefined && it.byScheduleMs !== undefined && it.bySimulationMs !== undefined;
  for (const [title, some] of [
    ["of waiting jobs, at sample times", known],
    ["of waiting jobs, at times when all three methods had a prediction", known.filter(isWhole)],
  ] as const) {
    console.log(`predicted starts ${title}: ${new Set(some.map(({ siteJob }) => siteJob)).size} jobs\n`);
    console.log("| method | predictions | median error | p95 error | median (actual − predicted) |");
    console.log("|---|---|---|---|---|");
    row("Slurm's `--start`", some, truth, (it) => it.bySlurmMs);
    row("Stint, schedule", some, truth, (it) => it.byScheduleMs);
    row("Stint, simulation", some, truth, (it) => it.bySimulationMs);
    console.log("");
  }
}

function row(
  name: string,
  some: readonly Expected[],
  truth: Truth,
  of: (it: Expected) => number | undefined,
): void {
  const errors = some.flatMap((it) => {
    const startMs = of(it);
    const real = truth.get(it.siteJob);
    return startMs === undefined || real === undefined ? [] : [real.startedAtMs - startMs];
  });
  const sizes = errors.map(Math.abs);
  const figures = [secondsAt(sizes, 0.5), secondsAt(sizes, 0.95), secondsAt(errors, 0.5)];
  console.log(`| ${name} | ${errors.length} | ${figures.join(" | ")} |`);
}

/** Prints the kept promises by method and as chosen, with the error of the 50 % ones. */
export function reportPromises(promised: readonly Promised[], truth: Truth): void {
  const spoken = promised.filter(({ chosen, siteJob }) => chosen !== null && truth.has(siteJob));
  console.log(
    `predictions at submission: ${promised.length} jobs; ` +
      `for ${spoken.length} the method shown had a record\n`,
  );
  console.log("| method | predictions | came true at 50 % | 80 % | 95 % | median error | p95 error |");
  console.log("|---|---|---|---|---|---|---|");
  promiseRow("the method shown", spoken, truth, (it) => it.chosen ?? undefined);
  for (const method of START_METHODS) {
    promiseRow(method, spoken, truth, ({ all }) => all.find((it) => it.method === method));
  }
}

function promiseRow(
  name: string,
  some: readonly Promised[],
  truth: Truth,
  of: (it: Promised) => Promised["all"][number] | undefined,
): void {
  const outcomes = some.flatMap((it) => {
    const forecast = of(it);
    const real = truth.get(it.siteJob);
    return forecast === undefined || real === undefined ? [] : [{ forecast, startedAtMs: real.startedAtMs }];
  });
  const keptAt = (wanted: number): string => {
    const promises = outcomes.flatMap(({ forecast, startedAtMs }) =>
      forecast.promises
        .filter(({ probability }) => probability === wanted)
        // Slurm tells of starts in whole seconds.
        .map(({ startAtMs }) => startedAtMs <= startAtMs + 1000),
    );
    const kept = promises.filter(Boolean).length;
    return promises.length === 0 ? "–" : `${Math.round((100 * kept) / promises.length)} %`;
  };
  const errors = outcomes.flatMap(({ forecast, startedAtMs }) => {
    const [first] = forecast.promises;
    return first === undefined ? [] : [Math.abs(startedAtMs - first.startAtMs)];
  });
  const parts = [keptAt(0.5), keptAt(0.8), keptAt(0.95), secondsAt(errors, 0.5), secondsAt(errors, 0.95)];
  console.log(`| ${name} | ${outcomes.length} | ${parts.join(" | ")} |`);
}

function secondsAt(valuesMs: readonly number[], part: number): string {
  if (valuesMs.length === 0) return "–";
  const sorted = [...valuesMs].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1);
  return `${Math.round(sorted[Math.max(0, at)] / 1000)} s`;
}
