/** Reads a file of events of jobs: event lines, or a script that logs those of one sample job. */
import { basename, dirname, join } from "node:path";
import type { Fault } from "../../base/index.ts";
import { readBounded, readText, remarkFault, textOfBytes } from "../yaml/index.ts";
import { type JobEvent, readEventLine } from "./read-lines.ts";
import { isEventScript, readEventScript } from "./read-script.ts";

export type { JobEvent } from "./read-lines.ts";

const SCRIPT_ENDING = ".l";
/** The largest file of events, which may be a whole day's. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The events of a file, in its order. @throws Fault with the first line that is no event */
export async function readEventFile(file: string): Promise<readonly JobEvent[]> {
  const bytes = await readBounded(file, MOST_BYTES);
  const text = bytes.ok ? textOfBytes(bytes.value, MOST_BYTES) : bytes;
  if (!text.ok) throw remarkFault(file, text.refusal);
  return isScript(file, text.value) ? eventsOfScript(file, text.value) : eventsOfLines(file, text.value);
}

/** A script may be empty: the job is registered and nothing more. */
function isScript(file: string, text: string): boolean {
  return isEventScript(text) || (file.endsWith(SCRIPT_ENDING) && !/DG\.EVNT=/i.test(text));
}

function eventsOfScript(file: string, text: string): readonly JobEvent[] {
  const other = (name: string): string | undefined => {
    const there = readText(join(dirname(file), `${name}${SCRIPT_ENDING}`));
    return there.ok ? there.value : undefined;
  };
  const read = readEventScript(text, basename(file, SCRIPT_ENDING), other);
  if (!("why" in read)) return read;
  throw unreadable(file, read.line, read.why);
}

function eventsOfLines(file: string, text: string): readonly JobEvent[] {
  const events: JobEvent[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const event = readEventLine(line);
    if (typeof event === "string") throw unreadable(file, index + 1, event);
    events.push(event);
  }
  return events;
}

function unreadable(file: string, line: number, why: string): Fault {
  return remarkFault(file, {
    code: "eventLineUnreadable",
    line,
    what: "this line is not an event",
    why,
    remedy: 'write DATE=… DG.SOURCE="…" DG.EVNT="…" DG.JOBID="…" DG.SEQCODE="UI=…:NS=…", a line an event',
  });
}
