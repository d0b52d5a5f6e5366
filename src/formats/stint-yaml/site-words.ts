/**
 * The words of a site, each with who reads its value. docs/schemas/stint.schema.json says the same for
 * editors; a test holds the two together.
 */
import { isAbsolute, join } from "node:path";
import {
  DISCIPLINES,
  type Discipline,
  isConsumerPath,
  type SimulatedSiteSpec,
  type SiteOffer,
  type SlurmSiteSpec,
} from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import {
  durationOf,
  type FileState,
  type NamedValue,
  oneText,
  shown,
  sizeOf,
  textMapping,
  wholeNumberOf,
  wordOf,
  wrongType,
} from "../yaml/index.ts";
import { ENFORCEMENT_WORDS, type EnforcementWords } from "./enforcement-words.ts";
import { RESERVATION_WORDS, type ReservationWords } from "./reservation-words.ts";
import { RESOURCE_WORDS, type ResourceWords } from "./resource-words.ts";
import { ppmOf } from "./shares.ts";
import { yesOrNo } from "./yes-or-no.ts";

/** The world around a configuration. */
export interface Surroundings {
  /** Where relative paths begin: the folder of the file, absolute. */
  readonly folder: string;
  /** What is there under a path (as this process sees it). */
  readonly fileState: (path: string) => FileState;
}

/** What can be said of any site, by its path in the file. */
export interface CommonWords extends ReservationWords, EnforcementWords, ResourceWords {
  readonly procs: number;
  readonly memory: number;
  readonly discipline: Discipline;
  readonly wallTime: number;
}

/** What can be said of a simulated site besides; times in ms, losses in parts per million. */
export interface SimulatedWords {
  readonly jobs: SimulatedSiteSpec["jobs"];
  readonly speedUp: number;
  readonly "background.trace": string;
  readonly "background.skip": number;
  readonly "delays.order": number;
  readonly "delays.start": number;
  readonly "losses.failed": number;
  readonly "losses.doubtful": number;
  readonly "losses.vanished": number;
  readonly seed: number;
}

/** What can be said of a site under Slurm besides. */
export type SlurmWords = {
  readonly [Word in Exclude<keyof SlurmSiteSpec, OfEverySite>]: NonNullable<SlurmSiteSpec[Word]>;
};
type OfEverySite = "type" | keyof SiteOffer;

type Readers<Words> = {
  readonly [Path in keyof Words]: (named: NamedValue, surroundings: Surroundings) => Words[Path] | undefined;
};

/** As many as the API takes. */
const MOST_PROCS = 1_000_000;

/** Who reads what can be said of any site. */
export const COMMON_WORDS: Readers<CommonWords> = {
  procs: (named) => wholeNumberOf(named, { least: 1, most: MOST_PROCS, example: "procs: 128" }),
  memory: (named) => sizeOf(named, { example: "memory: 512G", ifZero: noMemory }),
  discipline: (named) => wordOf(named, DISCIPLINES, "discipline: easy"),
  wallTime: (named) => durationOf(named, { example: "wallTime: 1h30m", ifZero: noTime }),
  ...RESERVATION_WORDS,
  ...ENFORCEMENT_WORDS,
  ...RESOURCE_WORDS,
};

/** Who reads what can be said of a simulated site besides. */
export const SIMULATED_WORDS: Readers<SimulatedWords> = {
  jobs: (named) => wordOf(named, ["run", "imitate"] as const, "jobs: imitate"),
  speedUp: (named) => wholeNumberOf(named, { least: 1, most: 1_000_000, example: "speedUp: 60" }),
  "background.trace": traceOf,
  "background.skip": (named) => durationOf(named, { example: "skip: 2d" }),
  "delays.order": (named) => durationOf(named, { example: "order: 200ms" }),
  "delays.start": (named) => durationOf(named, { example: "start: 1s" }),
  "losses.failed": (named) => ppmOf(named, "failed: 0.01"),
  "losses.doubtful": (named) => ppmOf(named, "doubtful: 0.01"),
  "losses.vanished": (named) => ppmOf(named, "vanished: 0.001"),
  seed: (named) => wholeNumberOf(named, { least: 0, most: Number.MAX_SAFE_INTEGER, example: "seed: 7" }),
};

/** Who reads what can be said of a site under Slurm besides. */
export const SLURM_WORDS: Readers<SlurmWords> = {
  readOnly: (named) => yesOrNo(named, "readOnly: false"),
  sshHost: (named) => nameThere(named, "sshHost: login.example.org"),
  slurmConf: (named) => pathThere(named, "slurmConf: /etc/slurm/slurm.conf"),
  account: (named) => nameThere(named, "account: physics"),
  partition: (named) => nameThere(named, "partition: batch"),
  qos: (named) => nameThere(named, "qos: normal"),
  submitDirectory: (named) => pathThere(named, "submitDirectory: /data/stint"),
  consumers: accountsOf,
  pollsPerMinute: (named) => wholeNumberOf(named, { least: 1, most: 600, example: "pollsPerMinute: 6" }),
};

const noMemory = { why: "programs need some", remedy: "leave it out for what is usual" };
const noTime = {
  why: "a job that may run for no time cannot run",
  remedy: "leave it out for what is usual, or write for instance wallTime: 1h30m",
};

/** A path, absolute; those in the file are relative to its folder. */
export function pathOf(named: NamedValue, { folder }: Surroundings, example: string): string | undefined {
  const written = oneText(named, example);
  if (written === undefined) return undefined;
  const { text, at } = written;
  if (text !== "" && !text.startsWith("~")) return isAbsolute(text) ? text : join(folder, text);
  named.notes.problem(at, {
    code: "badPath",
    what: `${shown(named.name)}: ${echoText(text)} is not a path`,
    why: text === "" ? "it is empty" : "no shell reads it, so ~ stands for no home directory",
    remedy: "write the whole path, or one that begins at the folder of this file",
  });
  return undefined;
}

/** Why a file that is named is of no use. */
export const UNREADABLE: Readonly<Record<Exclude<FileState, "readable">, string>> = {
  missing: "there is no such file",
  directory: "it is a directory",
  notReadable: "you are not allowed to read it",
};

function traceOf(named: NamedValue, surroundings: Surroundings): string | undefined {
  const path = pathOf(named, surroundings, "trace: workload.swf.gz");
  if (path === undefined) return undefined;
  const state = surroundings.fileState(path);
  if (state === "readable") return path;
  named.notes.problem(named.value.at, {
    code: "traceUnreadable",
    what: `${shown(named.name)}: the trace cannot be read`,
    why: `${UNREADABLE[state]}, looked for at ${path}`,
    remedy: "name a file in the Standard Workload Format; relative paths begin at the folder of this file",
  });
  return undefined;
}

/** A word of the cluster's own: of these characters, and not one that a command takes for an option. */
function nameThere(named: NamedValue, example: string): string | undefined {
  const written = oneText(named, example);
  if (written === undefined || /^[A-Za-z0-9_][A-Za-z0-9_.@:,+-]{0,127}$/.test(written.text)) {
    return written?.text;
  }
  named.notes.problem(written.at, {
    code: "badName",
    what: `${shown(named.name)}: ${echoText(written.text)} is no name there`,
    why: "a name has letters, digits and _ . @ : , + -, and begins with a letter, a digit or _",
    remedy: `write for instance ${example}`,
  });
  return undefined;
}

/** A path at the site, which this machine knows nothing about. */
function pathThere(named: NamedValue, example: string): string | undefined {
  const written = oneText(named, example);
  if (written === undefined || isAbsolute(written.text)) return written?.text;
  named.notes.problem(written.at, {
    code: "badPath",
    what: `${shown(named.name)}: ${echoText(written.text)} is not a whole path`,
    why: "it is a path on the cluster's machines, where this file has no folder",
    remedy: `write for instance ${example}`,
  });
  return undefined;
}

const EXAMPLE = "consumers: { physics: cms, chemistry: atlas/higgs }";

/** Consumer paths by account; undefined, with a problem, where any is none. */
function accountsOf(named: NamedValue): Readonly<Record<string, string>> | undefined {
  const { name, value, notes } = named;
  if (value.kind !== "mapping") {
    notes.problem(value.at, wrongType(name, value, EXAMPLE));
    return undefined;
  }
  const written = textMapping(named, value, EXAMPLE);
  const wrong = written.filter(([, path]) => !isConsumerPath(path));
  for (const [account, path] of wrong) {
    notes.problem(account.at, {
      code: "badConsumer",
      what: `${shown(name)}.${shown(account.text)}: ${echoText(path)} is no consumer path`,
      why: "a path is up to eight names with / between them, of letters, digits and _ . @ + -",
      remedy: `write for instance ${EXAMPLE}`,
    });
  }
  if (wrong.length > 0 || written.length < value.entries.length) return undefined;
  return Object.fromEntries(written.map(([account, path]) => [account.text, path]));
}
