/** Sending to a syslog receiver: datagrams (RFC 5426), or a connection with counted frames (RFC 6587). */
import { createSocket } from "node:dgram";
import { connect, type Socket } from "node:net";

/** A receiver of messages. */
export interface SyslogTarget {
  /** Sends messages in order; resolves when the operating system has accepted all of them. */
  send(messages: readonly Buffer[]): Promise<void>;
  close(): void;
}

const TIMEOUT_MS = 10_000;

/** A target of the form `udp://HOST:PORT` or `tcp://HOST:PORT`. */
export function syslogTarget(address: string, timeoutMs = TIMEOUT_MS): SyslogTarget {
  const { protocol, hostname, port } = new URL(address);
  const place = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
  return protocol === "udp:" ? datagrams(place) : connection(place, timeoutMs);
}

interface Place {
  readonly host: string;
  readonly port: number;
}

function datagrams({ host, port }: Place): SyslogTarget {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4").unref();
  // `send` reports errors of single messages.
  socket.on("error", () => undefined);
  const sendOne = (message: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      socket.send(message, port, host, (error) => (error === null ? resolve() : reject(error)));
    });
  return {
    async send(messages) {
      for (const message of messages) await sendOne(message);
    },
    close: () => socket.close(),
  };
}

function connection({ host, port }: Place, timeoutMs: number): SyslogTarget {
  let open: Socket | undefined;
  const opened = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port });
      const late = setTimeout(() => socket.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      socket.once("error", reject);
      socket.once("connect", () => {
        clearTimeout(late);
        socket.removeListener("error", reject);
        socket.on("error", () => undefined);
        socket.on("close", () => {
          if (open === socket) open = undefined;
        });
        // Receivers send nothing, but only a socket that is read reports its end.
        socket.resume();
        resolve(socket.unref());
      });
      socket.once("close", () => clearTimeout(late));
    });
  return {
    async send(messages) {
      open ??= await opened();
      const frames = messages.flatMap((message) => [Buffer.from(`${message.length} `), message]);
      await written(open, Buffer.concat(frames), timeoutMs);
    },
    close: () => open?.destroy(),
  };
}

function written(socket: Socket, bytes: Buffer, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => socket.destroy(new Error(`the connection accepted no data within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const ended = (): void => reject(new Error("the connection was closed"));
    socket.once("close", ended);
    socket.write(bytes, (error) => {
      clearTimeout(late);
      socket.removeListener("close", ended);
      if (error) reject(error);
      else resolve();
    });
  });
}
