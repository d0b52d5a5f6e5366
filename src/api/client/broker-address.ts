/**
 * Where a broker is, as `node:http` wants it.
 *
 * A URL is of this machine: a token in the clear on a network would be anybody's. TLS will open others.
 */
import { Fault } from "../../base/index.ts";
import type { BrokerPlace } from "./types.ts";

/** Where to send requests, and what all of them carry. */
export interface BrokerAddress {
  /** For people. */
  readonly address: string;
  readonly target: { readonly socketPath: string } | { readonly host: string; readonly port: number };
  readonly headers: Readonly<Record<string, string>>;
}

const localHosts = ["localhost", "127.0.0.1", "[::1]"];

/** Reads a place. @throws Fault `urlWrong`, `tokenUnreadable` */
export function brokerAddress(place: BrokerPlace): BrokerAddress {
  const token = place.token?.trim();
  if (token !== undefined && !/^[!-~]+$/.test(token)) throw tokenUnreadable();
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  if ("socketPath" in place) {
    return { address: place.socketPath, target: { socketPath: place.socketPath }, headers };
  }
  const url = URL.canParse(place.url) ? new URL(place.url) : undefined;
  if (url?.protocol !== "http:" || !localHosts.includes(url.hostname) || url.pathname !== "/") {
    throw urlWrong(place.url);
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { address: url.origin, target: { host, port: Number(url.port || 80) }, headers };
}

function tokenUnreadable(): Fault {
  return new Fault({
    kind: "badInput",
    code: "tokenUnreadable",
    what: "the token cannot be one",
    why: "it is empty, or has blanks or letters that no token has",
    remedy: "set STINT_TOKEN to all of what stint token create printed, which begins with stint_",
  });
}

function urlWrong(url: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "urlWrong",
    what: `${JSON.stringify(url)} is not the address of a broker`,
    why: "it is http:// and this machine (127.0.0.1 or localhost), with a port",
    remedy: "set STINT_URL to what stint up prints, for instance http://127.0.0.1:7846",
  });
}
