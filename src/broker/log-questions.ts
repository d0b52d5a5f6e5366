/** The log for readers: what happened, in a stretch of it. */
import { type EventSearch, eventOf, type Logbook, type RecordedPage } from "../runtime/index.ts";

/** Events that fit a search, in today's form, and the end of the log. */
export async function readLog(logbook: Logbook, search: EventSearch): Promise<RecordedPage> {
  const { seq: head } = await logbook.head();
  const { events, next } = await logbook.search(search);
  const items = events.map((logged) => ({ seq: logged.seq, event: eventOf(logged), facts: logged.body }));
  const { sinceMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY } = search;
  const archives = (await logbook.archives()).filter(
    ({ firstAtMs, lastAtMs }) => lastAtMs >= sinceMs && firstAtMs < untilMs,
  );
  return { items, next, head, archives };
}
