/**
 * What connections may take of a server, each of them and all together, whoever they are: this holds
 * before anybody has shown a token.
 *
 * The requests of a connection are answered one after the other, each when the answer before it has been
 * taken, so at most one answer of a connection waits in memory. Node reads what is in its buffer even when
 * it has stopped listening, so whoever sends more requests at a time than are kept waiting is told so, and
 * the connection ends. A client that does not take its answers is left after a time. When all connections
 * are taken a new one takes the place of the one that has been idle the longest.
 */
import type { Server as HttpServer, IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import { ProblemError } from "./problem.ts";

/** How much is allowed. */
export interface ConnectionLimits {
  /** Connections at a time. */
  readonly connections: number;
  /** Requests of a connection that wait while one is answered. */
  readonly waitingRequests: number;
  /** Bytes of answers that nobody has taken yet, of all connections; beyond that the slowest are left. */
  readonly unsentBytes: number;
  /** So long a client may take nothing, and besides the time for what waits at the slowest rate. */
  readonly writeMs: number;
  readonly slowestBytesPerSec: number;
  /** How often is looked for clients that take nothing. */
  readonly lookMs: number;
}

/** What is usual. */
export const USUAL_CONNECTIONS: ConnectionLimits = {
  connections: 512,
  waitingRequests: 16,
  unsentBytes: 128 * 1024 * 1024,
  writeMs: 30_000,
  slowestBytesPerSec: 16 * 1024,
  lookMs: 1000,
};

/** More are open for a moment: while one is closed for another, and while TLS is agreed on. */
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
  /** It has been told that it asks too much at a time; what it sends besides is not heard. */
  isLast: boolean;
  /** Since when its client has taken nothing of what waits for it. */
  blockedSinceMs: number | undefined;
}

/** Keeps the connections of one server within limits. */
export interface BoundConnections {
  /** What the server is to call for its requests. */
  readonly listener: RequestListener;
  /** Begins to watch the server's connections, until it is closed. */
  watch(server: HttpServer | HttpsServer): void;
}

/** Stands before `answer`. */
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
  /** The one that has been idle the longest comes first. */
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

  /** Of those that are idle this one will be closed last. */
  #becomeNewest(connection: Connection): void {
    if (this.#connections.delete(connection.socket)) this.#connections.set(connection.socket, connection);
  }

  /** Leaves those that have taken nothing for the longest while more waits to be taken than may. */
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

  /** Leaves clients that take nothing. */
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
    what: "this connection asks too much at a time",
    why: `${most} requests may wait on a connection while one is answered`,
    remedy: "wait for answers before asking more, or use several connections",
  });
  response.writeHead(429, { "content-type": "application/problem+json", connection: "close" });
  response.end(JSON.stringify(problem));
}
