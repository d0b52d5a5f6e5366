/**
 * Loaded before a broker: shifts its time of day, and that of its wrappers, by the milliseconds in a file.
 * Monotonic clocks are unchanged, as when an operator sets the clock of a machine.
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

/** Reads the offset; returns the last one if the file cannot be opened, as descriptors may be short. */
function look() {
  try {
    shiftMs = Number(readFileSync(file, "utf8"));
  } catch {
    // As before.
  }
}
