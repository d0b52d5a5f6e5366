/**
 * A program for `exec:` that runs one job after the other, in order of submission, beside what is reserved
 * and down: what it starts fits at every site.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const PROGRAM = `
  const waiting = [], running = new Set(), blocked = [];
  const drop = (id) => {
    const at = waiting.findIndex((job) => job.id === id);
    if (at >= 0) waiting.splice(at, 1);
  };
  const known = new Map();
  const tell = {
    submitted: (e) => { known.set(e.id, e); waiting.push(e); },
    ended: (e) => running.delete(e.id),
    cancelled: (e) => { running.delete(e.id); drop(e.id); },
    started: (e) => { drop(e.id); running.add(e.id); },
    requeued: (e) => { running.delete(e.id); waiting.unshift(known.get(e.id)); },
    reserved: (e) => blocked.push([e.start, e.start + e.duration]),
  };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const m = JSON.parse(line);
    if (m.kind === "hello") return console.log('{"protocol":1}');
    if (m.kind === "goodbye") return process.exit(0);
    for (const e of m.events) if (e.kind === "down") blocked.push([m.now, e.until]); else tell[e.kind]?.(e);
    const [job] = waiting;
    if (job === undefined || running.size > 0) return console.log("{}");
    const until = blocked.filter(([from, end]) => end > m.now && from < m.now + job.estimate);
    const wakeAt = Math.min(...until.map(([, end]) => end));
    if (until.length > 0) return console.log(JSON.stringify({ wakeAt }));
    waiting.shift();
    running.add(job.id);
    console.log(JSON.stringify({ start: [job.id] }));
  });`;

/** Writes it into a folder; gives the discipline that is it. */
export function serialProgram(folder: string): `exec:${string}` {
  const path = join(folder, "serial.cjs");
  writeFileSync(path, PROGRAM);
  return `exec:'${process.execPath}' '${path}'`;
}
