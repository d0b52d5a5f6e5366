/**
 * Reads a `stint.yaml`: what the server needs, and the sites. Everything that is wrong is told at once,
 * with its place; a file with a problem says nothing.
 */
import {
  type NamedValue,
  type Remark,
  readEntries,
  shown,
  type Words,
  wrongType,
  yamlDocuments,
} from "../yaml/index.ts";
import type { Configuration, ConfiguredSite, ServerSettings } from "./configuration.ts";
import { readSite } from "./read-site.ts";
import { readServer } from "./server-words.ts";
import type { Surroundings } from "./site-words.ts";

export type { Surroundings } from "./site-words.ts";

/** What a text says, and what is wrong with it; it counts when there are no problems. */
export interface ConfigurationReading {
  readonly configuration: Configuration;
  readonly problems: readonly Remark[];
}

/** Reads `text`; never throws for what it says. An empty one is a configuration that says nothing. */
export function readStintYaml(text: string, surroundings: Surroundings): ConfigurationReading {
  const { notes, documents } = yamlDocuments(text);
  let configuration: Configuration = { server: {}, sites: [] };
  let count = 0;
  for (const { value } of documents()) {
    count++;
    if (count === 1) configuration = readWhole({ name: "", value, notes }, surroundings);
    else if (count === 2) notes.problem(value.at, secondDocument);
  }
  const { problems, warnings } = notes.collected();
  // What has no effect in a configuration was meant to have one.
  return { configuration, problems: [...problems, ...warnings] };
}

function readWhole(whole: NamedValue, surroundings: Surroundings): Configuration {
  const sites: ConfiguredSite[] = [];
  let server: ServerSettings = {};
  readEntries(whole, {
    example: "server: { port: 7846 }",
    words: new Map([
      [
        "server",
        (it: NamedValue) => {
          server = readServer(it, surroundings);
        },
      ],
      ["sites", (it: NamedValue) => void sites.push(...readSites(it, surroundings))],
    ]),
  });
  return { server, sites };
}

function readSites(list: NamedValue, surroundings: Surroundings): ConfiguredSite[] {
  const { name, value, notes } = list;
  if (value.kind !== "list") {
    notes.problem(value.at, wrongType(name, value, "sites: [{ name: west, type: simulated, procs: 128 }]"));
    return [];
  }
  const lines = new Map<string, number>();
  let managedLine: number | undefined;
  return value.items.flatMap((item, at) => {
    const site = readSite({ name: `${name}[${at}]`, value: item, notes }, surroundings);
    if (site === undefined) return [];
    const earlier = lines.get(site.name);
    if (earlier !== undefined) notes.problem(item.at, doubledName(site.name, earlier));
    lines.set(site.name, earlier ?? site.line);
    if (site.settings.type !== "managed") return [site];
    if (managedLine !== undefined) notes.problem(item.at, secondManaged(managedLine));
    managedLine ??= site.line;
    return [site];
  });
}

function doubledName(name: string, line: number): Words {
  return {
    code: "doubledName",
    what: `there are two sites of the name ${shown(name)}`,
    why: `line ${line} has the other, and a name stands for one of them`,
    remedy: "give each a name of its own",
  };
}

function secondManaged(line: number): Words {
  return {
    code: "secondManaged",
    what: "this machine is a site already",
    why: `line ${line} offers it, and its processors can be given away once`,
    remedy: "keep one site of type managed",
  };
}

const secondDocument: Words = {
  code: "secondDocument",
  what: "a second document begins here",
  why: "a configuration is one document, and only one of two could be meant",
  remedy: "put all of it under one server: and one sites:, without a line of three dashes",
};
