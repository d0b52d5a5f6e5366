/**
 * What a `stint.yaml` says: settings with the lines that say them. What it leaves out is absent, or has
 * its default where that depends on nothing else.
 */
import type { ManagedSiteSpec, SimulatedSiteSpec, SlurmSiteSpec } from "../../model/index.ts";

/** A value and the line, from 1, that says it. */
export interface Said<Value> {
  readonly value: Value;
  readonly line: number;
}

/** The files, absolute, of the certificate that a server is known by and of its key. */
interface TlsFiles {
  readonly cert: Said<string>;
  readonly key: Said<string>;
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
  /** Absent: in the clear. */
  readonly tls?: TlsFiles;
}

/** This machine as it is configured; what it has is only known there. */
type ManagedSettings = Omit<ManagedSiteSpec, "procs" | "memoryBytes"> &
  Partial<Pick<ManagedSiteSpec, "procs" | "memoryBytes">>;

/** A cluster under Slurm as it is configured; how large it is it says itself where the file does not. */
type SlurmSettings = Omit<SlurmSiteSpec, "procs" | "memoryBytes"> &
  Partial<Pick<SlurmSiteSpec, "procs" | "memoryBytes">>;

/** One of `sites`. */
export interface ConfiguredSite {
  readonly name: string;
  /** Where it begins. */
  readonly line: number;
  readonly settings: ManagedSettings | SimulatedSiteSpec | SlurmSettings;
  /** The line of each setting that is said, by its path in the file: `procs`, `background.trace`. */
  readonly lines: ReadonlyMap<string, number>;
}

/** A whole file. */
export interface Configuration {
  readonly server: ServerSettings;
  readonly sites: readonly ConfiguredSite[];
}
