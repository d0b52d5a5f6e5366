/**
 * Sites as people read them.
 */
import type { SiteView } from "../api/client/index.ts";
import { instantText } from "./job-table.ts";
import type { Listing } from "./output-forms.ts";

/** One line a site. Of a foreign site the numbers have others' jobs in them. */
export const SITE_LISTING: Listing<SiteView> = {
  columns: [
    { head: "SITE", cell: ({ name }) => name },
    { head: "STATE", cell: ({ state }) => state },
    { head: "TYPE", isOptional: true, cell: ({ spec }) => spec.type },
    { head: "PROCS", align: "right", cell: ({ spec }) => String(spec.procs) },
    { head: "BUSY", align: "right", cell: ({ procsBusy }) => String(procsBusy) },
    { head: "MEMORY", align: "right", isOptional: true, cell: ({ spec }) => gibibytes(spec.memoryBytes) },
    { head: "RUNNING", align: "right", cell: ({ running }) => String(running) },
    { head: "WAITING", align: "right", cell: ({ waiting }) => String(waiting) },
    { head: "DISCIPLINE", isOptional: true, cell: ({ spec }) => spec.discipline },
    { head: "SEEN", isWide: true, cell: ({ seenAt }) => (seenAt === null ? "-" : instantText(seenAt)) },
    { head: "TROUBLE", isWide: true, cell: ({ trouble }) => trouble ?? "-" },
  ],
  fields: [
    "name",
    "state",
    "type",
    "procs",
    "procsBusy",
    "memoryBytes",
    "running",
    "waiting",
    "discipline",
    "defaultWallTimeMs",
    "draining",
    "seenAt",
    "trouble",
  ],
  record: ({ spec, ...site }) => ({ ...site, ...spec }),
  name: ({ name }) => name,
};

/** To a tenth, which is what one compares; the JSON is exact. */
function gibibytes(bytes: number): string {
  return `${Number((bytes / 1024 ** 3).toFixed(1))}G`;
}
