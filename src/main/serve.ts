/**
 * Wires a broker: the logbook on disk, this machine as a site, the API on a socket and on the
 * loopback address.
 */
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import {
  byToken,
  createServer,
  DEFAULT_PORT,
  denialLog,
  type Identity,
  listenOnLoopback,
  listenOnSocket,
} from "../api/index.ts";
import { Fault } from "../base/index.ts";
import { type Broker, sandboxesIn, startBroker, systemClock } from "../broker/index.ts";
import type { Up } from "../cli/index.ts";
import type { ManagedSiteSpec } from "../model/index.ts";
import { type Door, type ManagedSite, projectLog, VIEWS, VIEWS_VERSION } from "../runtime/index.ts";
import { openManagedSite } from "../sites/managed/index.ts";
import { openSqliteLogbook, rebuildViews } from "../store/index.ts";
import { giveAdminToken } from "./admin-token.ts";
import { adminTokenFile, brokerSocket, stateDirectory } from "./state-directory.ts";
import { readVersion } from "./version.ts";

/** The name of this machine as a site. */
const SITE = "local";
/** The time limit of jobs that name none: long enough not to surprise whoever works on this machine. */
const DEFAULT_WALL_TIME_MS = 24 * 3_600_000;

/** Runs a broker until it is asked to stop; its jobs go on without it. */
export const up: Up = async (request, { tell, signal }) => {
  const directory = request.stateDirectory ?? stateDirectory(process.env);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const logbook = await openSqliteLogbook({
    directory: join(directory, "log"),
    views: VIEWS,
    projection: VIEWS_VERSION,
  });
  if (logbook.viewsNeedRebuild) await rebuildViews(logbook, projectLog());
  const site = await openManagedSite({ name: SITE, directory: join(directory, "site") });
  const broken = new AbortController();
  const broker = await startBroker({
    logbook,
    site,
    sandboxes: sandboxesIn(join(directory, "sandboxes")),
    clock: systemClock,
    warn: (message) => tell(`stint: ${message}\n`),
    onBroken: (error) => broken.abort(error),
  });
  const api = apiServers(broker.door, (error) => {
    tell(`stint: ${error instanceof Error ? error.stack : String(error)}\n`);
  });
  try {
    await addThisMachine(broker, site);
    await giveAdminToken(broker.door, adminTokenFile(directory), owner());
    const places = await api.listen(directory, request.port);
    tell(`stint: ready; ${siteLine(broker)}; listening on ${places.join(" and ")}\n`);
    await untilAborted(AbortSignal.any([signal, broken.signal]));
  } finally {
    await api.close();
    await broker.stop();
    await site.close();
    await logbook.close();
  }
  broken.signal.throwIfAborted();
};

/** The owner of this broker: whoever runs it. */
function owner(): Identity {
  const { username } = userInfo();
  return { owner: username, consumer: `local/${username}`, role: "admin" };
}

/** Two servers before one door: the socket takes its caller for the owner, TCP asks everybody for a token. */
function apiServers(door: Door, onError: (error: unknown) => void) {
  const nowMs = systemClock.nowMs;
  const onDenial = denialLog(door, { nowMs, onError });
  const settings = { version: readVersion(), onError, onDenial, nowMs };
  const onSocket = createServer(door, {
    ...settings,
    identify: byToken(door, { nowMs, withoutToken: owner() }),
  });
  const onTcp = createServer(door, { ...settings, isLoopback: true, identify: byToken(door, { nowMs }) });
  return {
    /** @param port null for none; the usual one, or any if that is taken, where nothing is said */
    async listen(directory: string, port: number | null | undefined): Promise<string[]> {
      const socket = brokerSocket(directory);
      await listenOnSocket(onSocket, socket);
      if (port === null) return [socket];
      return [socket, await (port === undefined ? listenAnywhere(onTcp) : listenOnLoopback(onTcp, port))];
    },
    close: () => Promise.all([onSocket.close(), onTcp.close()]),
  };
}

/** A second broker on this machine, perhaps another user's, must not keep this one from starting. */
async function listenAnywhere(server: Parameters<typeof listenOnLoopback>[0]): Promise<string> {
  try {
    return await listenOnLoopback(server, DEFAULT_PORT);
  } catch (error) {
    if (error instanceof Fault && error.code === "portInUse") return await listenOnLoopback(server, 0);
    throw error;
  }
}

async function addThisMachine({ door }: Broker, site: ManagedSite): Promise<void> {
  if (door.sites().length > 0) return;
  const { procs, memoryBytes } = await site.capacity();
  const spec: ManagedSiteSpec = {
    type: "managed",
    procs,
    memoryBytes,
    discipline: "easy",
    defaultWallTimeMs: DEFAULT_WALL_TIME_MS,
  };
  await door.ask({ kind: "addSite", site: site.name, spec });
}

function siteLine({ door }: Broker): string {
  const sites = door.sites().map(({ name, spec }) => `${name} (${spec.procs} processors)`);
  return `site ${sites.join(", ")}`;
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
