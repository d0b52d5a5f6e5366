/**
 * A row per run, site and replicate as CSV (RFC 4180), for notebooks: what varies, then what was run and
 * what came of it, the keys of `summary.json` in snake_case (rule SI-6).
 */
import type { JobGroup, Scenario, ScenarioRow } from "../../model/index.ts";
import type { SiteOutcome } from "./site-outcome.ts";

/** The text, with its line of names; empty without rows. */
export function runsCsv({ runs }: Scenario, rows: readonly ScenarioRow[]): string {
  const varied = [...new Set(runs.flatMap(({ settings }) => Object.keys(settings)))];
  const settingsOf = new Map(runs.map(({ name, settings }) => [name, settings]));
  const records = rows.map((row) => {
    const settings = settingsOf.get(row.run) ?? {};
    const own = varied.map((path): Field => [columnOf(path), settings[path] ?? ""]);
    return new Map([...own, ...fieldsOf(row)]);
  });
  if (records.length === 0) return "";
  // Some runs have samples of slots or a workload with events, others have not.
  const names = [...new Set(records.flatMap((fields) => [...fields.keys()]))];
  const lines = [names, ...records.map((fields) => names.map((name) => fields.get(name) ?? ""))];
  return lines.map((cells) => `${cells.map(cell).join(",")}\n`).join("");
}

/**
 * A row per run, site, replicate and consumer that the policies name, with what came of each;
 * empty where there are no policies.
 */
export function consumersCsv(rows: readonly ScenarioRow[]): string {
  return table(
    rows.flatMap(({ run, site, replicate, policies }) =>
      (policies?.consumers ?? []).map((consumer) => [
        ...fieldsWithin("", { run, site, replicate, pep: policies?.pep }),
        ...fieldsWithin("", consumer),
      ]),
    ),
  );
}

/** A row per run, site, replicate and class of jobs. */
export function classesCsv(rows: readonly ScenarioRow[]): string {
  return table(rows.flatMap((row) => row.classes.map((group) => groupFields(row, "class", group))));
}

/** A row per run, site, replicate and user. */
export function usersCsv(outcomes: readonly Pick<SiteOutcome, "row" | "users">[]): string {
  return table(outcomes.flatMap(({ row, users }) => users.map((group) => groupFields(row, "user", group))));
}

function groupFields(
  { run, site, replicate }: ScenarioRow,
  by: "class" | "user",
  { name, ...measures }: JobGroup,
): readonly Field[] {
  return fieldsWithin("", { run, site, replicate, [by]: name, ...measures });
}

/** Records with the same fields, the names of the first above them; empty without records. */
function table(records: readonly (readonly Field[])[]): string {
  if (records.length === 0) return "";
  const lines = [records[0].map(([name]) => name), ...records.map((one) => one.map(([, value]) => value))];
  return lines.map((cells) => `${cells.map(cell).join(",")}\n`).join("");
}

type Field = readonly [name: string, value: string];

/** New columns come behind the others: a notebook may count them. */
function fieldsOf(of: ScenarioRow): readonly Field[] {
  const { priority, slots, reserving, workload, policies, fairness, ...row } = of;
  return [
    ...fieldsWithin("", row),
    ["priority", priority?.kind ?? "none"],
    ...fieldsWithin("slots_", slots ?? {}),
    ...fieldsWithin("workload_", workload ?? {}),
    ...fieldsWithin("reserving_", reserving ?? {}),
    ...fieldsWithin("policies_", policies ?? {}),
    ...fieldsWithin("fairness_", fairness ?? {}),
  ];
}

/** The values of a record and of those in it; what is a list is left to `summary.json`. */
function fieldsWithin(prefix: string, record: object): readonly Field[] {
  return Object.entries(record).flatMap(([key, value]): readonly Field[] => {
    const name = `${prefix}${snakeCase(key)}`;
    if (Array.isArray(value)) return [];
    if (value === null) return [[name, ""]];
    return typeof value === "object" ? fieldsWithin(`${name}_`, value) : [[name, String(value)]];
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
