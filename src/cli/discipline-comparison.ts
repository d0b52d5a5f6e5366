/** Several disciplines on one workload, side by side, with a chart of the utilisation under each. */

import { lengthText, percentText } from "../base/index.ts";
import type { SimulationOutcome, UtilisationSeries } from "../model/index.ts";
import { outColours } from "./colours.ts";

const PICTURE_COLUMNS = 64;
const HEIGHTS = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** Compares the results of one trace under one or more disciplines. */
export async function disciplineComparison(outcomes: readonly SimulationOutcome[]): Promise<string> {
  // Commands that draw no such table do not pay for loading it.
  const { default: Table } = await import("cli-table3");
  const table = new Table({
    head: [
      "discipline",
      "mean wait",
      "p95 wait",
      "mean slowdown",
      "utilisation",
      "makespan",
      "backfilled",
    ].map(outColours.bold),
    style: { head: [], border: [] },
    colAligns: ["left", "right", "right", "right", "right", "right", "right"],
  });
  for (const { report } of outcomes) {
    table.push([
      report.discipline,
      lengthText(report.waitMeanSec),
      lengthText(report.waitP95Sec),
      report.boundedSlowdownMean.toFixed(1),
      percentText(report.utilisation),
      lengthText(report.makespanSec),
      String(report.backfilled),
    ]);
  }
  const longestSec = Math.max(...outcomes.map(({ report }) => report.makespanSec));
  const pictures = outcomes.map(
    ({ report, course }) =>
      `  ${report.discipline.padEnd(13)}${outColours.cyan(picture(course, longestSec))}`,
  );
  const scale = `  ${"".padEnd(13)}0${lengthText(longestSec).padStart(PICTURE_COLUMNS - 1)}`;
  return `${table.toString()}\n\nBusy share of the machine over time:\n${pictures.join("\n")}\n${scale}\n`;
}

/** A series as block characters on a common time scale: one column covers longestSec / 64. */
function picture({ stepSec, shares }: UtilisationSeries, longestSec: number): string {
  const columnSec = longestSec / PICTURE_COLUMNS;
  let drawn = "";
  for (let column = 0; column < PICTURE_COLUMNS; column++) {
    const share = meanShare(shares, (column * columnSec) / stepSec, ((column + 1) * columnSec) / stepSec);
    drawn += HEIGHTS[Math.round(Math.min(1, share) * (HEIGHTS.length - 1))];
  }
  return drawn;
}

/** Mean of a step function of equal steps over [from, to), in steps; 0 beyond its end. */
function meanShare(shares: readonly number[], from: number, to: number): number {
  let sum = 0;
  for (let step = Math.floor(from); step < Math.min(to, shares.length); step++) {
    sum += shares[step] * (Math.min(to, step + 1) - Math.max(from, step));
  }
  return sum / (to - from);
}
