/**
 * A row per run, site and replicate as CSV (RFC 4180), for notebooks: what varies, then what was run and
 * what came of it, the keys of `summary.json` in snake_case (rule SI-34).
 */
import type { Scenario, ScenarioRow } from "../../model/index.ts";

/** The text, with its line of names; empty without rows. */
export function runsCsv({ runs }: Scenario, rows: readonly ScenarioRow[]): string {
  const varied = [...new Set(runs.flatMap(({ settings }) => Object.keys(settings)))];
  const settingsOf = new Map(runs.map(({ name, settings }) => [name, settings]));
  const records = rows.map((row) => {
    const settings = settingsOf.get(row.run) ?? {};
    const own = varied.map((path): [string, string] => [columnOf(path), settings[path] ?? ""]);
    return [...own, ...fieldsOf(row)];
  });
  if (records.length === 0) return "";
  const names = records[0].map(([name]) => name);
  const lines = [names, ...records.map((fields) => fields.map(([, value]) => value))];
  return lines.map((cells) => `${cells.map(cell).join(",")}\n`).join("");
}

function fieldsOf(row: ScenarioRow): [string, string][] {
  return Object.entries(row).flatMap(([key, value]): [string, string][] => {
    if (key !== "skipped") return [[snakeCase(key), String(value)]];
    return Object.entries(row.skipped).map(([reason, count]) => [
      `skipped_${snakeCase(reason)}`,
      String(count),
    ]);
  });
}

/** The column of a path that varies: `vary_workload_load`. */
function columnOf(path: string): string {
  return `vary_${snakeCase(path.replaceAll(".", "_"))}`;
}

/** `waitP95Sec` as `wait_p95_sec`. */
function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
