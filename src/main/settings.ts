/**
 * Every setting of the program with where it comes from: defaults, `stint.yaml`, the environment, flags,
 * each above the one before.
 *
 * The file is the one of `--config`, else of $STINT_CONFIG, else stint/stint.yaml where the XDG Base
 * Directory Specification puts configuration, if it is there. A variable that is empty is not set.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { Fault } from "../base/index.ts";
import { problemFault } from "../cli/index.ts";
import type { Configuration, ConfiguredSite, Said } from "../formats/stint-yaml/index.ts";
import type { FileState } from "../formats/yaml/index.ts";

/** Who says a value. */
export type Origin =
  | { readonly kind: "default" }
  | { readonly kind: "file"; readonly file: string; readonly line: number }
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "flag"; readonly flag: string };

/** A value that counts, and who says it. */
export interface Setting<Value> {
  readonly value: Value;
  readonly origin: Origin;
}

/** Everything that can be set. */
export interface Settings {
  /** The file that was read, absolute; undefined where there is none. */
  readonly configuration: Setting<string | undefined>;
  /** Absolute. */
  readonly stateDirectory: Setting<string>;
  /** Null: none; undefined: the usual one, or any that is free where it is taken. */
  readonly port: Setting<number | null | undefined>;
  /** The address to listen on. */
  readonly host: Setting<string>;
  /** The files of the certificate to be known by; undefined: in the clear. */
  readonly tls: TlsSettings | undefined;
  /** Where callers known by a token may have input files taken from, absolute; undefined: nowhere. */
  readonly inputs: Setting<string | undefined>;
  readonly url: Setting<string | undefined>;
  readonly token: Setting<string | undefined>;
  /** A file of certificates by which the broker at `url` is known. */
  readonly ca: Setting<string | undefined>;
  readonly sites: readonly ConfiguredSite[];
}

/** A certificate and its private key, absolute. */
export interface TlsSettings {
  readonly cert: Setting<string>;
  readonly key: Setting<string>;
}

/** What the command line says; absent is not said. */
export interface Flags {
  /** Null: no file is read, wherever one may be. */
  readonly configuration?: string | null;
  readonly stateDirectory?: string;
  readonly port?: number | null;
}

/** The variables of an environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** In the clear nothing but this machine. */
const LOOPBACK = "127.0.0.1";
const DEFAULT: Origin = { kind: "default" };

/**
 * Reads all of them.
 *
 * @throws AggregateError of Faults, one for each thing that is wrong with the file; Fault `badPort`
 */
export async function readSettings(environment: Environment, flags: Flags = {}): Promise<Settings> {
  const { fileState } = await import("../formats/yaml/index.ts");
  return await settingsOf(environment, flags, fileState);
}

/**
 * The state directory, as a command needs it that only looks for the broker: the file is read where it
 * can count, and what it names besides need not be there.
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

/** Where the specification puts things; it wants a relative path to be passed over. */
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
    why: "it is a whole number from 0 to 65535, or none",
    remedy: "set for instance STINT_PORT=7846, STINT_PORT=0 for any that is free, or STINT_PORT=none",
  });
}
