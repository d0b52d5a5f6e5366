/** `stint events --from FILE`: the states of jobs that follow from events of another bookkeeping service. */
import { counted } from "../base/index.ts";
import { addEvent, emptyBook, type JobBook, type JobStatus, statusOf } from "../bookkeeping/index.ts";
import { readEventFile } from "../formats/event-lines/index.ts";
import { instantText } from "./instant-text.ts";
import { isForPeople, type Listing, type OutputForm, writeItems } from "./output-forms.ts";
import type { Terminal } from "./terminal.ts";

interface BookedJob extends Omit<JobStatus, "sinceMs"> {
  readonly id: string;
  readonly since: string | null;
  readonly events: number;
}

interface Showing {
  /** Only jobs whose id ends so; undefined: all. */
  readonly id: string | undefined;
  readonly form: OutputForm;
  readonly terminal: Terminal;
}

const FIELDS = [
  ...["id", "state", "since", "events", "isSuspended", "isCancelling", "isPayloadRunning", "reason"],
  ...["destination", "node", "possibleDestinations", "possibleNodes", "doneCode", "exitCode"],
  ...["resubmissions", "jobType", "parent", "tags"],
];

const LISTING: Listing<BookedJob> = {
  columns: [
    { head: "JOB", isFlexible: true, cell: ({ id }) => id },
    { head: "STATE", cell: ({ state }) => state },
    { head: "SINCE", isOptional: true, cell: ({ since }) => (since === null ? "-" : instantText(since)) },
    { head: "DESTINATION", isOptional: true, cell: ({ destination }) => destination ?? "-" },
    { head: "NODE", isOptional: true, cell: ({ node }) => node ?? "-" },
    { head: "CODE", isSparse: true, align: "right", cell: ({ exitCode }) => String(exitCode ?? "-") },
    { head: "EVENTS", align: "right", cell: ({ events }) => String(events) },
    { head: "REASON", isWide: true, cell: ({ reason }) => reason ?? "-" },
  ],
  fields: FIELDS,
  record: (job) => ({ ...job }),
  name: ({ id }) => id,
};

/** Shows the jobs of a file in the order of their first events. @throws Fault for what is no event */
export async function showBookedJobs(file: string, { id = "", form, terminal }: Showing): Promise<void> {
  const books = new Map<string, JobBook>();
  for (const { job, ...event } of await readEventFile(file)) {
    if (job.endsWith(id)) books.set(job, addEvent(books.get(job) ?? emptyBook, event));
  }
  const items = [...books].map(([job, book]): BookedJob => {
    const { sinceMs, ...status } = statusOf(book);
    const since = sinceMs === null ? null : new Date(sinceMs).toISOString();
    return { id: job, ...status, since, events: book.events.length };
  });
  await writeItems({ items, form }, LISTING, terminal);
  if (isForPeople(form)) terminal.writeError(`stint: ${counted(items.length, "job")} in ${file}\n`);
}
