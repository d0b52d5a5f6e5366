/**
 * Reads one of `sites`: this machine, a simulated cluster, or one under Slurm.
 */
import { MS_PER_HOUR } from "../../base/index.ts";
import { type SimulatedSiteSpec, SLURM_DEFAULTS } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { type NamedValue, oneText, type ReadWord, readEntries, type Words, wordOf } from "../yaml/index.ts";
import type { ConfiguredSite, ManagedSettings, Said, SlurmSettings } from "./configuration.ts";
import { enforcementFrom } from "./enforcement-words.ts";
import { rulesFrom } from "./reservation-words.ts";
import { resourcesFrom, tellSharedNames } from "./resource-words.ts";
import {
  COMMON_WORDS,
  type CommonWords,
  SIMULATED_WORDS,
  type SimulatedWords,
  SLURM_WORDS,
  type SlurmWords,
  type Surroundings,
} from "./site-words.ts";

/** What sites there are, in the order in which they are explained. */
const SITE_TYPES = ["managed", "simulated", "slurm"] as const;
type SiteType = (typeof SITE_TYPES)[number];

interface HeadWords {
  readonly name: string;
  readonly type: SiteType;
}
type SiteWords = HeadWords & CommonWords & SimulatedWords & SlurmWords;
type Draft = { [Path in keyof SiteWords]?: Said<SiteWords[Path]> };

const GIB = 1024 ** 3;
const SITE_EXAMPLE = "{ name: west, type: simulated, procs: 128 }";
const commonReaders = {
  name: nameOf,
  type: (named: NamedValue) => wordOf(named, SITE_TYPES, "type: simulated"),
  ...COMMON_WORDS,
};
const readers = { ...commonReaders, ...SIMULATED_WORDS, ...SLURM_WORDS };
/** The words of each type beside those of every site. */
const ownWords: Readonly<Record<SiteType, readonly string[]>> = {
  managed: [],
  simulated: Object.keys(SIMULATED_WORDS),
  slurm: Object.keys(SLURM_WORDS),
};

/** The site; undefined, with problems, where something is wrong with it. */
export function readSite(named: NamedValue, surroundings: Surroundings): ConfiguredSite | undefined {
  const { value, notes } = named;
  const before = notes.problemCount();
  const draft: Draft = {};
  const type = typeAhead(named);
  const paths = [...Object.keys(commonReaders), ...ownWords[type ?? "simulated"]];
  const words = new Map(wordsOf(paths, draft, surroundings));
  if (!readEntries(named, { words, example: SITE_EXAMPLE, refuse: refusalAt(type) })) return undefined;
  tellMissing(named, type === "simulated" ? ["name", "type", "procs"] : ["name", "type"]);
  tellSharedNames(named, resourcesFrom(draft));
  if (notes.problemCount() > before || draft.name === undefined) return undefined;
  const { name, ...settings } = draft;
  return {
    name: name.value,
    line: notes.lineOf(value.at),
    settings: settingsOf(type ?? "simulated", settings),
    lines: new Map(Object.entries(settings).map(([path, { line }]) => [path, line])),
  };
}

function settingsOf(type: SiteType, draft: Draft): ConfiguredSite["settings"] {
  switch (type) {
    case "managed":
      return managed(draft);
    case "simulated":
      return simulated(draft);
    case "slurm":
      return slurm(draft);
  }
}

function tellMissing({ value, notes }: NamedValue, words: readonly (keyof typeof missing)[]): void {
  if (value.kind !== "mapping") return;
  for (const word of words) {
    if (!value.entries.some(({ key }) => key === word)) notes.problem(value.at, missing[word]);
  }
}

/** Which words there may be depends on the type, wherever it stands. */
function typeAhead({ value }: NamedValue): SiteType | undefined {
  if (value.kind !== "mapping") return undefined;
  const entry = value.entries.find(({ key }) => key === "type");
  if (entry?.value.kind !== "scalar") return undefined;
  const { text } = entry.value;
  return SITE_TYPES.find((type) => type === text);
}

/** A reader for each first word of these paths, into the draft. */
function wordsOf(
  paths: readonly string[],
  draft: Draft,
  surroundings: Surroundings,
): readonly (readonly [string, ReadWord])[] {
  const leaf = <Path extends keyof SiteWords>(path: Path, it: NamedValue): void => {
    const value = readers[path](it, surroundings) as SiteWords[Path] | undefined;
    if (value === undefined) return;
    (draft as Record<Path, Said<SiteWords[Path]>>)[path] = { value, line: it.notes.lineOf(it.value.at) };
  };
  const known = (path: string): path is keyof SiteWords => path in readers;
  return [...new Set(paths.map((path) => path.split(".")[0]))].map((word) => {
    if (known(word)) return [word, (it) => leaf(word, it)];
    const inner = paths.filter((path) => path.startsWith(`${word}.`)).filter(known);
    const words = new Map<string, ReadWord>(
      inner.map((path) => [path.slice(word.length + 1), (it) => leaf(path, it)]),
    );
    return [
      word,
      (it) => {
        const isMapping = readEntries(it, { words, example: SECTION_EXAMPLES[word] });
        if (isMapping && word === "background") tellMissing(it, ["trace"]);
      },
    ];
  });
}

const SECTION_EXAMPLES: Readonly<Record<string, string>> = {
  background: "background: { trace: workload.swf.gz }",
  delays: "delays: { order: 200ms, start: 1s }",
  losses: "losses: { failed: 0.01 }",
  reservations: "reservations: { ahead: 7d, share: 0.25 }",
  enforcement: "enforcement: { grant: [hold, suspend] }",
};

/** The words for a word that belongs to another type of site. */
function refusalAt(type: SiteType | undefined): (word: string) => Words | undefined {
  return (word) => {
    const owner = SITE_TYPES.find((other) => ownWords[other].some((path) => path.split(".")[0] === word));
    if (type === undefined || owner === undefined || owner === type) return undefined;
    return {
      code: owner === "simulated" ? "wordOfSimulated" : "wordOfSlurm",
      what: `a ${type} site has no ${word}`,
      why: WHY_NOT[owner],
      remedy: `take it out, or write type: ${owner}`,
    };
  };
}

const WHY_NOT: Readonly<Record<SiteType, string>> = {
  managed: "it is said of this machine",
  simulated: "nothing about it is played",
  slurm: "it is said of clusters under Slurm",
};

function nameOf(named: NamedValue): string | undefined {
  const written = oneText(named, "name: west");
  if (written === undefined || /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(written.text)) return written?.text;
  named.notes.problem(written.at, {
    code: "badSite",
    what: `a site cannot be called ${echoText(written.text)}`,
    why: "a name is up to 63 letters, digits and . _ -, and begins with a letter or a digit",
    remedy: "choose a name like cluster-a",
  });
  return undefined;
}

function managed({ procs, memory, discipline, wallTime, ...draft }: Draft): ManagedSettings {
  return {
    type: "managed",
    ...(procs === undefined ? {} : { procs: procs.value }),
    ...(memory === undefined ? {} : { memoryBytes: memory.value }),
    discipline: discipline?.value ?? "easy",
    // Long enough not to surprise whoever works on this machine.
    defaultWallTimeMs: wallTime?.value ?? 24 * MS_PER_HOUR,
    ...rulesFrom(draft),
    ...enforcementFrom(draft),
    ...resourcesFrom(draft),
  };
}

function simulated(draft: Draft): SimulatedSiteSpec {
  const procs = draft.procs?.value ?? 1;
  const trace = draft["background.trace"]?.value;
  return {
    type: "simulated",
    procs,
    memoryBytes: draft.memory?.value ?? procs * GIB,
    discipline: draft.discipline?.value ?? "easy",
    defaultWallTimeMs: draft.wallTime?.value ?? MS_PER_HOUR,
    jobs: draft.jobs?.value ?? "imitate",
    speedUp: draft.speedUp?.value ?? 1,
    background: trace === undefined ? null : { trace, skipMs: draft["background.skip"]?.value ?? 0 },
    delays: { orderMs: draft["delays.order"]?.value ?? 0, startMs: draft["delays.start"]?.value ?? 0 },
    losses: {
      failedPpm: draft["losses.failed"]?.value ?? 0,
      doubtfulPpm: draft["losses.doubtful"]?.value ?? 0,
      vanishedPpm: draft["losses.vanished"]?.value ?? 0,
    },
    seed: draft.seed?.value ?? 1,
    ...rulesFrom(draft),
    ...enforcementFrom(draft),
    ...resourcesFrom(draft),
  };
}

function slurm(draft: Draft): SlurmSettings {
  const { procs, memory } = draft;
  return {
    ...SLURM_DEFAULTS,
    type: "slurm",
    ...(procs === undefined ? {} : { procs: procs.value }),
    ...(memory === undefined ? {} : { memoryBytes: memory.value }),
    discipline: draft.discipline?.value ?? SLURM_DEFAULTS.discipline,
    defaultWallTimeMs: draft.wallTime?.value ?? SLURM_DEFAULTS.defaultWallTimeMs,
    readOnly: draft.readOnly?.value ?? SLURM_DEFAULTS.readOnly,
    sshHost: draft.sshHost?.value ?? null,
    slurmConf: draft.slurmConf?.value ?? null,
    account: draft.account?.value ?? null,
    partition: draft.partition?.value ?? null,
    qos: draft.qos?.value ?? null,
    submitDirectory: draft.submitDirectory?.value ?? null,
    ...(draft.consumers === undefined ? {} : { consumers: draft.consumers.value }),
    pollsPerMinute: draft.pollsPerMinute?.value ?? SLURM_DEFAULTS.pollsPerMinute,
    ...rulesFrom(draft),
    ...enforcementFrom(draft),
    ...resourcesFrom(draft),
  };
}

const missing: Readonly<Record<"name" | "type" | "procs" | "trace", Words>> = {
  name: {
    code: "wordMissing",
    what: "this site has no name",
    why: "jobs and people call it by one",
    remedy: "write for instance name: west",
  },
  type: {
    code: "wordMissing",
    what: "this site has no type",
    why: "it is this machine, a cluster that is played, or one under Slurm",
    remedy: "write type: managed for this machine, type: simulated, or type: slurm",
  },
  procs: {
    code: "wordMissing",
    what: "this site has no procs",
    why: "how large a simulated site is nobody else can say",
    remedy: "write for instance procs: 128",
  },
  trace: {
    code: "wordMissing",
    what: "the background of this site has no trace",
    why: "other people's jobs come from one",
    remedy: "write for instance background: { trace: workload.swf.gz }, or leave background out",
  },
};
