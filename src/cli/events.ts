/** `stint events [ID]`: what the log says happened, to a job or to everything that the caller may see. */
import { Command } from "commander";
import type { EventFilter, EventList, EventView, StintClient } from "../api/client/index.ts";
import { counted, Fault } from "../base/index.ts";
import { isFinal } from "../model/index.ts";
import { stateColour } from "./colours.ts";
import type { CommandContext } from "./command-context.ts";
import { distanceText, instantText, localTimes } from "./instant-text.ts";
import { keepAsking } from "./keep-asking.ts";
import { positiveInteger, wholeNumber } from "./option-values.ts";
import {
  isForPeople,
  type Listing,
  type OutputForm,
  outputOption,
  watchFormUnfit,
  writeItems,
} from "./output-forms.ts";
import { sinceValue } from "./quantity-values.ts";
import { printable } from "./text-table.ts";

interface EventsOptions {
  readonly since?: number;
  readonly until?: number;
  readonly site?: string;
  readonly exitCode?: number;
  readonly limit: number;
  readonly follow: boolean;
  readonly from?: string;
  readonly output: OutputForm;
}

const USUAL_LIMIT = 100;
const LARGEST_PAGE = 1000;
const FOLLOW_EVERY_MS = 1000;
/** Archives named one by one. */
const MOST_ARCHIVES = 5;
const EXAMPLES = `
Examples:
  $ stint events 7f3a                          all events of a job
  $ stint events 7f3a --follow                 until it ends
  $ stint events --since 1h
  $ stint events --exit-code 137 --site west --since 1d
  $ stint events --since 2026-05-31 --until 2026-06-01 --limit 5000 -o json
  $ stint events --from events.log             the states of jobs of another service

Lists the newest events, oldest first: when, which job, what happened, and who
requested it (empty if the broker or a site did it). STATE is the job's state
after the event. Auditors and administrators see the whole log, with all fields
of each event in -o json; others see the events of jobs that they may see.
Archived events are not listed; their archives are named.

--from reads event lines of gLite's Logging and Bookkeeping, or a script for its event logger, and shows the
state of each job that follows from them: by their sequence codes, in whatever order they are in the file.
`;

const listing = (nowMs: number): Listing<EventView> => ({
  columns: [
    { head: "TIME", cell: ({ at }) => instantText(at) },
    { head: "AGE", isOptional: true, cell: ({ at }) => distanceText(at, nowMs) },
    { head: "JOB", cell: ({ job }) => job ?? "-" },
    { head: "STATE", isOptional: true, paint: stateColour, cell: ({ state }) => state ?? "" },
    { head: "BY", isOptional: true, cell: ({ by }) => by ?? "-" },
    { head: "EVENT", isFlexible: true, cell: ({ text }) => localTimes(text, nowMs) },
    { head: "SITE", isWide: true, cell: ({ site }) => site ?? "-" },
    { head: "KIND", isWide: true, cell: ({ kind }) => kind },
    { head: "NUMBER", isWide: true, align: "right", cell: ({ seq }) => String(seq) },
  ],
  fields: ["seq", "at", "kind", "job", "site", "by", "state", "text", "facts"],
  record: (event) => ({ ...event }),
  name: ({ seq }) => String(seq),
});

/** Command definition of `stint events [ID]`. */
export function eventsCommand(context: CommandContext): Command {
  const { nowMs } = context.terminal;
  return new Command("events")
    .summary("list the events of a job, or of all jobs: when, what, by whom")
    .description("Lists the events in the broker's log: of a job, or all that you may see.")
    .argument("[id]", "a job; a unique prefix of its id is enough")
    .option(
      "--since <when>",
      "only events since this time: 2d for two days ago, or a date",
      sinceValue("--since", nowMs),
    )
    .option("--until <when>", "only events before this time", sinceValue("--until", nowMs))
    .option("--site <site>", "only events of this site and of the jobs there")
    .option("--exit-code <code>", "only attempts that ended with this exit code", wholeNumber("--exit-code"))
    .option("--limit <n>", "list at most this many", positiveInteger("--limit"), USUAL_LIMIT)
    .option("-f, --follow", "print new events as they happen; for a job, until it ends", false)
    .option(
      "--from <file>",
      "read events from a file, and show the job states that result from them; no broker is needed",
    )
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (id: string | undefined, options: EventsOptions) => {
      if (options.from !== undefined) {
        const { showBookedJobs } = await import("./booked-jobs.ts");
        return await showBookedJobs(options.from, { id, form: options.output, terminal: context.terminal });
      }
      const { output: form, follow, limit } = options;
      if (follow && !isForPeople(form) && form !== "json") throw watchFormUnfit(form, "--follow");
      const filter = filterOf(id, options);
      const client = await context.client();
      const list = await newestEvents(client, filter, limit);
      if (follow) return await followed(list, filter, { form, context });
      const { items, next, archives } = list;
      await writeItems({ items, form, value: { items, next, archives } }, listing(nowMs()), context.terminal);
      if (!isForPeople(form)) return;
      if (next === null) context.terminal.writeError(archivesText(archives));
      if (items.length === 0 && archives.length === 0)
        context.terminal.writeError("stint: no events found\n");
      if (next !== null && items.length === limit) {
        context.terminal.writeError(`stint: these are the newest ${limit}; --limit shows more\n`);
      }
    });
}

function filterOf(id: string | undefined, { since, until, site, exitCode }: EventsOptions): EventFilter {
  return {
    ...(id === undefined ? {} : { job: id }),
    ...(site === undefined ? {} : { site }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
    ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
  };
}

/** The newest events that fit, oldest first; pages may be short and have others behind them. */
async function newestEvents(client: StintClient, filter: EventFilter, limit: number): Promise<EventList> {
  const items: EventView[] = [];
  let head: number | undefined;
  let next: string | null = null;
  let archives: EventList["archives"];
  do {
    const page: EventList = await client.events({
      ...filter,
      limit: Math.min(LARGEST_PAGE, limit - items.length),
      ...(next === null ? {} : { cursor: next }),
    });
    head ??= page.head;
    items.push(...page.items);
    archives = page.archives;
    next = page.next;
  } while (next !== null && items.length < limit);
  return { items: items.reverse(), next, head: head ?? 0, archives };
}

/** Where older events are that are not listed. */
function archivesText(archives: EventList["archives"]): string {
  const lines = archives.slice(-MOST_ARCHIVES).map(({ file, from, through, firstAt, lastAt }) => {
    const place = file === null ? "an archive of the broker (ask an administrator)" : printable(file);
    const times = `${instantText(firstAt)} to ${instantText(lastAt)}`;
    return `stint: events ${from} to ${through}, ${times}, are not shown: they are in ${place}\n`;
  });
  const more = archives.length - lines.length;
  if (more > 0) lines.unshift(`stint: ${counted(more, "older archive")}: stint archive list\n`);
  return lines.join("");
}

interface Following {
  readonly form: OutputForm;
  readonly context: CommandContext;
}

async function followed(list: EventList, filter: EventFilter, { form, context }: Following): Promise<void> {
  const { terminal } = context;
  const client = await context.client();
  const write = (items: readonly EventView[]) => {
    for (const event of items)
      terminal.writeResult(form === "json" ? `${JSON.stringify(event)}\n` : lineOf(event));
  };
  const isLast = ({ state }: EventView) => state !== null && isFinal(state);
  const { job } = filter;
  write(list.items);
  let hasLast = list.items.some(isLast);
  // An attempt may end, and the job go on with another.
  const isOver = async () => job !== undefined && hasLast && (await hasEnded(client, job));
  let [isDone, { head }] = [await isOver(), list];
  const once = async (): Promise<void> => {
    let next: string | null = null;
    do {
      const cursor: string = next ?? String(head);
      const page: EventList = await client.events({
        ...filter,
        order: "oldest",
        limit: LARGEST_PAGE,
        cursor,
      });
      write(page.items);
      hasLast ||= page.items.some(isLast);
      next = page.next;
      head = Math.max(page.items.at(-1)?.seq ?? 0, next === null ? page.head : Number(next));
    } while (next !== null);
    isDone = await isOver();
  };
  const meanwhile = "what happens meanwhile is shown when it answers again";
  await keepAsking(terminal, { everyMs: FOLLOW_EVERY_MS, once, meanwhile, isDone: () => isDone });
}

/** True also of a job whose record is gone. */
async function hasEnded(client: StintClient, id: string): Promise<boolean> {
  try {
    return (await client.job(id)).endedAt !== null;
  } catch (error) {
    if (error instanceof Fault && error.kind === "notFound") return true;
    throw error;
  }
}

function lineOf({ at, job, by, state, text }: EventView): string {
  const who = by === null ? [] : [`by ${by}`];
  const said = [instantText(at), job ?? "-", ...(state === null ? [] : [state]), localTimes(text), ...who];
  return `${printable(said.join("  "))}\n`;
}
