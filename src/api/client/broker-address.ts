/**
 * Address of a broker, as `node:http` and `node:https` take it. Without TLS only addresses of this machine
 * are accepted: on a network a token in clear text could be read.
 */
import { Fault } from "../../base/index.ts";
import type { BrokerPlace } from "./options.ts";

/** Address for requests, and headers of all of them. */
export interface BrokerAddress {
  /** Address for people. */
  readonly address: string;
  readonly target: { readonly socketPath: string } | { readonly host: string; readonly port: number };
  /** Trusted certificates; null without TLS. */
  readonly tls: { readonly ca?: string } | null;
  readonly headers: Readonly<Record<string, string>>;
}

const localHosts = ["localhost", "127.0.0.1", "[::1]"];

/** Parses an address. @throws Fault `urlWrong`, `tokenUnreadable` */
export function brokerAddress(place: BrokerPlace): BrokerAddress {
  const token = place.token?.trim();
  if (token !== undefined && !/^[!-~]+$/.test(token)) throw tokenUnreadable();
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  if ("socketPath" in place) {
    return { address: place.socketPath, target: { socketPath: place.socketPath }, tls: null, headers };
  }
  const url = URL.canParse(place.url) ? new URL(place.url) : undefined;
  const isHidden = url?.protocol === "https:";
  const isHere = url?.protocol === "http:" && localHosts.includes(url.hostname);
  if (url === undefined || url.pathname !== "/" || !(isHidden || isHere)) throw urlWrong(place.url);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port || (isHidden ? 443 : 80));
  const tls = place.ca === undefined ? {} : { ca: place.ca };
  return { address: url.origin, target: { host, port }, tls: isHidden ? tls : null, headers };
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
    why: "it is https://, or http:// and this machine (127.0.0.1 or localhost), and ends with the port",
    remedy: "set STINT_URL to what stint up prints, for instance http://127.0.0.1:7846",
  });
}
