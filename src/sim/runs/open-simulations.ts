/**
 * Simulations that a broker runs for people: taken as orders, run in threads a few at a time, kept as files.
 *
 * A broker that ends takes its threads with it: what ran is told as failed at the next start, what waited
 * waits again.
 */
import { availableParallelism } from "node:os";
import { Fault } from "../../base/index.ts";
import type { SimulationWorkload } from "../../contract/index.ts";
import type { SimulationOrder, SimulationRecord, Simulations } from "../../runtime/index.ts";
import { type SimulationFolder, simulationFolder, type WorkloadContent } from "./simulation-folder.ts";
import { startVariants, type VariantsThread } from "./variants-thread.ts";

/** Most simulations of an owner that wait or run. */
const MOST_AT_ONCE = 4;
/** Most simulations of an owner that are kept. */
const MOST_KEPT = 50;
/** Most simulations that wait. */
const MOST_QUEUED = 64;

/** Directory and surroundings of the simulations. */
export interface SimulationsSetting {
  readonly directory: string;
  readonly version: string;
  readonly nowMs: () => number;
  /** Workloads that may be ordered by name, each with its file. */
  readonly examples: readonly (SimulationWorkload & { readonly path: string })[];
  /** Told of what goes wrong in the background. */
  readonly onError: (error: unknown) => void;
  /** Threads at a time; default: one fewer than processors, at least one. */
  readonly threads?: number;
}

/** Simulations, until they are closed. */
export interface OpenSimulations extends Simulations {
  /** Ends all threads. */
  close(): Promise<void>;
}

/** Opens the simulations in a directory, and goes on with those that wait. */
export async function openSimulations(setting: SimulationsSetting): Promise<OpenSimulations> {
  const folder = simulationFolder(setting.directory);
  const kept = new KeptSimulations(setting, folder);
  await kept.takeUp(await folder.readAll(setting.onError));
  return kept;
}

class KeptSimulations implements OpenSimulations {
  readonly #setting: SimulationsSetting;
  readonly #folder: SimulationFolder;
  readonly #records = new Map<string, SimulationRecord>();
  readonly #threads = new Map<string, VariantsThread>();
  readonly #listeners = new Set<(id: string) => void>();
  /** The last write of each record: a later one begins after it. */
  readonly #writes = new Map<string, Promise<void>>();
  /** Ids of those that wait, in their order. */
  #queue: string[] = [];
  #isClosed = false;

  constructor(setting: SimulationsSetting, folder: SimulationFolder) {
    this.#setting = setting;
    this.#folder = folder;
  }

  /** Takes up what an earlier broker left. */
  async takeUp(records: readonly SimulationRecord[]): Promise<void> {
    const inOrder = records.toSorted((one, other) => one.createdAtMs - other.createdAtMs);
    for (const record of inOrder) this.#records.set(record.id, record);
    for (const { id, state } of inOrder) {
      if (state === "running") await this.#update(id, { ...this.#failed(interrupted), progress: 0 });
      if (state === "queued") this.#queue.push(id);
    }
    this.#startNext();
  }

  get workloads(): readonly SimulationWorkload[] {
    return this.#setting.examples.map(({ path: _, ...shown }) => shown);
  }

  list(): readonly SimulationRecord[] {
    return [...this.#records.values()].reverse();
  }

  find(id: string): SimulationRecord | undefined {
    return this.#records.get(id);
  }

  ahead(id: string): number {
    return Math.max(0, this.#queue.indexOf(id));
  }

  async order({ content, ...order }: SimulationOrder): Promise<SimulationRecord> {
    this.#assertRoom(order.owner);
    const source = this.#sourceOf(content, order.workload.name);
    const record: SimulationRecord = {
      ...{ ...order, state: "queued", progress: 0, createdAtMs: this.#setting.nowMs() },
      ...{ startedAtMs: null, endedAtMs: null, failure: null, version: null },
    };
    // Counted before it is on disk, so that many at once find the limits.
    this.#records.set(record.id, record);
    try {
      await this.#folder.create(record.id, source);
      await this.#write(record.id);
    } catch (error) {
      this.#records.delete(record.id);
      await this.#folder.remove(record.id);
      throw error;
    }
    this.#queue.push(record.id);
    this.#tell(record.id);
    this.#startNext();
    return record;
  }

  results: Simulations["results"] = async (id) =>
    this.#isDone(id) ? await this.#folder.readResults(id) : undefined;

  schedule: Simulations["schedule"] = async (id, variant) =>
    this.#isDone(id) ? await this.#folder.readSchedule(id, variant) : undefined;

  rows: Simulations["rows"] = async (id) => (this.#isDone(id) ? this.#folder.readRows(id) : undefined);

  change: Simulations["change"] = async (id, change) => {
    if (!this.#records.has(id)) return undefined;
    await this.#update(id, change);
    return this.#records.get(id);
  };

  async remove(id: string): Promise<boolean> {
    if (!this.#records.delete(id)) return false;
    this.#queue = this.#queue.filter((other) => other !== id);
    await this.#threads.get(id)?.stop();
    await this.#writes.get(id);
    await this.#folder.remove(id);
    this.#tell(id);
    return true;
  }

  onChange(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads.values()].map((thread) => thread.stop()));
    await Promise.all(this.#writes.values());
  }

  #isDone(id: string): boolean {
    return this.#records.get(id)?.state === "done";
  }

  #sourceOf(content: SimulationOrder["content"], name: string): WorkloadContent {
    if (content.kind === "bytes") return content;
    return content.kind === "example" ? this.#example(name) : { file: this.#folder.workloadOf(content.id) };
  }

  #example(name: string): WorkloadContent {
    const { examples } = this.#setting;
    const found = examples.find((example) => example.name === name);
    if (found === undefined) throw unknownWorkload(name, examples);
    return { file: found.path };
  }

  #assertRoom(owner: string): void {
    const records = [...this.#records.values()];
    const theirs = records.filter((record) => record.owner === owner);
    const unfinished = theirs.filter(({ endedAtMs }) => endedAtMs === null).length;
    if (unfinished >= MOST_AT_ONCE) throw tooManySimulations(unfinished);
    if (theirs.length >= MOST_KEPT) throw simulationsFull(theirs.length);
    if (records.filter(({ state }) => state === "queued").length >= MOST_QUEUED) throw queueFull();
  }

  #startNext(): void {
    const most = this.#setting.threads ?? Math.max(1, availableParallelism() - 1);
    while (!this.#isClosed && this.#threads.size < most) {
      const id = this.#queue.shift();
      if (id === undefined) return;
      this.#start(id);
    }
  }

  #start(id: string): void {
    const record = this.#records.get(id);
    if (record === undefined) return;
    const { version, nowMs } = this.#setting;
    const { discipline, variants } = record;
    const { name: workload, isRecord } = record.workload;
    const directory = this.#folder.directoryOf(id);
    const thread = startVariants(
      { directory, version, workload, isRecord, discipline, variants },
      (progress) => this.#note(id, { progress }),
    );
    this.#threads.set(id, thread);
    const run = async (): Promise<void> => {
      await this.#update(id, { state: "running", startedAtMs: nowMs(), version });
      const end = await thread.end;
      await thread.stop();
      if (end.kind === "done") {
        await this.#folder.writeResults(id, end.results);
        await this.#update(id, { state: "done", progress: 1, endedAtMs: nowMs() });
      }
      if (end.kind === "failed") await this.#update(id, this.#failed(end.failure));
    };
    run()
      .catch((error: unknown) => {
        if (!this.#records.has(id)) return;
        this.#setting.onError(error);
        this.#note(id, this.#failed(notKept));
      })
      .finally(() => {
        this.#threads.delete(id);
        this.#startNext();
      });
  }

  #failed(failure: SimulationRecord["failure"]): Partial<SimulationRecord> {
    return { state: "failed", failure, endedAtMs: this.#setting.nowMs() };
  }

  /** Changes a record and writes it; one that was removed stays so. */
  async #update(id: string, change: Partial<SimulationRecord>): Promise<void> {
    if (this.#note(id, change)) await this.#write(id);
  }

  #note(id: string, change: Partial<SimulationRecord>): boolean {
    const record = this.#records.get(id);
    if (record === undefined) return false;
    this.#records.set(id, { ...record, ...change });
    this.#tell(id);
    return true;
  }

  #write(id: string): Promise<void> {
    const before = this.#writes.get(id) ?? Promise.resolve();
    const write = before
      .catch(() => {})
      .then(async () => {
        const record = this.#records.get(id);
        if (record !== undefined) await this.#folder.writeRecord(record);
      });
    const settled = write.catch(() => {});
    this.#writes.set(id, settled);
    void settled.then(() => {
      if (this.#writes.get(id) === settled) this.#writes.delete(id);
    });
    return write;
  }

  #tell(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }
}

const interrupted = {
  code: "simulationInterrupted",
  what: "the simulation has no result",
  why: "the broker ended while it ran",
  remedy: "run it again",
};

const notKept = {
  code: "simulationNotKept",
  what: "the results of the simulation could not be kept",
  why: "writing to the broker's state directory failed; the broker's log has the error",
  remedy: "ask the operator of the broker, then run it again",
};

function tooManySimulations(unfinished: number): Fault {
  return new Fault({
    kind: "refused",
    code: "tooManySimulations",
    what: "too many of your simulations are in progress",
    why: `${unfinished} are waiting or running; the limit is ${MOST_AT_ONCE}`,
    remedy: "wait until one has ended, or delete one",
  });
}

function simulationsFull(kept: number): Fault {
  return new Fault({
    kind: "refused",
    code: "simulationsFull",
    what: "you cannot keep another simulation",
    why: `${kept} are kept; the limit is ${MOST_KEPT}`,
    remedy: "export what you need, and delete some",
  });
}

function queueFull(): Fault {
  return new Fault({
    kind: "refused",
    code: "simulationQueueFull",
    what: "the broker accepts no further simulation at present",
    why: `${MOST_QUEUED} wait already`,
    remedy: "try again later",
  });
}

function unknownWorkload(name: string, known: readonly SimulationWorkload[]): Fault {
  return new Fault({
    kind: "notFound",
    code: "unknownWorkload",
    what: `the broker has no workload ${name}`,
    why: known.length === 0 ? "it has none" : `it has ${known.map((one) => one.name).join(", ")}`,
    remedy: "name one of these, or upload a file",
  });
}
