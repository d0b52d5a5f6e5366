/**
 * Where a broker is, and how it is reached.
 */

/** Where a broker is: its Unix domain socket, or its URL; without a token only its owner is let in. */
export type BrokerPlace =
  | { readonly socketPath: string; readonly token?: string }
  /**
   * `https://`, or `http://` of this machine: tokens do not go over a network in the clear. `ca` has the
   * certificates in PEM by which the server is known, instead of the system's.
   */
  | { readonly url: string; readonly token: string; readonly ca?: string };

/** How to reach a broker. */
export type ClientOptions = BrokerPlace & {
  /** How long `watch` goes on trying to reach a server that went away; default 30 s. */
  readonly patienceMs?: number;
};

/** Which part of a file to read. */
export interface ReadOptions {
  /** From this byte on; default 0. */
  readonly from?: number;
  /** Wait for more until the job is over and all of it has been sent. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}
