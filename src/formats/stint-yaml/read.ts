/**
 * Reads a `stint.yaml`: settings of the server, and the sites. All problems are reported together, with their
 * positions; a file with a problem gives no settings. The checks here are those that the shape cannot
 * express.
 */
import { isIP } from "node:net";
import { dirname, resolve } from "node:path";
import { type Read, stintShape } from "../../contract/files/index.ts";
import {
  type DocumentReading,
  type FileState,
  type Remark,
  readBounded,
  readDocument,
  type Surroundings,
  shown,
  textOfBytes,
  type Words,
} from "../yaml/index.ts";
import type { Configuration, ConfiguredSite, Said, ServerSettings } from "./configuration.ts";
import { readSite } from "./read-site.ts";

/** Settings and problems of a text; valid without problems. */
export interface ConfigurationReading {
  readonly configuration: Configuration;
  readonly problems: readonly Remark[];
}

type Reading = DocumentReading<Read<typeof stintShape>>;

/** Reads a file; its paths are relative to its folder. An unreadable file is a problem. */
export async function readStintFile(
  file: string,
  fileState: (path: string) => FileState,
): Promise<ConfigurationReading> {
  const bytes = await readBounded(file);
  const text = bytes.ok ? textOfBytes(bytes.value) : bytes;
  if (text.ok) return readStintYaml(text.value, { folder: dirname(resolve(file)), fileState });
  return { configuration: NOTHING, problems: [text.refusal] };
}

const NOTHING: Configuration = { server: {}, sites: [] };

/** Reads `text`; never throws on its content. An empty one has no settings. */
export function readStintYaml(text: string, surroundings: Surroundings): ConfigurationReading {
  const reading = readDocument(text, stintShape, {
    noun: "a configuration",
    example: "server: { port: 7846 }",
    surroundings,
  });
  const { said } = reading;
  const configuration =
    said === undefined
      ? NOTHING
      : { server: readServer(said.server, reading), sites: readSites(said.sites, reading) };
  const problems = reading.problems();
  return { configuration: problems.length === 0 ? configuration : NOTHING, problems };
}

type Whole = NonNullable<Reading["said"]>;

function readServer(server: Whole["server"], { notes, at, words }: Reading): ServerSettings {
  const said = <Value>(of: object, word: string, value: Value): Said<Value> => ({
    value,
    line: notes.lineOf(at(of, word)),
  });
  const { stateDirectory, inputs, port, host, tls, retentionMs, jobRetention, mail, audit, log } = server;
  const { filesMs, recordsMs } = jobRetention ?? {};
  if (host?.includes(":") && isIP(host) === 0) notes.problem(at(server, "host"), noAddress);
  else if (host !== undefined && !words(server).includes("tls") && !isLoopback(host)) {
    notes.problem(at(server, "host"), inTheClear);
  }
  return {
    ...(stateDirectory === undefined ? {} : { stateDirectory: said(server, "stateDir", stateDirectory) }),
    ...(inputs === undefined ? {} : { inputs: said(server, "inputs", inputs) }),
    ...(port === undefined ? {} : { port: said(server, "port", port) }),
    ...(host === undefined ? {} : { host: said(server, "host", host) }),
    ...(retentionMs === undefined ? {} : { retentionMs: said(server, "retention", retentionMs) }),
    ...(filesMs === undefined ? {} : { jobFilesMs: said(jobRetention ?? {}, "files", filesMs) }),
    ...(recordsMs === undefined ? {} : { jobRecordsMs: said(jobRetention ?? {}, "records", recordsMs) }),
    ...(mail === undefined ? {} : { mail: said(server, "mail", mail) }),
    ...(audit?.syslog === undefined ? {} : { syslog: said(audit, "syslog", audit.syslog) }),
    ...(log === undefined ? {} : { log: readLog(log, said) }),
    ...(tls === undefined
      ? {}
      : { tls: { cert: said(tls, "cert", tls.cert), key: said(tls, "key", tls.key) } }),
  };
}

type Saying = <Value>(of: object, word: string, value: Value) => Said<Value>;

function readLog(log: NonNullable<Whole["server"]["log"]>, said: Saying): NonNullable<ServerSettings["log"]> {
  const { level, format, file } = log;
  return {
    ...(level === undefined ? {} : { level: said(log, "level", level) }),
    ...(format === undefined ? {} : { format: said(log, "format", format) }),
    ...(file === undefined ? {} : { file: said(log, "file", file) }),
  };
}

/** True for an address that only this machine reaches. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function readSites(written: Whole["sites"], reading: Reading): readonly ConfiguredSite[] {
  const { notes, at } = reading;
  const lines = new Map<string, number>();
  let managedLine: number | undefined;
  return written.map((said) => {
    const site = readSite(said, reading);
    const earlier = lines.get(site.name);
    if (earlier !== undefined) notes.problem(at(said), doubledName(site.name, earlier));
    lines.set(site.name, earlier ?? site.line);
    if (site.settings.type !== "managed") return site;
    if (managedLine !== undefined) notes.problem(at(said), secondManaged(managedLine));
    managedLine ??= site.line;
    return site;
  });
}

function doubledName(name: string, line: number): Words {
  return {
    code: "doubledName",
    what: `there are two sites of the name ${shown(name)}`,
    why: `line ${line} has the other, and names must be unique`,
    remedy: "give each a name of its own",
  };
}

function secondManaged(line: number): Words {
  return {
    code: "secondManaged",
    what: "this machine is a site already",
    why: `line ${line} already offers it, and its processors can be offered only once`,
    remedy: "keep one site of type managed",
  };
}

const noAddress: Words = {
  code: "badHost",
  what: "server.host is not an address of this machine",
  why: "it is an address like 10.0.0.7 or ::, or a host name, without a port",
  remedy: "write for instance host: 0.0.0.0, which is every address that this machine has",
};
const inTheClear: Words = {
  code: "hostInClear",
  what: "without TLS the broker listens only on this machine",
  why: "the token could be read on the network",
  remedy: "write tls: { cert: FILE, key: FILE } beside it, or take host out",
};
