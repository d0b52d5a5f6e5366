/**
 * Settings of a `stint.yaml`, with their lines. An omitted setting is absent, or has its default where that
 * depends on nothing else.
 */
import type {
  ExecSiteSpec,
  LogFormat,
  LogLevel,
  ManagedSiteSpec,
  SimulatedSiteSpec,
  SlurmSiteSpec,
} from "../../model/index.ts";

/** A value and its line, from 1. */
export interface Said<Value> {
  readonly value: Value;
  readonly line: number;
}

/** The files, absolute, of the certificate that a server is known by and of its key. */
interface TlsFiles {
  readonly cert: Said<string>;
  readonly key: Said<string>;
}

/** The section `server.log`. */
interface LogOfServer {
  readonly level?: Said<LogLevel>;
  readonly format?: Said<LogFormat>;
  /** Absolute. */
  readonly file?: Said<string>;
}

/** Settings of mail. */
export interface MailOfServer {
  readonly sendmail?: string;
  readonly from: string;
  readonly domains: readonly string[];
}

/** The section `server`. */
export interface ServerSettings {
  /** Absolute. */
  readonly stateDirectory?: Said<string>;
  /** Null: none. */
  readonly port?: Said<number | null>;
  /** The address to listen on; beyond this machine only with `tls`. */
  readonly host?: Said<string>;
  /** Where callers known by a token may have input files taken from, absolute. */
  readonly inputs?: Said<string>;
  /** Age of events, in ms, at which they leave the log for archives. */
  readonly retentionMs?: Said<number>;
  /** For how long after their end the files and the records of jobs are kept, in ms. */
  readonly jobFilesMs?: Said<number>;
  readonly jobRecordsMs?: Said<number>;
  /** Settings of mail; absent: no mail is sent. */
  readonly mail?: Said<MailOfServer>;
  /** Address to which the audit is sent; absent: none. */
  readonly syslog?: Said<string>;
  readonly log?: LogOfServer;
  /** Absent: in the clear. */
  readonly tls?: TlsFiles;
}

/** This machine as it is configured; what it has is only known there. */
type ManagedSettings = Omit<ManagedSiteSpec, "procs" | "memoryBytes"> &
  Partial<Pick<ManagedSiteSpec, "procs" | "memoryBytes">>;

/** A cluster under Slurm as configured; omitted sizes are those that the cluster reports. */
type SlurmSettings = Omit<SlurmSiteSpec, "procs" | "memoryBytes"> &
  Partial<Pick<SlurmSiteSpec, "procs" | "memoryBytes">>;

/** A batch system behind a program as configured; omitted sizes are those that the program describes. */
type ExecSettings = Omit<ExecSiteSpec, "procs" | "memoryBytes"> &
  Partial<Pick<ExecSiteSpec, "procs" | "memoryBytes">>;

/** One of `sites`. */
export interface ConfiguredSite {
  readonly name: string;
  /** First line of the site. */
  readonly line: number;
  readonly settings: ManagedSettings | SimulatedSiteSpec | SlurmSettings | ExecSettings;
  /** Line of each given setting by its path in the file: `procs`, `background.trace`. */
  readonly lines: ReadonlyMap<string, number>;
}

/** A whole file. */
export interface Configuration {
  readonly server: ServerSettings;
  readonly sites: readonly ConfiguredSite[];
}
