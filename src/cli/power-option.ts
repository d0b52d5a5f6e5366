/** Option `--power` of `stint sim`: the power of processors, for the energy of a simulation. */
import type { Command } from "commander";
import { Fault, nearestWord } from "../base/index.ts";
import type { PowerModel, SimulationRequest } from "../model/index.ts";
import { durationValue } from "./quantity-values.ts";

/** Value of the option. */
export interface PowerOptions {
  readonly power?: PowerModel;
}

const WORDS = ["idle", "busy", "off-after", "off", "boot"] as const;
const MOST_WATTS = 1_000_000;

/** Adds the option to `stint sim`. */
export function addPowerOption(command: Command): Command {
  return command.option(
    "--power <model>",
    "report energy: watts of one processor, idle=W,busy=W; to switch idle processors off, add " +
      "off-after=TIME,boot=TIME,off=W",
    powerValue,
  );
}

/** Part of a request from the option. */
export function powerPart({ power }: PowerOptions): Pick<SimulationRequest, "power"> {
  return power === undefined ? {} : { power };
}

function powerValue(text: string): PowerModel {
  const given = new Map<string, string>();
  for (const part of text.split(",")) {
    const [, word, value] = /^([^=]*)=(.*)$/.exec(part) ?? [];
    if (word === undefined || !WORDS.some((one) => one === word)) throw unknownWord(word ?? part);
    if (given.has(word)) throw refused(`${word} is given twice`, "give each word once");
    given.set(word, value);
  }
  const offAfter = given.get("off-after");
  const [alone] = ["off", "boot"].filter((word) => given.has(word));
  if (offAfter === undefined && alone !== undefined) {
    throw refused(`${alone} is of processors that are switched off`, "add off-after=10m");
  }
  return {
    idleWatts: watts(given, "idle"),
    busyWatts: watts(given, "busy"),
    offWatts: given.has("off") ? watts(given, "off") : 0,
    bootMs: given.has("boot") ? lengthMs(given.get("boot") ?? "", "boot") : 0,
    ...(offAfter === undefined ? {} : { offAfterMs: lengthMs(offAfter, "off-after") }),
  };
}

function watts(given: ReadonlyMap<string, string>, word: string): number {
  const text = given.get(word);
  if (text === undefined) throw refused(`${word} is missing`, "write for instance --power idle=60,busy=150");
  const value = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (value <= MOST_WATTS) return value;
  throw refused(
    `${word} is a number of watts, from 0 to ${MOST_WATTS}`,
    "write for instance --power idle=60,busy=150",
  );
}

function lengthMs(text: string, word: string): number {
  return durationValue(`--power: ${word}`)(text);
}

function unknownWord(word: string): Fault {
  const nearest = nearestWord(word, WORDS);
  return refused(
    `its words are ${WORDS.join(", ")}, each with = and a value, separated by commas`,
    nearest === undefined ? "write for instance --power idle=60,busy=150" : `did you mean ${nearest}=…?`,
  );
}

function refused(why: string, remedy: string): Fault {
  return new Fault({
    ...{ kind: "badInput", code: "powerModelWrong" },
    ...{ what: "--power: this model of power cannot be used", why, remedy },
  });
}
