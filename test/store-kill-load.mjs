/**
 * A process to be killed: opens the logbook in the directory named, and commits from several callers.
 *
 * Prints, by writes that need no further turn of the event loop, `open SEQ` and then `ack SEQ HASH CALLER
 * COUNT` for everything that was acknowledged. Every commit of a caller says how many it made so far, in an
 * event and in the caller's row; now and then it has several events or a large one.
 */
import { writeSync } from "node:fs";
import { openSqliteLogbook } from "../dist/store/index.js";
import { killViews, projectKill } from "./store-kill-views.mjs";

const [directory = "", round = "0"] = process.argv.slice(2);
const callers = 6;
const logbook = await openSqliteLogbook({ directory, views: killViews });
say(`open ${(await logbook.head()).seq}\n`);
await Promise.all(Array.from({ length: callers }, (_, caller) => commitForever(`r${round}c${caller}`)));

/** @param {string} caller */
async function commitForever(caller) {
  for (let count = 1; ; count++) {
    const last = { kind: "counted", version: 1, atMs: Date.now(), body: { caller, count } };
    const text = "x".repeat(count % 10 === 0 ? 20_000 : 50);
    const note = { kind: "noted", version: 1, atMs: Date.now(), body: { caller, text } };
    const events = count % 3 === 0 ? [note, note, last] : [last];
    const { seq, hash } = await logbook.commit({ events, changes: events.flatMap(projectKill) });
    say(`ack ${seq} ${hash} ${caller} ${count}\n`);
  }
}

/**
 * Writes all of it before anything else happens, however slow the reader.
 * @param {string} line
 */
function say(line) {
  let rest = Buffer.from(line);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      // A full pipe: the reader will come.
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
  }
}
