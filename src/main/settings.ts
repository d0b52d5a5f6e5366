/**
 * Settings of the program with their origin: defaults, `stint.yaml`, the environment, flags, in increasing
 * order.
 *
 * The file is that of `--config`, else of $STINT_CONFIG, else stint/stint.yaml in the folder of the XDG
 * Base Directory Specification, if it exists. An empty variable counts as unset.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { Fault } from "../base/index.ts";
import { type LogSettings, problemFault } from "../cli/index.ts";
import type { Configuration, ConfiguredSite, MailOfServer, Said } from "../formats/stint-yaml/index.ts";
import type { FileState } from "../formats/yaml/index.ts";
import type { LogFormat, LogLevel } from "../model/index.ts";

/** Origin of a value. */
export type Origin =
  | { readonly kind: "default" }
  | { readonly kind: "file"; readonly file: string; readonly line: number }
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "flag"; readonly flag: string };

/** A value in effect, with its origin. */
export interface Setting<Value> {
  readonly value: Value;
  readonly origin: Origin;
}

/** All settings. */
export interface Settings {
  /** Configuration file that was read, absolute; undefined: none. */
  readonly configuration: Setting<string | undefined>;
  /** Absolute path. */
  readonly stateDirectory: Setting<string>;
  /** Port of the API; null: none; undefined: the usual one, or a free one if it is taken. */
  readonly port: Setting<number | null | undefined>;
  /** Address to listen on. */
  readonly host: Setting<string>;
  /** Files of the server's certificate; undefined: no TLS. */
  readonly tls: TlsSettings | undefined;
  /** Directory from which callers with a token may use input files, absolute; undefined: none. */
  readonly inputs: Setting<string | undefined>;
  /** Age in ms at which events leave the log for archives; undefined: they stay. */
  readonly retention: Setting<number | undefined>;
  /** Time in ms after their end for which the files and the records of jobs are kept; undefined: for ever. */
  readonly jobFiles: Setting<number | undefined>;
  readonly jobRecords: Setting<number | undefined>;
  /** Settings of mail; undefined: no mail is sent. */
  readonly mail: Setting<MailOfServer | undefined>;
  /** Address to which the audit is sent; undefined: none. */
  readonly syslog: Setting<string | undefined>;
  readonly log: SettingsOfLog;
  readonly url: Setting<string | undefined>;
  readonly token: Setting<string | undefined>;
  /** File with the certificates that authenticate the broker at `url`. */
  readonly ca: Setting<string | undefined>;
  readonly sites: readonly ConfiguredSite[];
}

/** Settings of the log for the operator; undefined: by where it goes. */
export interface SettingsOfLog {
  readonly level: Setting<LogLevel | undefined>;
  readonly format: Setting<LogFormat | undefined>;
  /** File to append to, absolute; undefined: stderr. */
  readonly file: Setting<string | undefined>;
}

/** Absolute paths of a certificate and its private key. */
export interface TlsSettings {
  readonly cert: Setting<string>;
  readonly key: Setting<string>;
}

/** Settings on the command line; absent: not given. */
export interface Flags {
  /** Configuration file; null: read none. */
  readonly configuration?: string | null;
  readonly stateDirectory?: string;
  readonly port?: number | null;
  readonly retentionMs?: number;
  readonly log?: LogSettings;
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Default address: without TLS only this machine. */
const LOOPBACK = "127.0.0.1";
const DEFAULT: Origin = { kind: "default" };

/**
 * Reads all settings.
 *
 * @throws AggregateError of Faults, one for each error in the file; Fault `badPort`
 */
export async function readSettings(environment: Environment, flags: Flags = {}): Promise<Settings> {
  const { fileState } = await import("../formats/yaml/index.ts");
  return await settingsOf(environment, flags, fileState);
}

/**
 * State directory for a command that only connects to the broker: the file is read only if it matters, and
 * other paths in it need not exist.
 */
export async function findStateDirectory(environment: Environment): Promise<string> {
  const { STINT_STATE_DIR } = environment;
  if (STINT_STATE_DIR) return resolve(STINT_STATE_DIR);
  const { stateDirectory } = await settingsOf({ ...environment, STINT_PORT: "" }, {}, () => "readable");
  return stateDirectory.value;
}

async function settingsOf(
  environment: Environment,
  flags: Flags,
  fileState: (path: string) => FileState,
): Promise<Settings> {
  const { STINT_STATE_DIR, STINT_PORT, STINT_URL, STINT_TOKEN, STINT_CA } = environment;
  const configuration = configurationFile(environment, flags.configuration);
  const { server, sites } = await readConfiguration(configuration.value, fileState);
  const from = <Value>(said: Said<Value> | undefined): Setting<Value> | undefined =>
    said === undefined || configuration.value === undefined
      ? undefined
      : { value: said.value, origin: { kind: "file", file: configuration.value, line: said.line } };
  const stateDirectory =
    byFlag(flags.stateDirectory, "--state-dir") ??
    byVariable(STINT_STATE_DIR, "STINT_STATE_DIR") ??
    from(server.stateDirectory) ??
    byDefault(usualStateDirectory(environment));
  const [cert, key] = [from(server.tls?.cert), from(server.tls?.key)];
  return {
    configuration,
    stateDirectory: { ...stateDirectory, value: resolve(stateDirectory.value) },
    port:
      byFlag(flags.port, flags.port === null ? "--no-tcp" : "--port") ??
      byVariable(STINT_PORT ? portOf(STINT_PORT) : undefined, "STINT_PORT") ??
      from(server.port) ??
      byDefault(undefined),
    host: from(server.host) ?? byDefault(LOOPBACK),
    tls: cert === undefined || key === undefined ? undefined : { cert, key },
    inputs: from(server.inputs) ?? byDefault(undefined),
    retention: byFlag(flags.retentionMs, "--retention") ?? from(server.retentionMs) ?? byDefault(undefined),
    jobFiles: from(server.jobFilesMs) ?? byDefault(undefined),
    jobRecords: from(server.jobRecordsMs) ?? byDefault(undefined),
    mail: from(server.mail) ?? byDefault(undefined),
    syslog: from(server.syslog) ?? byDefault(undefined),
    log: {
      level: byFlag(flags.log?.level, "--log-level") ?? from(server.log?.level) ?? byDefault(undefined),
      format: byFlag(flags.log?.format, "--log-format") ?? from(server.log?.format) ?? byDefault(undefined),
      file: byFlag(flags.log?.file, "--log-file") ?? from(server.log?.file) ?? byDefault(undefined),
    },
    url: byVariable(STINT_URL || undefined, "STINT_URL") ?? byDefault(undefined),
    token: byVariable(STINT_TOKEN || undefined, "STINT_TOKEN") ?? byDefault(undefined),
    ca: byVariable(STINT_CA || undefined, "STINT_CA") ?? byDefault(undefined),
    sites,
  };
}

function configurationFile(
  environment: Environment,
  flag: string | null | undefined,
): Setting<string | undefined> {
  if (flag === null) return byDefault(undefined);
  const named = byFlag(flag, "--config") ?? byVariable(environment.STINT_CONFIG, "STINT_CONFIG");
  if (named !== undefined) return { ...named, value: resolve(named.value) };
  const usual = join(xdg(environment.XDG_CONFIG_HOME, ".config"), "stint", "stint.yaml");
  return byDefault(existsSync(usual) ? usual : undefined);
}

async function readConfiguration(
  file: string | undefined,
  fileState: (path: string) => FileState,
): Promise<Configuration> {
  if (file === undefined) return { server: {}, sites: [] };
  const { readStintFile } = await import("../formats/stint-yaml/index.ts");
  const { configuration, problems } = await readStintFile(file, fileState);
  if (problems.length === 0) return configuration;
  throw new AggregateError(
    problems.map((problem) => problemFault(file, problem)),
    `${file} has problems`,
  );
}

function usualStateDirectory({ XDG_STATE_HOME }: Environment): string {
  return join(xdg(XDG_STATE_HOME, join(".local", "state")), "stint");
}

/** Directory by the XDG specification, which ignores relative paths. */
function xdg(said: string | undefined, usual: string): string {
  return said !== undefined && isAbsolute(said) ? said : join(homedir(), usual);
}

function byFlag<Value>(value: Value | undefined, flag: string): Setting<Value> | undefined {
  return value === undefined ? undefined : { value, origin: { kind: "flag", flag } };
}

function byVariable<Value>(value: Value | undefined, variable: string): Setting<Value> | undefined {
  return value === undefined || value === ""
    ? undefined
    : { value, origin: { kind: "environment", variable } };
}

function byDefault<Value>(value: Value): Setting<Value> {
  return { value, origin: DEFAULT };
}

function portOf(text: string): number | null {
  if (text === "none") return null;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (port <= 65_535) return port;
  throw new Fault({
    kind: "badInput",
    code: "badPort",
    what: `STINT_PORT: "${text.slice(0, 40)}" is not a port`,
    why: "it must be a whole number from 0 to 65535, or none",
    remedy: "set for instance STINT_PORT=7846, STINT_PORT=0 for any that is free, or STINT_PORT=none",
  });
}
