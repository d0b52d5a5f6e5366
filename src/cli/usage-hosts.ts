/** `stint usage --hosts`: shows the use of jobs on each host, as sensors report it. */
import type { HostJobView, HostView } from "../api/client/index.ts";
import { formatSize, lengthText } from "../base/index.ts";
import { instantText } from "./instant-text.ts";
import { isForPeople, type Listing, type OutputForm, tableText, writeItems } from "./output-forms.ts";
import { sparkline } from "./sparkline.ts";
import type { Terminal } from "./terminal.ts";
import { printable } from "./text-table.ts";

/** A job on a host; a host without jobs has one row without a job. */
interface HostRow extends Partial<HostJobView> {
  readonly site: string;
  readonly host: string;
}

const JOBS: Listing<HostRow> = {
  columns: [
    { head: "JOB", isFlexible: true, cell: ({ job, siteJob }) => job ?? siteJob ?? "" },
    { head: "SITE JOB", isOptional: true, cell: ({ siteJob }) => siteJob ?? "" },
    { head: "OWNER", cell: ({ owner = "" }) => owner },
    { head: "PROCESSES", align: "right", cell: ({ processes = 0 }) => String(processes) },
    { head: "CPU TIME", align: "right", cell: ({ cpuSec = 0 }) => lengthText(cpuSec) },
    { head: "PROCS", align: "right", cell: ({ procs }) => procsText(procs ?? null) },
    { head: "MEMORY", align: "right", cell: ({ memoryBytes = 0 }) => formatSize(memoryBytes) },
  ],
  fields: [...["site", "host", "job", "siteJob", "owner", "processes", "cpuSec", "procs", "memoryBytes"]],
  record: (row) => ({ ...row }),
  name: ({ site, host, job, siteJob }) => `${site} ${host} ${job ?? siteJob ?? ""}`.trim(),
};

/** A host with its site. */
export interface SiteHosts {
  readonly site: string;
  readonly items: readonly HostView[];
}

/** Prints hosts; `value` is the JSON. */
export async function writeHosts(
  all: readonly SiteHosts[],
  { form, value }: { readonly form: OutputForm; readonly value: unknown },
  terminal: Terminal,
): Promise<void> {
  if (!isForPeople(form)) {
    await writeItems({ items: all.flatMap(rowsOf), form, value }, JOBS, terminal);
    return;
  }
  const parts = all.flatMap(({ site, items }) =>
    items.map((host) => {
      const rows = host.jobs.map((job) => ({ site, host: host.host, ...job }));
      const table = rows.length === 0 ? "" : tableText(rows, JOBS, form, terminal);
      return `${headLine(site, host)}\n${courseLine(host)}${table}`;
    }),
  );
  terminal.writeResult(parts.join("\n"));
  for (const { site, items } of all) {
    if (items.length > 0) continue;
    terminal.writeError(`stint: no sensor has reported from ${printable(site)}; stint sensor is one\n`);
  }
}

function rowsOf({ site, items }: SiteHosts): HostRow[] {
  return items.flatMap(({ host, jobs }) =>
    jobs.length === 0 ? [{ site, host }] : jobs.map((job) => ({ site, host, ...job })),
  );
}

/** Heading: `node1 of west at …: 3.2 processors and 4G in use by jobs; 2 processes could not be read`. */
function headLine(site: string, host: HostView): string {
  const { procs, memoryBytes, unreadable, dropped, isSilent, at } = host;
  const used = procs === null ? "" : `${procsText(procs)} processors and `;
  const remarks = [
    ...(unreadable === 0 ? [] : [`of ${unreadable} processes it could not be read whose they are`]),
    ...(dropped === 0 ? [] : [`${dropped} readings were dropped`]),
    ...(isSilent ? ["nothing was heard since"] : []),
  ];
  const said = `${used}${formatSize(memoryBytes)} of memory in use by jobs`;
  return printable(`${host.host} of ${site} at ${instantText(at)}: ${[said, ...remarks].join("; ")}`);
}

function courseLine({ course }: HostView): string {
  if (course === null) return "";
  const means = course.procs.map((part) => part?.mean ?? null);
  const most = Math.max(1, ...course.procs.map((part) => part?.max ?? 0));
  return `processors, up to ${procsText(most)}: ${sparkline(means, most, 60)}\n`;
}

function procsText(procs: number | null): string {
  return procs === null ? "-" : String(Math.round(procs * 100) / 100);
}
