/** Samples of use on disk: one file beside the logbook, owned by one thread. */
import { join, resolve } from "node:path";
import { Fault } from "../../base/index.ts";
import type { Samples } from "../../runtime/index.ts";
import { compiledFile, openThread } from "../thread-link.ts";
import type { SampleAnswers, SampleQuestion, SamplesOpened, SamplesOrder } from "./protocol.ts";

/** An open store of samples. */
export interface SqliteSamples extends Samples {
  /** New name of an unusable file that was moved aside; null: there was none. */
  readonly putAside: string | null;
}

/**
 * Opens the samples in the logbook's directory; makes the file if absent.
 *
 * @throws Fault
 */
export async function openSqliteSamples(directory: string): Promise<SqliteSamples> {
  const order: SamplesOrder = { file: join(resolve(directory), "samples.sqlite") };
  const { opened, ask } = await openThread<SamplesOpened>({
    ...{ file: threadFile(), order, name: "stint samples" },
    ended: (why, cause) => stopped(order.file, why, cause),
  });
  let closed: Promise<undefined> | undefined;
  const asked = <Kind extends keyof SampleAnswers>(
    question: Extract<SampleQuestion, { readonly kind: Kind }>,
  ): Promise<SampleAnswers[Kind]> =>
    closed === undefined
      ? ask<SampleAnswers[Kind]>(question)
      : Promise.reject(stopped(order.file, "they were closed"));
  return {
    putAside: opened.putAside,
    add: (batch) => asked<"add">({ kind: "add", batch }),
    lastOf: (source) => asked<"lastOf">({ kind: "lastOf", source }),
    course: (place, grid) => asked<"course">({ kind: "course", place, grid }),
    notes: (placePrefix) => asked<"notes">({ kind: "notes", placePrefix }),
    prune: (nowMs) => asked<"prune">({ kind: "prune", nowMs }),
    close: () => {
      closed ??= ask<undefined>({ kind: "close" } satisfies SampleQuestion);
      return closed;
    },
  };
}

function threadFile(): URL {
  const inDist = new URL("../../../dist/store/samples/sample-thread.js", import.meta.url);
  return compiledFile(new URL("./sample-thread.js", import.meta.url), inDist);
}

function stopped(file: string, why: string, cause?: unknown): Fault {
  return new Fault({
    kind: "failed",
    code: "samplesStopped",
    what: `usage samples are no longer recorded in ${file}`,
    why,
    remedy: "restart the broker to record them again; decisions and the log do not depend on them",
    cause,
  });
}
