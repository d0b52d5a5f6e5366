/**
 * Files of the simulations of a broker: a directory each, which exists as a simulation once its record does.
 */
import { createReadStream } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createGunzip } from "node:zlib";
import type { SimulationSchedule, VariantResult } from "../../contract/index.ts";
import { writeSafeFile } from "../../formats/index.ts";
import type { SimulationRecord } from "../../runtime/index.ts";
import { VARIANT_FILES } from "../variants/order.ts";

const RECORD = "simulation.json";
const RESULTS = "results.json";

/** Content of a workload, or the file to copy it from. */
export type WorkloadContent = { readonly bytes: Uint8Array | string } | { readonly file: string };

/** Files below a directory. */
export interface SimulationFolder {
  /** Directory of a simulation. */
  directoryOf(id: string): string;
  /** File of its workload. */
  workloadOf(id: string): string;
  /** Reads all records, and removes what an interrupted order left; tells of records that are unreadable. */
  readAll(onError: (error: unknown) => void): Promise<readonly SimulationRecord[]>;
  /** Makes the directory of a simulation with its workload; the record follows. */
  create(id: string, content: WorkloadContent): Promise<void>;
  writeRecord(record: SimulationRecord): Promise<void>;
  writeResults(id: string, results: readonly VariantResult[]): Promise<void>;
  readResults(id: string): Promise<readonly VariantResult[] | undefined>;
  readSchedule(id: string, variant: number): Promise<SimulationSchedule | undefined>;
  /** The rows, unpacked as they are read. */
  readRows(id: string): AsyncIterable<Uint8Array>;
  remove(id: string): Promise<void>;
}

/** The files below `root`, which is made when it is first needed. */
export function simulationFolder(root: string): SimulationFolder {
  const directoryOf = (id: string): string => join(root, id);
  const workloadOf = (id: string): string => join(root, id, VARIANT_FILES.workload);
  return {
    ...{ directoryOf, workloadOf },
    async readAll(onError) {
      const ids = await readdir(root).catch(ifMissing<string[]>([]));
      const read = ids.map(async (id) => {
        try {
          const record = await readJson<SimulationRecord>(join(root, id, RECORD));
          if (record === undefined) await rm(directoryOf(id), { recursive: true, force: true });
          return record;
        } catch (error) {
          // It stays for whoever looks into it: no broker is kept from its start by a simulation.
          onError(error);
          return undefined;
        }
      });
      return (await Promise.all(read)).filter((record) => record !== undefined);
    },
    async create(id, content) {
      await mkdir(directoryOf(id), { recursive: true, mode: 0o700 });
      if ("file" in content) await copyFile(content.file, workloadOf(id));
      else await writeSafeFile(workloadOf(id), content.bytes);
    },
    writeRecord: (record) => writeSafeFile(join(directoryOf(record.id), RECORD), JSON.stringify(record)),
    writeResults: (id, results) => writeSafeFile(join(directoryOf(id), RESULTS), JSON.stringify(results)),
    readResults: (id) => readJson(join(directoryOf(id), RESULTS)),
    readSchedule: (id, variant) => readJson(join(directoryOf(id), VARIANT_FILES.schedule(variant))),
    readRows: (id) =>
      createReadStream(join(directoryOf(id), VARIANT_FILES.jobs)).compose<ReturnType<typeof createGunzip>>(
        createGunzip(),
      ),
    remove: (id) => rm(directoryOf(id), { recursive: true, force: true }),
  };
}

/** The value in a file that this program wrote; undefined where there is no such file. */
async function readJson<Value>(file: string): Promise<Value | undefined> {
  const text = await readFile(file, "utf8").catch(ifMissing(undefined));
  return text === undefined ? undefined : (JSON.parse(text) as Value);
}

function ifMissing<Value>(instead: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return instead;
    throw error;
  };
}
