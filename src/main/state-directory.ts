/**
 * Where a broker keeps everything, and where its socket is: the one rule by which it and the commands
 * find each other.
 */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { Fault } from "../base/index.ts";
import type { BrokerPlace } from "../cli/index.ts";

/** `$STINT_STATE`, or `~/.local/state/stint`; absolute. */
export function stateDirectory(environment: Readonly<Record<string, string | undefined>>): string {
  const { STINT_STATE } = environment;
  return STINT_STATE ? resolve(STINT_STATE) : join(homedir(), ".local", "state", "stint");
}

/** Where the first start of a broker leaves a token for its owner. */
export function adminTokenFile(directory: string): string {
  return join(directory, "admin.token");
}

/**
 * The broker that the environment names: `$STINT_URL` with `$STINT_TOKEN`, else the socket of the state
 * directory. A token counts there too, so that it never quietly does more than it may.
 */
export function brokerPlace(environment: Readonly<Record<string, string | undefined>>): BrokerPlace {
  const { STINT_URL: url, STINT_TOKEN: token } = environment;
  if (url && token) return { url, token };
  const socketPath = brokerSocket(stateDirectory(environment));
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
