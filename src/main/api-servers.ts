/** The two servers of a broker: callers at the socket are the owner, callers over TCP need a token. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
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
  type ServerOptions,
  type TcpPlace,
} from "../api/index.ts";
import { Fault } from "../base/index.ts";
import { systemClock, thisMachinesTime } from "../broker/index.ts";
import type { BrokerApi, LogArchiving, Simulations, Webhooks } from "../runtime/index.ts";
import { policyStudies } from "./policy-studies.ts";
import type { Settings } from "./settings.ts";
import { brokerSocket } from "./state-directory.ts";
import { certificateTrouble, readCertificate } from "./tls-certificate.ts";
import { readVersion } from "./version.ts";
import { workflowPlans } from "./workflow-plans.ts";

/** The page, beside the program as it was built. */
const PAGE = fileURLToPath(new URL("../../dist/web", import.meta.url));

/** Settings of the servers. */
export interface ApiSetting {
  readonly owner: Identity;
  readonly settings: Settings;
  /** Certificate of `settings.tls`, if configured. */
  readonly certificate: Certificate | undefined;
  /** Writes a message for the operator; a line with its newline. */
  readonly tell: (line: string) => void;
  readonly onError: (error: unknown) => void;
  /** Log of requests. */
  readonly log: NonNullable<ServerOptions["log"]>;
  /** Begins the stop of the broker. */
  readonly stop: () => void;
  readonly simulations: Simulations;
  readonly archiving: LogArchiving;
  readonly webhooks: Webhooks;
}

/** Servers before they listen. */
export interface ApiServers {
  /** Starts to listen; resolves with the addresses, for people. */
  listen(): Promise<string[]>;
  close(): Promise<void>;
}

/** Makes both servers. */
export function apiServers(brokerApi: BrokerApi, setting: ApiSetting): ApiServers {
  const { owner, settings, certificate, tell, onError, log, stop, simulations, archiving, webhooks } =
    setting;
  // What expires does so by the calendar, as it is set.
  const nowMs = thisMachinesTime.wallMs;
  const common = {
    version: readVersion(),
    mailDomains: settings.mail.value?.domains ?? [],
    onError,
    ...{ log, stop, simulations, archiving, webhooks },
    studies: policyStudies(settings.stateDirectory.value),
    planning: workflowPlans(),
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
    pageDirectory: PAGE,
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

/** Listens on a free port if the usual one is taken, perhaps by another user's broker. */
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

/** Reloads changed certificate files; reports a reload, and once each problem. */
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

/** Lowest limit of open files on any supported system. */
const USUAL_OPEN_FILES = 1024;
/** Largest useful number of connections. */
const MOST_CONNECTIONS = 1024;

/** `ulimit -n` of this process, or a usual one if the system does not show it. */
export function mostOpenFiles(): number {
  try {
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft ?? USUAL_OPEN_FILES);
  } catch {
    return USUAL_OPEN_FILES;
  }
}

/**
 * Connections over TCP and at the owner's socket. Each has its own number, so that clients over TCP cannot
 * lock out the owner; a quarter of the files is reserved for the log and the files of jobs.
 */
export function connectionsFor(openFiles: number): { readonly tcp: number; readonly socket: number } {
  const part = (share: number): number =>
    Math.min(MOST_CONNECTIONS, Math.max(8, Math.floor(openFiles * share)));
  return { tcp: part(1 / 2), socket: part(1 / 4) };
}
