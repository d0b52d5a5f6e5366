/** State directory and socket of a broker: the common rule of the broker and its commands. */
import { join } from "node:path";
import { Fault } from "../base/index.ts";
import type { BrokerPlace } from "../cli/index.ts";

/** File with the owner's token, written by the first start of a broker. */
export function adminTokenFile(directory: string): string {
  return join(directory, "admin.token");
}

/** Directory of the simulations that a broker ran for people. */
export function simulationsDirectory(directory: string): string {
  return join(directory, "simulations");
}

/** Directory of archived events, unless others are named. */
export function archiveDirectory(directory: string): string {
  return join(directory, "archive");
}

/** Settings that locate the broker. */
export interface Whereabouts {
  readonly stateDirectory: string;
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  /** Certificates in PEM that authenticate the server at the URL; absent: the system's. */
  readonly ca?: string | undefined;
}

/**
 * Location of the broker: the URL with the token, else the socket of the state directory. A token applies
 * there too, so that a command never has more rights than its token.
 *
 * @throws Fault `tokenMissing` for a URL without a token, `urlWrong` for a text that is none
 */
export function brokerPlace({ stateDirectory, url, token, ca }: Whereabouts): BrokerPlace {
  if (url && token) return ca === undefined ? { url, token } : { url, token, ca };
  const socketPath = brokerSocket(stateDirectory);
  if (!url) return token ? { socketPath, token } : { socketPath };
  if (!URL.canParse(url)) throw noUrl(url);
  throw new Fault({
    kind: "badInput",
    code: "tokenMissing",
    what: `cannot query the broker at ${url}`,
    why: "STINT_URL is set but STINT_TOKEN is not, and a broker at a URL accepts only requests with a token",
    remedy: "set STINT_TOKEN; the broker's owner has one in the file admin.token of its state directory",
  });
}

function noUrl(url: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "urlWrong",
    what: `cannot query the broker at ${JSON.stringify(url)}`,
    why: "STINT_URL is not a URL",
    remedy: "set STINT_URL to the address that stint up prints, for instance http://127.0.0.1:7846",
  });
}

/** Socket of the broker of a state directory. */
export function brokerSocket(directory: string): string {
  return join(directory, "stint.sock");
}
