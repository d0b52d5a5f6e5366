/** Clients that attack the broker's socket and disconnect. */
import { createConnection } from "node:net";

const GONE_AFTER_MS = 300;
const SLOW_GONE_AFTER_MS = 3000;
const SLOW_PIECE_MS = 50;

/** Data that they send, by name; none is a complete permitted request. */
export const HOSTILE = {
  "half a request": "POST /api/v1/jobs HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{",
  garbage: "\u0000\u0001 this is no protocol\r\n\r\n",
  "requests that nobody reads": "GET /api/v1/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(100),
  "half a surrogate pair":
    "POST /api/v1/jobs HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n" +
    'content-length: 23\r\n\r\n{"executable":"\\ud800"}',
} as const;

/** Request that a slow client sends byte by byte. */
const SLOW = "POST /api/v1/jobs HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{";

/** Connects, sends, reads nothing, and disconnects. */
export function sendHostile(socketPath: string, kind: keyof typeof HOSTILE): void {
  const connection = createConnection(socketPath, () => connection.write(HOSTILE[kind]));
  connection.on("error", () => connection.destroy());
  connection.pause();
  setTimeout(() => connection.destroy(), GONE_AFTER_MS).unref();
}

/** Starts this many clients that send slowly and read nothing. */
export function sendSlow(socketPath: string, clients: number): void {
  for (let one = 0; one < clients; one++) {
    const connection = createConnection(socketPath);
    connection.on("error", () => connection.destroy());
    connection.pause();
    let sent = 0;
    const next = setInterval(() => connection.write(SLOW[sent++ % SLOW.length]), SLOW_PIECE_MS);
    connection.once("close", () => clearInterval(next));
    setTimeout(() => connection.destroy(), SLOW_GONE_AFTER_MS).unref();
  }
}
