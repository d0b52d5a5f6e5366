/**
 * Where a broker keeps everything, and where its socket is: the one rule by which it and the commands
 * find each other.
 */
import { join } from "node:path";
import { Fault } from "../base/index.ts";
import type { BrokerPlace } from "../cli/index.ts";

/** Where the first start of a broker leaves a token for its owner. */
export function adminTokenFile(directory: string): string {
  return join(directory, "admin.token");
}

/** What says where the broker is. */
export interface Whereabouts {
  readonly stateDirectory: string;
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  /** Certificates in PEM by which the server at the URL is known; absent: the system's. */
  readonly ca?: string | undefined;
}

/**
 * The broker that is meant: at the URL with the token, else at the socket of the state directory. A token
 * counts there too, so that it never quietly does more than it may.
 *
 * @throws Fault `tokenMissing` for a URL without a token
 */
export function brokerPlace({ stateDirectory, url, token, ca }: Whereabouts): BrokerPlace {
  if (url && token) return ca === undefined ? { url, token } : { url, token, ca };
  const socketPath = brokerSocket(stateDirectory);
  if (!url) return token ? { socketPath, token } : { socketPath };
  throw new Fault({
    kind: "badInput",
    code: "tokenMissing",
    what: `nothing can be asked of ${url}`,
    why: "STINT_URL is set and STINT_TOKEN is not, and a broker answers there only to who has a token",
    remedy: "set STINT_TOKEN; the broker's owner has one in the file admin.token of its state directory",
  });
}

/** The socket on which the broker of a state directory listens. */
export function brokerSocket(directory: string): string {
  return join(directory, "stint.sock");
}
