/** The broker's side of the link to the logbook's thread. */
import { Fault } from "../../base/index.ts";
import { compiledFile, openThread } from "../thread-link.ts";
import type { Opened, OpenOrder, Question, Questions } from "./protocol.ts";

/** An open link. */
export interface StoreLink {
  readonly opened: Opened;
  ask<Kind extends keyof Questions>(
    kind: Kind,
    asks: Questions[Kind]["asks"],
  ): Promise<Questions[Kind]["answer"]>;
}

/** Starts the worker and opens the logbook. @throws Fault */
export async function openLink(order: OpenOrder, file = workerFile()): Promise<StoreLink> {
  const ended = (why: string, cause: unknown) => threadEnded(order.directory, why, cause);
  const { opened, ask } = await openThread<Opened>({ file, order, name: "stint logbook", ended });
  return {
    opened,
    ask: <Kind extends keyof Questions>(kind: Kind, asks: Questions[Kind]["asks"]) =>
      ask<Questions[Kind]["answer"]>({ kind, asks } as Question),
  };
}

function workerFile(): URL {
  const inDist = new URL("../../../dist/store/sqlite/worker.js", import.meta.url);
  return compiledFile(new URL("./worker.js", import.meta.url), inDist);
}

function threadEnded(directory: string, why: string, cause: unknown): Fault {
  return new Fault({
    kind: "failed",
    code: "logbookFailed",
    what: `the logbook in ${directory} stopped working`,
    why,
    remedy: "start the broker again: everything that was acknowledged is there",
    cause,
  });
}
