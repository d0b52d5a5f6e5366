/** Address of a broker, and options of its connection. */

/** Address of a broker: its Unix domain socket, or its URL; without a token only its owner is admitted. */
export type BrokerPlace =
  | { readonly socketPath: string; readonly token?: string }
  /**
   * `https://`, or `http://` of this machine: tokens do not go over a network in the clear. `ca` has the
   * certificates in PEM by which the server is known, instead of the system's.
   */
  | { readonly url: string; readonly token: string; readonly ca?: string };

/** Options of a client. */
export type ClientOptions = BrokerPlace & {
  /** Time for which `watch` tries to reach a server that went away; default 30 s. */
  readonly patienceMs?: number;
};

/** Part of a file to read. */
export interface ReadOptions {
  /** First byte; default 0. */
  readonly from?: number;
  /** True to follow the file until the job has ended and all of it was sent. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

/** Part of what was written to a terminal. */
export interface ScreenOptions {
  /** Bytes of what was written before, at most. */
  readonly last: number;
  /** Hears how many bytes were left out, as they came faster than they were read. */
  readonly onSkip: (bytes: number) => void;
  readonly signal?: AbortSignal;
}
