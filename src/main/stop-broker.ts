/** `stint down`: asks the broker of this environment to stop, and waits until its log is closed. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Fault } from "../base/index.ts";
import { type BrokerPlace, reachBroker, type StopBroker } from "../cli/index.ts";
import { logbookOwner } from "../store/index.ts";
import { type Environment, findStateDirectory } from "./settings.ts";

const POLL_MS = 50;

type Client = Awaited<ReturnType<typeof reachBroker>>;

/** Stops the broker at this place. */
export function brokerStopper(environment: Environment, findPlace: () => Promise<BrokerPlace>): StopBroker {
  return async (patienceMs) => {
    const directory = environment.STINT_URL ? undefined : await findStateDirectory(environment);
    const client = await reachBroker(await findPlace());
    try {
      const stop = await client.stopBroker().catch(async (error: unknown) => {
        throw directory === undefined ? error : await whyNotAsked(error, directory);
      });
      const untilMs = performance.now() + patienceMs;
      while (await isUp(client, directory)) {
        if (performance.now() > untilMs) throw stillRuns(stop, patienceMs);
        await setTimeout(POLL_MS);
      }
      return stop;
    } finally {
      client.close();
    }
  };
}

/** True while the broker holds its log or, if it is elsewhere, while it answers. */
async function isUp(client: Client, directory: string | undefined): Promise<boolean> {
  if (directory !== undefined) return (await logbookOwner(join(directory, "log"))) !== undefined;
  return await client.health().then(
    () => true,
    () => false,
  );
}

/** Fault of a broker that could not be asked, with what its state directory shows. */
async function whyNotAsked(error: unknown, directory: string): Promise<unknown> {
  if (!(error instanceof Fault)) return error;
  if (error.code === "socketForbidden") return ofAnother(error, directory);
  if (error.code !== "serverUnreachable") return error;
  const owner = await logbookOwner(join(directory, "log"));
  return owner === undefined ? noneRuns(directory) : silent(directory, owner);
}

function noneRuns(directory: string): Fault {
  return new Fault({
    kind: "unreachable",
    code: "noBroker",
    what: "no broker is running here, so nothing was stopped",
    why: `no process has the log of the state directory ${directory} open`,
    remedy: "name the state directory of the broker with STINT_STATE_DIR, or its address with STINT_URL",
  });
}

function silent(directory: string, owner: string): Fault {
  return new Fault({
    kind: "failed",
    code: "brokerSilent",
    what: "the broker does not answer, so it was not asked to stop",
    why: `it is starting, stopping or not responding: its log in ${directory} is held by ${owner}`,
    remedy: "try again in a moment; if it still does not respond, end that process with kill",
  });
}

function ofAnother({ why, cause }: Fault, directory: string): Fault {
  return new Fault({
    kind: "notAllowed",
    code: "brokerOfAnother",
    what: "the broker belongs to another user, so it was not stopped",
    why: `${why}${ownerText(directory)}`,
    remedy: "ask its owner, or run stint down as that user",
    cause,
  });
}

function ownerText(directory: string): string {
  const owner = statSync(directory, { throwIfNoEntry: false })?.uid;
  return owner === undefined ? "" : `; its state directory belongs to user id ${owner}`;
}

function stillRuns(
  { process, host }: { readonly process: number; readonly host: string },
  ms: number,
): Fault {
  return new Fault({
    kind: "failed",
    code: "brokerStillRuns",
    what: `the broker was asked to stop, and has not stopped after ${Math.round(ms / 1000)} s`,
    why: `process ${process} on ${host} still has its log open`,
    remedy: "wait longer with --wait, or check its messages; nothing is lost if the process is killed",
  });
}
