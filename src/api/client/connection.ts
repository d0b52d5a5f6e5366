/**
 * HTTP over the broker's Unix socket, the loopback address, or TLS, with Node's own modules alone.
 *
 * A connection that is kept alive may be closed by the server at the moment it is used again; then the
 * request is sent once more on a new one, where sending it twice does no harm.
 */
import { Agent, type IncomingMessage, request } from "node:http";
import { request as requestByTls, Agent as TlsAgent } from "node:https";
import { type BrokerAddress, brokerAddress } from "./broker-address.ts";
import type { BrokerPlace } from "./options.ts";
import { answerFault, connectionFault, foreignAnswer, LostConnection } from "./server-fault.ts";

/** A request. */
export interface Question {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** True where sending twice has the same effect as once. */
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A connection to one broker. */
export interface Connection {
  /** Address for people: the path of the socket, or the URL. */
  readonly address: string;
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
    const { statusCode = 0 } = response;
    if (statusCode >= 200 && statusCode < 300) return response;
    throw answerFault(statusCode, await textOf(response, address));
  };
  return {
    address,
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
  const body = question.body === undefined ? undefined : JSON.stringify(question.body);
  const headers: Record<string, string> = { ...to.headers, ...question.headers };
  if (body !== undefined) {
    headers["content-type"] = "application/json";
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
