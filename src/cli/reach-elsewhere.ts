/** Connection to another broker: its address, a file with a token of it, and CA certificates. */
import { readFile } from "node:fs/promises";
import type { BrokerPlace, StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { readFault } from "../formats/index.ts";
import { reachBroker } from "./reach-broker.ts";

/** Address, token and certificates of another broker. */
export interface ElsewhereOptions {
  readonly tokenFile: string;
  readonly ca?: string;
}

/** A client of another broker; sends no request yet. */
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
      why: readFault(error, file).why,
      remedy: `${remedy}, writable only by you`,
    });
  }
}

/** Fault of an option, whose remedy names the option rather than a setting of the broker here. */
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

/** Fault for responses that this version cannot read. */
export function otherVersion(url: string): Fault {
  return new Fault({
    kind: "failed",
    code: "brokerOfAnotherVersion",
    what: `the broker at ${url} has another version`,
    why: "its responses have fields that this version does not read, such as durations in milliseconds",
    remedy: "update it or this program to the same version; nothing was changed here",
  });
}

/** Calls the other broker; its outage is reported as such, not as one of the broker here. */
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
      why: "it does not respond",
      remedy,
    });
  });
}
