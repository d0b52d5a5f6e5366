/**
 * Limits on the connections of a server, each and in total, for any client: they apply before a caller is
 * identified. The requests of a connection are answered in order, each when the response before it was read,
 * so at most one response of a connection waits in memory. Node reads its buffer even when it has stopped
 * listening, so a client with too many waiting requests is told so, and its connection closed. A client that
 * does not read its responses is disconnected after a time. When all connections are taken, a new one
 * replaces the one that has been idle the longest.
 */
import type { Server as HttpServer, IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import { ProblemError } from "./problem.ts";

/** Limits on connections. */
export interface ConnectionLimits {
  /** Open connections. */
  readonly connections: number;
  /** Waiting requests of a connection while one is answered. */
  readonly waitingRequests: number;
  /** Unread bytes of responses, of all connections; beyond that the slowest are closed. */
  readonly unsentBytes: number;
  /** Time in which a client may read nothing, beside the time for its data at the slowest rate. */
  readonly writeMs: number;
  readonly slowestBytesPerSec: number;
  /** Interval of the search for clients that read nothing. */
  readonly lookMs: number;
}

/** Default limits. */
export const USUAL_CONNECTIONS: ConnectionLimits = {
  connections: 512,
  waitingRequests: 16,
  unsentBytes: 128 * 1024 * 1024,
  writeMs: 30_000,
  slowestBytesPerSec: 16 * 1024,
  lookMs: 1000,
};

/** Further open connections for a moment: while one is closed for another, and during TLS handshakes. */
const CONNECTIONS_BESIDES = 16;

/** Monotonic time. */
const nowMs = (): number => performance.now();

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  readonly socket: Socket;
  readonly waiting: Exchange[];
  isAnswering: boolean;
  /** True once the client was told of too many requests; its further data is ignored. */
  isLast: boolean;
  /** Since when its client has read nothing of its waiting data. */
  blockedSinceMs: number | undefined;
}

/** Limits on the connections of one server. */
export interface BoundConnections {
  /** Handler of the server's requests. */
  readonly listener: RequestListener;
  /** Watches the server's connections until it closes. */
  watch(server: HttpServer | HttpsServer): void;
}

/** Wraps `answer` in the limits. */
export function boundConnections(limits: ConnectionLimits, answer: RequestListener): BoundConnections {
  const bound = new Bound(limits, answer);
  return {
    listener: (request, response) => bound.take({ request, response }),
    watch: (server) => bound.watch(server),
  };
}

class Bound {
  readonly #limits: ConnectionLimits;
  readonly #answer: RequestListener;
  /** Connections by idle time, the longest first. */
  readonly #connections = new Map<Socket, Connection>();

  constructor(limits: ConnectionLimits, answer: RequestListener) {
    this.#limits = limits;
    this.#answer = answer;
  }

  watch(server: HttpServer | HttpsServer): void {
    server.maxConnections = this.#limits.connections + CONNECTIONS_BESIDES;
    const isTls = "setSecureContext" in server;
    server.on(isTls ? "secureConnection" : "connection", (socket: Socket) => this.#admit(socket));
    const looking = setInterval(() => this.#look(), this.#limits.lookMs);
    looking.unref();
    server.once("close", () => clearInterval(looking));
  }

  take(exchange: Exchange): void {
    const { socket } = exchange.request;
    const connection = this.#connections.get(socket) ?? this.#admit(socket);
    if (connection.isLast) return;
    if (connection.waiting.length >= this.#limits.waitingRequests) {
      connection.isLast = true;
      refuse(exchange.response, this.#limits.waitingRequests);
      return;
    }
    connection.waiting.push(exchange);
    this.#next(connection);
  }

  #admit(socket: Socket): Connection {
    if (this.#connections.size >= this.#limits.connections) {
      const idle = [...this.#connections.values()].find((it) => !it.isAnswering);
      (idle?.socket ?? socket).destroy();
      if (idle !== undefined) this.#connections.delete(idle.socket);
    }
    const connection: Connection = {
      socket,
      waiting: [],
      isAnswering: false,
      isLast: false,
      blockedSinceMs: undefined,
    };
    this.#connections.set(socket, connection);
    socket.on("drain", () => {
      connection.blockedSinceMs = undefined;
    });
    socket.once("close", () => {
      connection.waiting.length = 0;
      this.#connections.delete(socket);
    });
    return connection;
  }

  #next(connection: Connection): void {
    if (connection.isAnswering) return;
    const exchange = connection.waiting.shift();
    if (exchange === undefined) return;
    this.#makeRoom();
    const { request, response } = exchange;
    connection.isAnswering = true;
    response.once("close", () => {
      connection.isAnswering = false;
      this.#becomeNewest(connection);
      this.#next(connection);
    });
    this.#answer(request, response);
  }

  /** Marks the connection as the most recently idle. */
  #becomeNewest(connection: Connection): void {
    if (this.#connections.delete(connection.socket)) this.#connections.set(connection.socket, connection);
  }

  /** Closes the slowest connections while the unread data exceeds the limit. */
  #makeRoom(): void {
    let unsent = 0;
    for (const { socket } of this.#connections.values()) unsent += socket.writableLength;
    if (unsent <= this.#limits.unsentBytes) return;
    const now = nowMs();
    const since = ({ blockedSinceMs = now }: Connection): number => blockedSinceMs;
    const slowestFirst = [...this.#connections.values()].sort((a, b) => since(a) - since(b));
    for (const { socket } of slowestFirst) {
      if (unsent <= this.#limits.unsentBytes) return;
      if (socket.writableLength === 0) continue;
      unsent -= socket.writableLength;
      socket.destroy();
    }
  }

  /** Closes connections whose clients read nothing. */
  #look(): void {
    const { writeMs, slowestBytesPerSec } = this.#limits;
    for (const connection of this.#connections.values()) {
      const { socket } = connection;
      const unsent = socket.writableLength;
      connection.blockedSinceMs = unsent === 0 ? undefined : (connection.blockedSinceMs ?? nowMs());
      const patienceMs = writeMs + (unsent * 1000) / slowestBytesPerSec;
      const { blockedSinceMs } = connection;
      if (blockedSinceMs !== undefined && nowMs() - blockedSinceMs > patienceMs) socket.destroy();
    }
  }
}

function refuse(response: ServerResponse, most: number): void {
  const { problem } = new ProblemError({
    status: 429,
    code: "tooManyPipelined",
    what: "too many pending requests on this connection",
    why: `at most ${most} requests may be pending on a connection while one is processed`,
    remedy: "wait for responses before sending more requests, or use several connections",
  });
  response.writeHead(429, { "content-type": "application/problem+json", connection: "close" });
  response.end(JSON.stringify(problem));
}
