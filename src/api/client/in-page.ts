/** The client of the page: the same calls over `fetch`, identified by the cookie of its session. */
import { Fault } from "../../base/index.ts";
import { type Call, callOver, pathOf } from "./call.ts";
import { callsBy } from "./calls.ts";
import { answerFault, foreignAnswer } from "./server-fault.ts";

export { Fault } from "../../base/index.ts";
export type * from "../../contract/index.ts";
export type { OperationId, Operations } from "../operations.ts";
export { pathOf } from "./call.ts";
export { ProblemFault } from "./server-fault.ts";

/** Client of the broker that has served the page. All methods reject with a `Fault`. */
export type PageClient = ReturnType<typeof createPageClient>;

/** A client of the page's own broker. */
export function createPageClient() {
  const call: Call = callOver({
    async json({ method, path, body, headers }) {
      const text = await textOf(method, path, body, headers);
      try {
        return JSON.parse(text);
      } catch {
        throw foreignAnswer("something that is not JSON");
      }
    },
  });
  return {
    /** Any operation of the API by its name. */
    call,
    ...callsBy(call),
    /** URL of a file of a job. */
    fileUrl: (id: string, name: string) => pathOf("readFile", { params: { id, name } }),
  };
}

async function textOf(
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const json = body === undefined ? {} : { "content-type": "application/json" };
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: { "x-stint-page": "1", ...json, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch (cause) {
    throw new Fault({
      kind: "unreachable",
      code: "serverUnreachable",
      what: "the broker does not answer",
      why: "the connection to it failed: it has stopped, or the network between is down",
      remedy: "wait: the page tries again by itself; `stint up` starts the broker",
      cause,
    });
  }
  const text = await response.text();
  if (!response.ok) throw answerFault(response.status, text);
  return text;
}
