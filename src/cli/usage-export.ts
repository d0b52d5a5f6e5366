/** `stint usage export`: usage records of jobs that have ended, for an accounting elsewhere. */
import { hostname } from "node:os";
import { Command } from "commander";
import type { JobFilter, JobView } from "../api/client/index.ts";
import { counted, Fault } from "../base/index.ts";
import type { UsageRecord, UsageRecordOptions } from "../formats/usage-records/index.ts";
import type { CommandContext } from "./command-context.ts";
import { oneOf } from "./option-values.ts";
import { csvText } from "./output-forms.ts";
import { sinceValue } from "./quantity-values.ts";

interface ExportOptions {
  /** Unix ms. */
  readonly since?: number;
  readonly until?: number;
  readonly site?: string;
  readonly vo?: string;
  readonly format: (typeof FORMATS)[number];
  readonly siteName?: string;
  readonly serviceLevel?: { readonly type: string; readonly value: string };
  readonly pseudonyms?: string;
}

const FORMATS = ["ur", "apel", "csv"] as const;
const LARGEST_PAGE = 1000;
const SHORTEST_KEY = 16;
const EXAMPLES = `
Examples:
  $ stint usage export --format apel --since 2026-05-01 --until 2026-06-01 > may.apel
  $ stint usage export --format ur --site elm --site-name ELM-PHYSICS --service-level HEPSPEC:11.2
  $ stint usage export --format csv --vo cms --pseudonyms key.bin > cms.csv

Writes a record for each job that ran and ended in the period: owner, consumer, site, duration, processors,
and processor time if the site measured it. ur is the usage record 2 of the Open Grid Forum, apel
the individual job message of APEL. --service-level is the benchmark value of the site's processors, by which
the accounting system normalises times. --pseudonyms replaces the names of people: equal names stay equal
as long as the key file is the same. You see the jobs that stint list shows you.
`;

/** Command definition of `stint usage export`. */
export function usageExportCommand(context: CommandContext): Command {
  const { nowMs } = context.terminal;
  return new Command("export")
    .summary("write usage records of ended jobs: OGF UR 2, APEL, CSV")
    .description("Writes usage records of ended jobs, for an external accounting system.")
    .requiredOption("--format <form>", `one of ${FORMATS.join(", ")}`, oneOf("--format", FORMATS))
    .option(
      "--since <when>",
      "only jobs that ended since this time: 2d for two days ago, or a date",
      sinceValue("--since", nowMs),
    )
    .option("--until <when>", "only jobs that ended before this time", sinceValue("--until", nowMs))
    .option("--site <site>", "only at this site")
    .option("--vo <path>", "only of this organisation, group or user, and those below: vo/group/user")
    .option("--site-name <name>", "name of the site in the accounting system (default: its own)")
    .option("--service-level <type:value>", "benchmark value of the processors", serviceLevelValue)
    .option("--pseudonyms <file>", `replace names of people, by this key of at least ${SHORTEST_KEY} bytes`)
    .addHelpText("after", EXAMPLES)
    .action((options: ExportOptions) => writeRecords(context, options));
}

async function writeRecords(context: CommandContext, options: ExportOptions): Promise<void> {
  const { terminal } = context;
  const { siteName, serviceLevel, pseudonyms, format } = options;
  const { apelWriter, usageRecordOf, usageRecordWriter } = await import("../formats/usage-records/index.ts");
  const added: UsageRecordOptions = {
    host: hostname(),
    nameOf: pseudonyms === undefined ? (name) => name : await namesBy(pseudonyms),
    nowMs: terminal.nowMs(),
    ...(siteName === undefined ? {} : { siteName }),
    ...(serviceLevel === undefined ? {} : { serviceLevel }),
  };
  const { head, record, foot } = { ur: usageRecordWriter, apel: apelWriter, csv: CSV }[format];
  let [written, skipped] = [0, 0];
  // Not before the first page is there: where the broker refuses, nothing was written.
  let before = head;
  for await (const jobs of pagesOf(context, filterOf(options))) {
    const records = jobs.flatMap((job) => usageRecordOf(job, added) ?? []);
    terminal.writeResult(before + records.map(record).join(""));
    before = "";
    written += records.length;
    skipped += jobs.length - records.length;
  }
  terminal.writeResult(before + foot);
  const without = skipped === 0 ? "" : `; ${counted(skipped, "job")} without one: not ended, or never ran`;
  terminal.writeError(`stint: ${counted(written, "record")}${without}\n`);
}

function filterOf({ since, until, site, vo }: ExportOptions): JobFilter {
  return {
    time: "ended",
    ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
    ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
    ...(site === undefined ? {} : { site }),
    ...(vo === undefined ? {} : { consumer: vo }),
  };
}

/** Pages of jobs, oldest end first, so that a later export goes on where this one ends. */
async function* pagesOf(
  context: CommandContext,
  filter: JobFilter,
): AsyncGenerator<readonly JobView[], void> {
  const client = await context.client();
  let cursor: string | undefined;
  do {
    const goingOn = cursor === undefined ? {} : { cursor };
    const page = await client.jobs({ ...filter, sort: "ended", limit: LARGEST_PAGE, ...goingOn });
    yield page.items;
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
}

const FIELDS = [
  ...["recordId", "createdAt", "site", "submitHost", "queue", "globalJobId", "localJobId", "jobName"],
  ...["localUserId", "globalUserName", "vo", "group", "wallSec", "cpuSec", "processors"],
  ...["startedAt", "endedAt", "exitStatus", "status", "serviceLevelType", "serviceLevel"],
];

const CSV = {
  head: csvText(FIELDS, []),
  record: ({ serviceLevel, ...same }: UsageRecord) => {
    const flat = { ...same, serviceLevelType: serviceLevel?.type, serviceLevel: serviceLevel?.value };
    return csvText(FIELDS, [flat]).slice(csvText(FIELDS, []).length);
  },
  foot: "",
};

async function namesBy(file: string): Promise<(name: string) => string> {
  const [{ readFile }, { readFault }, { pseudonymsOf }] = await Promise.all([
    import("node:fs/promises"),
    import("../formats/index.ts"),
    import("../formats/usage-records/index.ts"),
  ]);
  const key = await readFile(file).catch((error: unknown) => {
    throw readFault(error, file);
  });
  if (key.length >= SHORTEST_KEY) return pseudonymsOf(key);
  throw new Fault({
    kind: "badInput",
    code: "pseudonymKeyShort",
    what: `${file} is too short for a key`,
    why: `it has ${counted(key.length, "byte")}, and names could be guessed`,
    remedy: `use at least ${SHORTEST_KEY} random bytes: head -c 32 /dev/urandom > ${file}`,
  });
}

function serviceLevelValue(text: string): { readonly type: string; readonly value: string } {
  const [, type, value] = /^([A-Za-z][\w-]{0,31}):(\d{1,9}(?:\.\d{1,6})?)$/.exec(text) ?? [];
  if (type !== undefined && value !== undefined) return { type, value };
  throw new Fault({
    kind: "badInput",
    code: "serviceLevelUnreadable",
    what: `--service-level: "${text.slice(0, 40)}" is not a benchmark value`,
    why: "it must be a name and a number separated by a colon",
    remedy: "write for instance --service-level HEPSPEC:11.2",
  });
}
