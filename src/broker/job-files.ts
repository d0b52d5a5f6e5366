/** Files of jobs at their sites, for the API. */
import { attemptToken } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import type { ApiWorld } from "./api-world.ts";

/** Reads, appends and removals. */
export function fileQuestions({
  find,
  sites,
  transfers,
  retirement,
}: Pick<ApiWorld, "find" | "sites" | "transfers" | "retirement">) {
  const filesOf = async (id: string) => {
    const job = await find(id);
    const files = job?.site === null ? undefined : sites.get(job?.site ?? "")?.files;
    return job === undefined || files === undefined || job.attempt === 0
      ? undefined
      : { files, token: attemptToken(id, job.attempt), job };
  };
  return {
    async readFile(id, { name, fromByte, maxBytes, signal }) {
      const at = await filesOf(id);
      if (at === undefined || maxBytes === 0) return at?.files.readFile(at.token, name, fromByte, 0);
      const { site, consumer, description } = at.job;
      const { reservation } = description;
      const request = { site: site ?? "", consumer, reservation, mostBytes: maxBytes, signal };
      const mayBytes = await transfers.pass(request);
      let readBytes = 0;
      try {
        const part = await at.files.readFile(at.token, name, fromByte, mayBytes);
        readBytes = part?.bytes.length ?? 0;
        return part;
      } finally {
        transfers.giveBack(request, mayBytes - readBytes);
      }
    },
    async appendFile(id, name, part) {
      const at = await filesOf(id);
      if (at === undefined) return undefined;
      return at.files.appendFile === undefined ? "unable" : at.files.appendFile(at.token, name, part);
    },
    clearFiles: (id, by) => retirement.clear(id, by),
    purgeJob: (id, by) => retirement.purge(id, by),
    async listFiles(id) {
      const at = await filesOf(id);
      return at === undefined ? [] : at.files.listFiles(at.token);
    },
  } satisfies Partial<BrokerApi>;
}
