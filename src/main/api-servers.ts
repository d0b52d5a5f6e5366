/**
 * The two servers of a broker before one broker: the socket takes its caller for the owner, TCP asks
 * everybody for a token.
 */
import { readFileSync } from "node:fs";
import {
  byToken,
  type Certificate,
  createServer,
  DEFAULT_PORT,
  denialLog,
  followCertificate,
  type Identity,
  listenOnSocket,
  listenOnTcp,
  type TcpPlace,
} from "../api/index.ts";
import { Fault } from "../base/index.ts";
import { systemClock, thisMachinesTime } from "../broker/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import type { Settings } from "./settings.ts";
import { brokerSocket } from "./state-directory.ts";
import { certificateTrouble, readCertificate } from "./tls-certificate.ts";
import { readVersion } from "./version.ts";

/** What the servers are started with. */
export interface ApiSetting {
  readonly owner: Identity;
  readonly settings: Settings;
  /** The one of `settings.tls`, where there is any. */
  readonly certificate: Certificate | undefined;
  /** Says what people should know; a line with its end. */
  readonly tell: (line: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Servers that do not listen yet. */
export interface ApiServers {
  /** Where they are, for people. */
  listen(): Promise<string[]>;
  close(): Promise<void>;
}

/** Makes both. */
export function apiServers(brokerApi: BrokerApi, setting: ApiSetting): ApiServers {
  const { owner, settings, certificate, tell, onError } = setting;
  // What expires does so by the calendar, as it is set.
  const nowMs = thisMachinesTime.wallMs;
  const common = {
    version: readVersion(),
    onError,
    onDenial: denialLog(brokerApi, { nowMs, onError }),
    nowMs,
  };
  const connections = connectionsFor(mostOpenFiles());
  const onSocket = createServer(brokerApi, {
    ...common,
    connections: { connections: connections.socket },
    identify: byToken(brokerApi, { nowMs, withoutToken: owner }),
  });
  const onTcp = createServer(brokerApi, {
    ...common,
    connections: { connections: connections.tcp },
    isLoopback: certificate === undefined,
    tls: certificate,
    identify: byToken(brokerApi, { nowMs }),
  });
  let unfollow = (): void => {};
  return {
    async listen() {
      const socket = brokerSocket(settings.stateDirectory.value);
      await listenOnSocket(onSocket, socket);
      const port = settings.port.value;
      if (port === null) return [socket];
      const url = await listenAnywhere(onTcp, { host: settings.host.value, port, certificate });
      const { tls } = settings;
      if (tls !== undefined && certificate !== undefined) {
        unfollow = follow(onTcp, { tls, served: certificate, tell });
      }
      return [socket, url];
    },
    async close() {
      unfollow();
      await Promise.all([onSocket.close(), onTcp.close()]);
    },
  };
}

type Server = Parameters<typeof listenOnTcp>[0];

/** A second broker on this machine, perhaps another user's, must not keep this one from starting. */
async function listenAnywhere(
  server: Server,
  { port, ...place }: Omit<TcpPlace, "port"> & { readonly port: number | undefined },
): Promise<string> {
  try {
    return await listenOnTcp(server, { ...place, port: port ?? DEFAULT_PORT });
  } catch (error) {
    const isTaken = error instanceof Fault && error.code === "portInUse";
    if (port === undefined && isTaken) return await listenOnTcp(server, { ...place, port: 0 });
    throw error;
  }
}

/** New files are told of, and so is, once, what keeps them from being used. */
function follow(
  server: Server,
  { tls, served, tell }: { tls: NonNullable<Settings["tls"]>; served: Certificate; tell: ApiSetting["tell"] },
): () => void {
  return followCertificate(server, {
    served,
    read: () => readCertificate(tls),
    onRead: (read) => {
      if (read instanceof Fault) {
        const { what, why, remedy } = read;
        tell(`stint: the certificate stays as it was: ${what}\n  why: ${why}\n  do:  ${remedy}\n`);
        return;
      }
      const trouble = certificateTrouble(read, systemClock.nowMs());
      tell(`stint: a new certificate is served${trouble === undefined ? "" : `, but ${trouble}`}\n`);
    },
  });
}

/** What any system allows at the least that is named nowhere here. */
const USUAL_OPEN_FILES = 1024;
/** More connections than these are of no use to one broker. */
const MOST_CONNECTIONS = 1024;

/** `ulimit -n` of this process; a usual one where the system does not tell. */
export function mostOpenFiles(): number {
  try {
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft ?? USUAL_OPEN_FILES);
  } catch {
    return USUAL_OPEN_FILES;
  }
}

/**
 * Connections over TCP, where anybody may come, and at the socket of the owner: each its own, so that
 * however many come over TCP the owner is heard; a quarter is left for the log and the files of jobs.
 */
export function connectionsFor(openFiles: number): { readonly tcp: number; readonly socket: number } {
  const part = (share: number): number =>
    Math.min(MOST_CONNECTIONS, Math.max(8, Math.floor(openFiles * share)));
  return { tcp: part(1 / 2), socket: part(1 / 4) };
}
