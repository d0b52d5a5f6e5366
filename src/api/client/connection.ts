/**
 * HTTP over the broker's Unix socket, the loopback address, or TLS, with Node's own modules alone.
 *
 * A connection that is kept alive may be closed by the server at the moment it is used again; then the
 * request is sent once more on a new one, where sending it twice does no harm.
 */
import { Agent, type IncomingMessage, request } from "node:http";
import { request as requestByTls, Agent as TlsAgent } from "node:https";
import { Fault } from "../../base/index.ts";
import type { BrokerPlace } from "./options.ts";
import { answerFault, connectionFault, foreignAnswer, LostConnection } from "./server-fault.ts";

/** A request. */
export interface Question {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as they are. */
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** True where sending twice has the same effect as once. */
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A connection to one broker. */
export interface Connection {
  /** Address for people: the path of the socket, or the URL. */
  readonly address: string;
  /** True where the address is of another machine. */
  readonly isElsewhere: boolean;
  /** True if the broker has responded to any request. */
  hasAnswered(): boolean;
  /** Response as JSON. */
  json(question: Question): Promise<unknown>;
  /** Response as a stream, which the caller must read or destroy. */
  open(question: Question): Promise<IncomingMessage>;
  close(): void;
}

/** A connection that is opened on first use. */
export function connect(place: BrokerPlace): Connection {
  const to = brokerAddress(place);
  const { address } = to;
  const agent = to.tls === null ? new Agent({ keepAlive: true }) : new TlsAgent({ keepAlive: true });
  let hasAnswered = false;
  const ask = async (question: Question): Promise<IncomingMessage> => {
    try {
      return await send(agent, to, question);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      if (!question.isRepeatable) throw new LostConnection(address, error.cause);
      return await send(undefined, to, question);
    }
  };
  const open = async (question: Question): Promise<IncomingMessage> => {
    const response = await ask(question);
    hasAnswered = true;
    const { statusCode = 0 } = response;
    if (statusCode >= 200 && statusCode < 300) return response;
    throw answerFault(statusCode, await textOf(response, address));
  };
  return {
    address,
    isElsewhere: "host" in to.target && !LOCAL_HOSTS.includes(to.target.host),
    hasAnswered: () => hasAnswered,
    open,
    async json(question) {
      const text = await textOf(await open(question), address);
      try {
        return JSON.parse(text);
      } catch {
        throw foreignAnswer("something that is not JSON");
      }
    },
    close: () => agent.destroy(),
  };
}

/** A kept-alive connection that was closed before any of the response. */
class StaleConnection extends Error {}

/** Sends a request; on a new connection where `agent` is absent. */
function send(agent: Agent | undefined, to: BrokerAddress, question: Question): Promise<IncomingMessage> {
  const { method, path, signal } = question;
  const { bytes } = question;
  const body = bytes ?? (question.body === undefined ? undefined : JSON.stringify(question.body));
  const headers: Record<string, string> = { ...to.headers, ...question.headers };
  if (body !== undefined) {
    headers["content-type"] = bytes === undefined ? "application/json" : "application/octet-stream";
    headers["content-length"] = String(Buffer.byteLength(body));
  }
  const way = { ...to.target, ...to.tls, method, path, headers, agent: agent ?? (false as const) };
  const call = { ...way, ...(signal && { signal }) };
  return new Promise((resolve, reject) => {
    const asked = to.tls === null ? request(call) : requestByTls(call);
    asked.once("response", resolve);
    // Stays: errors after the answer began belong to whoever reads it.
    asked.on("error", (error: NodeJS.ErrnoException) => {
      if (signal?.aborted) reject(signal.reason);
      else if (asked.reusedSocket && error.code === "ECONNRESET") {
        reject(new StaleConnection("closed meanwhile", { cause: error }));
      } else reject(connectionFault(to.address, error));
    });
    asked.end(body);
  });
}

async function textOf(response: IncomingMessage, address: string): Promise<string> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of response) parts.push(part);
    return Buffer.concat(parts).toString("utf8");
  } catch (error) {
    throw new LostConnection(address, error);
  }
}

// Address of a broker, as `node:http` and `node:https` take it. Without TLS only addresses of this
// machine are accepted: on a network a token in clear text could be read.

/** Address for requests, and headers of all of them. */
interface BrokerAddress {
  /** Address for people. */
  readonly address: string;
  readonly target: { readonly socketPath: string } | { readonly host: string; readonly port: number };
  /** Trusted certificates; null without TLS. */
  readonly tls: { readonly ca?: string } | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Names of this machine, as a target has them. */
const LOCAL_HOSTS = ["localhost", "127.0.0.1", "::1"];

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
  const host = url?.hostname.replace(/^\[|\]$/g, "") ?? "";
  const isHere = url?.protocol === "http:" && LOCAL_HOSTS.includes(host);
  if (url === undefined || url.pathname !== "/" || !(isHidden || isHere)) throw urlWrong(place.url);
  const port = Number(url.port || (isHidden ? 443 : 80));
  const tls = place.ca === undefined ? {} : { ca: place.ca };
  return { address: url.origin, target: { host, port }, tls: isHidden ? tls : null, headers };
}

function tokenUnreadable(): Fault {
  return new Fault({
    kind: "badInput",
    code: "tokenUnreadable",
    what: "the token is malformed",
    why: "it is empty, or has spaces or characters that no token contains",
    remedy: "set STINT_TOKEN to the whole token that stint token create printed, which begins with stint_",
  });
}

function urlWrong(url: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "urlWrong",
    what: `${JSON.stringify(url)} is not a valid broker address`,
    why: "an address is https://HOST:PORT, or http://localhost:PORT for a broker on this machine",
    remedy: "set STINT_URL to what stint up prints, for instance http://127.0.0.1:7846",
  });
}
