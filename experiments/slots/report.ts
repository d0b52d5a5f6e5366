/**
 * The report of the experiments with slots: one HTML file, as `src/sim/report` makes them.
 */
import { type Cell, htmlTable, numberCell } from "../../src/report/index.ts";
import { reportPage } from "../report-page.ts";
import type { Verdict } from "../verdict.ts";
import { figuresOf } from "./figures.ts";
import type { Measured } from "./measure.ts";

/** The HTML text. */
export function slotReport(all: readonly Measured[], verdicts: readonly Verdict[]): string {
  return reportPage({
    title: "Slots: [PROV] chapter 3 and figures 4 to 8",
    deviations: deviations(all),
    opening: runTable(all),
    figures: figuresOf(all),
    verdicts,
  });
}

function runTable(all: readonly Measured[]): string {
  const heads: Cell[] = [
    { text: "workload" },
    { text: "discipline, estimates" },
    ...["jobs", "utilisation", "mean slots", "median", "most", "samples"].map((text) => numberCell(text)),
  ];
  const rows = all.map(({ cluster, discipline, estimates, report, slots }) => [
    { text: cluster.name, note: `sha256 ${report.traceSha256.slice(0, 16)}…, ${report.procs} processors` },
    { text: `${discipline}, ${estimates}` },
    ...[
      String(report.jobs),
      `${(report.utilisation * 100).toFixed(1)} %`,
      slots.count.mean.toFixed(1),
      String(slots.count.median),
      String(slots.count.max),
      String(slots.samples),
    ].map((text) => numberCell(text)),
  ]);
  return htmlTable("All runs. The source's are conservative; it is silent on EASY here.", heads, rows);
}

function deviations(all: readonly Measured[]): readonly string[] {
  const seen = [...new Map(all.map((one) => [one.cluster.name, one])).values()];
  const sizes = seen.map(({ cluster, report }) =>
    cluster.isRecorded
      ? `${cluster.name}: ${report.jobs} jobs of the cleaned log, the source ` +
        `${cluster.said.jobs} of the whole one; utilisation ${(report.utilisation * 100).toFixed(1)} %, ` +
        `the source says ${cluster.said.utilisationPercent} %.`
      : `${cluster.name}: ${report.jobs} jobs drawn from a model (Lublin–Feitelson) ` +
        "to look alike: the log was not " +
        "at hand, so no number here says anything of the source's.",
  );
  const others = [
    "Slots are tiled canonically from the profile; " +
      "the source carries left-overs from placement to placement.",
    `The source says "periodically"; here every ${seen[0].slots.everySec} s of virtual time.`,
    "Points beyond the axes of figures 5, 6 and 8 are not drawn; all are in the numbers.",
  ];
  return [...sizes, ...others];
}
