/**
 * What was run, and every simulation in a row.
 */

import { basename } from "node:path";
import { isProgram, type ScenarioCut, type ScenarioSite } from "../../model/index.ts";
import { type Cell, htmlTable, numberCell } from "./markup.ts";
import { lengthText, metricLabel, metricValue } from "./metric-text.ts";
import type { ReportMatter } from "./report-matter.ts";

/** The section. */
export function runsSection({ scenario, summary }: ReportMatter): string {
  const { compare, warmUp, coolDown } = scenario;
  const what = scenario.runs.flatMap(({ name, sites }) =>
    sites.map((site): Cell[] => {
      const row = summary.rows.find((one) => one.run === name && one.site === site.name);
      const pools = site.pools.length === 0 ? [row?.procs ?? "?"] : site.pools.map(({ procs }) => procs);
      return [
        { text: name },
        { text: site.name },
        { text: pools.join(" + ") },
        { text: site.discipline },
        { text: priorityText(site) },
        { text: `${site.estimates}, ${site.overrun}` },
        { text: workloadText(site) },
      ];
    }),
  );
  const words = ["run", "site", "procs", "discipline", "priority", "estimates, overrun", "workload"];
  const heads = words.map((text) => ({ text }));
  const rows = summary.rows.map((row): Cell[] => [
    { text: row.run },
    { text: row.site },
    numberCell(String(row.replicate)),
    numberCell(String(row.seed)),
    numberCell(`${row.jobsCounted} of ${row.jobs}`),
    ...compare.map((metric) => numberCell(metricValue(metric, row[metric]))),
  ]);
  const rowHeads: Cell[] = [
    { text: "run" },
    { text: "site" },
    ...["replicate", "seed", "jobs counted"].map((text) => numberCell(text)),
    ...compare.map((metric) => numberCell(metricLabel(metric))),
  ];
  return (
    "<section><h2>What was run</h2>\n" +
    `<p>Not counted, though simulated: ${cutText(warmUp)} at the beginning of each workload, ` +
    `${cutText(coolDown)} at its end. Sites are independent of each other.</p>\n` +
    `${htmlTable("The runs", heads, what)}<h2>Every simulation</h2>\n` +
    `${htmlTable("One row for each; runs.csv has all their numbers", rowHeads, rows)}</section>`
  );
}

function cutText(cut: ScenarioCut): string {
  if (cut.kind === "jobs") return cut.count === 0 ? "nothing" : `${cut.count} jobs`;
  return cut.lengthMs === 0 ? "nothing" : `what was submitted in ${lengthText(cut.lengthMs / 1000)}`;
}

function priorityText({ priority, discipline }: ScenarioSite): string {
  if (isProgram(discipline)) return "the program's";
  if (priority === undefined) return "order of arrival";
  const { name, config } = priority;
  return config === undefined ? name : `${name} (${basename(config)})`;
}

function workloadText({ workload, reservations, stoppedJobs }: ScenarioSite): string {
  if (workload.kind === "lines") {
    return `${basename(workload.trace)}${stoppedJobs === undefined ? "" : `, stopped jobs ${stoppedJobs}`}`;
  }
  const { load, scale } = workload;
  const brought = load === undefined ? "" : `, load ${load} by ${scale}`;
  const reserved = reservations === undefined ? "" : `; reservations of ${basename(reservations)}`;
  if (workload.kind === "recorded") return `${basename(workload.trace)}${brought}${reserved}`;
  const { model, set, jobs, requests } = workload;
  const parameters = Object.entries(workload.parameters).map(([name, value]) => `, ${name} ${value}`);
  const asked = requests === undefined ? "" : `, ${requests} requests`;
  const variant = model === "lublin" ? ` (${set})` : "";
  return `${jobs} jobs of ${model}${variant}${brought}${asked}${parameters.join("")}${reserved}`;
}
