/**
 * The way to another broker: its address, a token of it in a file, and the certificates it is known by.
 */
import { readFile } from "node:fs/promises";
import type { BrokerPlace, StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { reachBroker } from "./reach-broker.ts";

/** How another broker is reached. */
export interface ElsewhereOptions {
  readonly tokenFile: string;
  readonly ca?: string;
}

/** A client of another broker; nothing is asked of it yet. */
export async function reachElsewhere(url: string, { tokenFile, ca }: ElsewhereOptions): Promise<StintClient> {
  const place: BrokerPlace = {
    url,
    token: (await textIn(tokenFile, "save what stint token create printed there")).trim(),
    ...(ca === undefined ? {} : { ca: await textIn(ca, "name a file with certificates") }),
  };
  return reachBroker(place).catch((error: unknown) => {
    throw inOtherWords(error, tokenFile);
  });
}

async function textIn(file: string, remedy: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new Fault({
      kind: "badInput",
      code: "fileUnreadable",
      what: `${file} cannot be read`,
      why: error instanceof Error ? error.message : String(error),
      remedy: `${remedy}, for you alone to write`,
    });
  }
}

/** What was given here is no setting of the broker here: the remedy says where it was given. */
function inOtherWords(error: unknown, tokenFile: string): unknown {
  if (!(error instanceof Fault)) return error;
  const { kind, code, what, why } = error;
  const remedies: Readonly<Record<string, string>> = {
    tokenUnreadable: `save all of what stint token create printed there in ${tokenFile}`,
    urlWrong: "give its https address, or the near end of a tunnel to it, as in http://127.0.0.1:7900",
  };
  const remedy = Object.hasOwn(remedies, code) ? remedies[code] : error.remedy;
  return new Fault({ kind, code, what, why, remedy });
}

/** What another broker answered is not what this version understands. */
export function otherVersion(url: string): Fault {
  return new Fault({
    kind: "failed",
    code: "brokerOfAnotherVersion",
    what: `the broker at ${url} is of another version`,
    why: "what it answers has other fields than this version reads: lengths in milliseconds, for instance",
    remedy: "update it, or the program here, so that both are of one version; nothing was changed here",
  });
}

/** The other broker's answer; that it does not answer is no matter of the broker here. */
export function askedElsewhere<Answer>(
  answer: Promise<Answer>,
  { url, remedy }: { readonly url: string; readonly remedy: string },
): Promise<Answer> {
  return answer.catch((error: unknown) => {
    if (!(error instanceof Fault) || error.kind !== "unreachable") throw error;
    throw new Fault({
      kind: "unreachable",
      code: "followedUnreachable",
      what: `the broker at ${url} cannot be reached`,
      why: "nobody answers there",
      remedy,
    });
  });
}
