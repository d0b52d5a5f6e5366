/**
 * The attributes of a job description in YAML: the words of the EGEE/gLite JDL in camelCase.
 *
 * docs/schemas/job.schema.json says the same for editors; a test holds the two together.
 */
import type { Result } from "../../base/index.ts";
import { isConsumerPath } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { readTicket } from "../ticket/index.ts";
import {
  durationOf,
  oneText,
  shown,
  sizeOf,
  textList,
  textMapping,
  wholeNumberOf,
  wrongType,
} from "../yaml/index.ts";
import type { Given } from "./draft.ts";
import { readExecutable, readInputSandbox, readOutputSandbox, readStreamName } from "./file-attributes.ts";
import { type OpenQuote, type ShellWords, splitShellWords } from "./shell-words.ts";

/** Reads one attribute into the draft, telling what is wrong. */
export type ReadAttribute = (given: Given) => void;

/** Every attribute that is understood. */
export const ATTRIBUTES: ReadonlyMap<string, ReadAttribute> = new Map([
  ["executable", readExecutable],
  ["arguments", readArguments],
  ["environment", readEnvironment],
  ["stdOutput", readStreamName("stdOutput")],
  ["stdError", readStreamName("stdError")],
  ["inputSandbox", readInputSandbox],
  ["outputSandbox", readOutputSandbox],
  ["procs", readProcs],
  ["memory", readMemory],
  ["gpus", readGpus],
  ["wallTime", readWallTime],
  ["delayCost", readDelayCost],
  ["site", readSite],
  ["reservation", readReservation],
  ["ticket", readTicketLine],
  ["virtualOrganisation", readVirtualOrganisation],
  ["userTags", readUserTags],
]);

/** Words of the language that nothing acts on yet: known, so that nobody is told to correct them. */
export const LATER_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    "type jobType stdInput outputSandboxDestURI inputData dataAccessProtocol storageIndex outputSE " +
    "outputData requirements rank fuzzyRank retryCount shallowRetryCount nodeNumber smpGranularity " +
    "wholeNodes expiryTime prologue epilogue perusalFileEnable parameters " +
    "parameterStart parameterStep nodes dependencies maxNodesRunning nodeName jobSteps currentStep " +
    "container modules replicas"
  ).split(" "),
);

function readArguments(given: Given): void {
  const { name, value, notes, draft } = given;
  const example = "arguments: -v 'two words', or arguments: [-v, two words]";
  if (value.kind !== "scalar") {
    const words = textList(given, example);
    if (words !== undefined) draft.arguments = words.map(({ text }) => text);
    return;
  }
  const line = oneText(given, example);
  if (line === undefined) return;
  const split: Result<ShellWords, OpenQuote> = splitShellWords(line.text);
  if (!split.ok) {
    const { mark, index } = split.refusal;
    const isQuote = mark !== "\\";
    notes.problem(line.at, {
      code: "openQuote",
      what: `${name}: ${isQuote ? `a ${mark} is not closed` : "a backslash ends the line"}`,
      why: `words are split as a shell does, and ${echoText(line.text.slice(index))} is left open`,
      remedy: "close it, put a backslash before a quote that means itself, or write the arguments as a list",
    });
    return;
  }
  draft.arguments = split.value.words;
  const { unexpanded } = split.value;
  if (unexpanded === undefined) return;
  notes.warning(line.at, {
    code: "notExpanded",
    what: `${name}: ${unexpanded} reaches the program as it is`,
    why: "words are split as a shell does, but no shell runs: nothing is expanded, piped or redirected",
    remedy: "put it in single quotes if that is meant; else use executable: sh and arguments: [-c, …]",
  });
}

function readEnvironment(given: Given): void {
  const { value, notes, draft } = given;
  const example = "environment: {OMP_NUM_THREADS: 4}, or environment: [OMP_NUM_THREADS=4]";
  const said = new Map<string, string>();
  if (value.kind === "mapping") {
    for (const [name, text] of textMapping(given, value, example)) {
      if (isVariable(given, name.at, name.text)) said.set(name.text, text);
    }
  } else {
    for (const { text, at } of textList(given, example) ?? []) {
      const equals = text.indexOf("=");
      const name = equals === -1 ? text : text.slice(0, equals);
      if (equals === -1) notes.problem(at, noEquals(text));
      else if (said.has(name)) notes.problem(at, variableTwice(name));
      else if (isVariable(given, at, name)) said.set(name, text.slice(equals + 1));
    }
  }
  draft.environment = Object.fromEntries(said);
}

function isVariable({ notes }: Given, at: number, name: string): boolean {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return true;
  notes.problem(at, {
    code: "badVariable",
    what: `environment: ${echoText(name)} is not the name of a variable`,
    why: "a name has letters, digits and _, and does not begin with a digit",
    remedy: "rename it, for instance to OMP_NUM_THREADS",
  });
  return false;
}

function noEquals(text: string) {
  return {
    code: "badVariable",
    what: `environment: ${echoText(text)} has no value`,
    why: "in a list each variable is written NAME=value",
    remedy: "write NAME=value (NAME= for an empty value)",
  };
}

function variableTwice(name: string) {
  return {
    code: "duplicateKey",
    what: `environment: ${echoText(name)} is given twice`,
    why: "only one of them can be meant",
    remedy: "take one of them out",
  };
}

function readSite(given: Given): void {
  const site = oneText(given, "site: cluster-a");
  if (site === undefined) return;
  if (/^[^\s\p{Cc}]+$/u.test(site.text)) {
    given.draft.site = site.text;
    return;
  }
  given.notes.problem(site.at, {
    code: "badSite",
    what: `site: ${echoText(site.text)} is not the name of a site`,
    why: "a name has no blanks and is not empty",
    remedy: "write one site's name, or leave it out to let the broker choose",
  });
}

/** An id as the broker gives it, whole: a description is read where no broker can say which one is meant. */
function readReservation(given: Given): void {
  const id = oneText(given, "reservation: 7f3aabcdefgh");
  if (id === undefined) return;
  if (/^[a-z0-9-]{1,64}$/.test(id.text)) {
    given.draft.reservation = id.text;
    return;
  }
  given.notes.problem(id.at, {
    code: "badReservation",
    what: `reservation: ${echoText(id.text)} is not the id of a reservation`,
    why: "an id has small letters, digits and -",
    remedy: "write the whole id that `stint reservations` shows, or leave it out to queue like any other job",
  });
}

/** The line itself: who may use it is in it, so that it is no secret. */
function readTicketLine(given: Given): void {
  const line = oneText(given, "ticket: stint-ticket.v1.…");
  if (line === undefined) return;
  const read = readTicket(line.text);
  if (read.ok) {
    given.draft.ticket = line.text.trim();
    return;
  }
  given.notes.problem(line.at, {
    code: "badTicket",
    what: `ticket: ${echoText(line.text.slice(0, 40))} is no ticket`,
    why: read.refusal,
    remedy: "write the line that `stint ticket issue` printed, or name its file: stint submit --ticket FILE",
  });
}

/** Whether it is the submitter's, or above or below it, only the broker knows. */
function readVirtualOrganisation(given: Given): void {
  const named = oneText(given, "virtualOrganisation: cms/higgs");
  if (named === undefined) return;
  if (isConsumerPath(named.text)) {
    given.draft.virtualOrganisation = named.text;
    return;
  }
  given.notes.problem(named.at, {
    code: "badOrganisation",
    what: `virtualOrganisation: ${echoText(named.text)} is no consumer path`,
    why: "a path is up to eight names with / between them, of letters, digits and _ . @ + -",
    remedy: "write a VO, or a group of it, for instance cms/higgs; or leave it out to run as you are",
  });
}

function readUserTags(given: Given): void {
  const { name, value, notes, draft } = given;
  const example = "userTags: {experiment: cms, run: 7}";
  if (value.kind !== "mapping") {
    notes.problem(value.at, wrongType(name, value, example));
    return;
  }
  const tags = textMapping(given, value, example);
  for (const [tag] of tags) {
    if (/^[^\p{Cc}]+$/u.test(tag.text)) continue;
    notes.problem(tag.at, {
      code: "badTag",
      what: `userTags: ${shown(tag.text)} is not a tag's name`,
      why: "a name is not empty and has no control characters",
      remedy: `write for instance ${example}`,
    });
  }
  draft.userTags = Object.fromEntries(tags.map(([tag, text]) => [tag.text, text]));
}

const likelyForgotUnitBytes = 1024 * 1024;
const anyCount = { least: 1, most: Number.MAX_SAFE_INTEGER };

/** `procs`: how many processors. */
function readProcs(given: Given): void {
  const count = wholeNumberOf(given, { ...anyCount, example: "procs: 4" });
  if (count !== undefined) given.draft.procs = count;
}

/** `gpus`: how many of them. */
function readGpus(given: Given): void {
  const count = wholeNumberOf(given, { ...anyCount, example: "gpus: 1" });
  if (count !== undefined) given.draft.gpus = count;
}

/** `memory`: bytes, or a size with a unit. */
function readMemory(given: Given): void {
  const { name, value, notes, draft } = given;
  const bytes = sizeOf(given, { example: "memory: 4G", ifZero: noMemory });
  if (bytes === undefined) return;
  if (bytes < likelyForgotUnitBytes && value.kind === "scalar") {
    notes.warning(value.at, {
      code: "memoryTiny",
      what: `${name} is ${bytes} bytes`,
      why: "a number without a unit counts bytes, and hardly any program runs in so few",
      remedy: `write for instance ${name}: ${Math.max(1, Math.trunc(Number.parseFloat(value.text)))}M`,
    });
  }
  draft.memoryBytes = bytes;
}

/** `wallTime`: the time limit. */
function readWallTime(given: Given): void {
  const limitMs = durationOf(given, { example: "wallTime: 1h30m", ifZero: noTime });
  if (limitMs !== undefined) given.draft.wallTimeMs = limitMs;
}

/** `delayCost`: SU for an hour of delay; whole, so that prices stay exact. */
function readDelayCost(given: Given): void {
  const bounds = { least: 0, most: 1_000_000_000, example: "delayCost: 16" };
  const suPerHour = wholeNumberOf(given, bounds);
  if (suPerHour !== undefined) given.draft.delayCostSuPerHour = suPerHour;
}

const noMemory = { why: "a program needs some", remedy: "leave it out where it does not matter" };
const noTime = {
  why: "a job that may run for no time cannot run",
  remedy: "leave it out for the site's default, or write for instance wallTime: 1h30m",
};
