/**
 * Loaded before a broker that is to be tortured: its clock, and that of the wrappers it starts, is wrong by
 * as many milliseconds as a file says at the time. Only the time of day: what measures spans is left alone,
 * as it is when somebody sets the clock of a machine.
 */
import childProcess from "node:child_process";
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const LOOK_EVERY_MS = 50;
const { TORTURE_CLOCK: file = "", NODE_OPTIONS = "" } = process.env;
const machinesNow = Date.now;
let shiftMs = 0;

look();
setInterval(look, LOOK_EVERY_MS).unref();

Date.now = () => machinesNow() + shiftMs;
globalThis.Date = new Proxy(Date, {
  construct: (date, words, target) =>
    Reflect.construct(date, words.length === 0 ? [Date.now()] : words, target),
});

// A wrapper has an empty environment, so that it is given what it needs to be loaded with this.
childProcess.spawn = new Proxy(childProcess.spawn, {
  apply(spawn, self, given) {
    const [command, words, options] = given;
    const isWrapper = Array.isArray(words) && String(words[0]).endsWith("wrapper.js");
    if (!isWrapper) return Reflect.apply(spawn, self, given);
    const env = { ...options.env, NODE_OPTIONS, TORTURE_CLOCK: file };
    return Reflect.apply(spawn, self, [command, words, { ...options, env }]);
  },
});
syncBuiltinESMExports();

/** Keeps what it has read where the file cannot be opened: descriptors may be short, too. */
function look() {
  try {
    shiftMs = Number(readFileSync(file, "utf8"));
  } catch {
    // As before.
  }
}
