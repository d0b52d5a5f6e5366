/**
 * The Unix domain socket, whose callers are its owner. The socket is 0600 in a directory of 0700, so at no
 * moment can others connect, not even between its creation and its restriction. A socket file that does not
 * answer is left from a broker that died, and is taken over; the lock on the state directory, held elsewhere,
 * prevents two brokers from doing so at once.
 */
import { chmod, lstat, mkdir, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { dirname } from "node:path";
import type { FastifyInstance } from "fastify";
import { Fault, messageOf } from "../base/index.ts";

/** Limit of the system on the path of a socket. */
const pathLimitBytes = process.platform === "linux" ? 107 : 103;

/**
 * Listens on `path`; closing the server removes the file.
 *
 * @throws Fault `socketInUse`, `socketPathTooLong`, `socketPathTaken`, `socketDirectoryOpen`,
 * `socketImpossible`
 */
export async function listenOnSocket(server: FastifyInstance, path: string): Promise<void> {
  if (Buffer.byteLength(path) > pathLimitBytes) throw tooLong(path);
  await closedDirectory(dirname(path));
  await clearStale(path);
  try {
    await server.listen({ path });
    await chmod(path, 0o600);
  } catch (error) {
    throw impossible(path, error);
  }
}

async function closedDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw impossible(directory, error);
  });
  const { mode } = await lstat(`${directory}/.`);
  if ((mode & 0o077) === 0) return;
  throw new Fault({
    kind: "refused",
    code: "socketDirectoryOpen",
    what: `no socket can be opened in ${directory}`,
    why: "other users may enter this directory, and everybody who opens the socket acts as its owner",
    remedy: `restrict it: chmod 700 ${directory}`,
  });
}

async function clearStale(path: string): Promise<void> {
  const there = await lstat(path).catch(() => undefined);
  if (there === undefined) return;
  if (!there.isSocket()) throw taken(path);
  if (await answersAt(path)) throw inUse(path);
  await rm(path, { force: true });
}

/** True unless it is clear that nothing listens. */
function answersAt(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(path);
    connection.once("connect", () => {
      connection.destroy();
      resolve(true);
    });
    connection.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code !== "ECONNREFUSED" && error.code !== "ENOENT");
    });
  });
}

function tooLong(path: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "socketPathTooLong",
    what: `the socket path ${path} is too long`,
    why: `the system allows ${pathLimitBytes} bytes for the path of a socket`,
    remedy: "choose a state directory with a shorter path",
  });
}

function taken(path: string): Fault {
  return new Fault({
    kind: "refused",
    code: "socketPathTaken",
    what: `no socket can be opened at ${path}`,
    why: "the path exists and is not a socket",
    remedy: "move that file, or choose another state directory",
  });
}

function inUse(path: string): Fault {
  return new Fault({
    kind: "refused",
    code: "socketInUse",
    what: "another broker is running here",
    why: `a broker is listening at ${path}`,
    remedy: "use that one, or stop it first",
  });
}

function impossible(path: string, cause: unknown): Fault {
  return new Fault({
    kind: "failed",
    code: "socketImpossible",
    what: `the socket at ${path} could not be opened`,
    why: messageOf(cause),
    remedy: "check that the directory is writable and on a local file system",
    cause,
  });
}
