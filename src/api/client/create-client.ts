/**
 * The typed client of the REST API: what the command line and other programs use.
 */
import type { JobView, SlotSetView } from "../../contract/index.ts";
import { isFinal } from "../../model/index.ts";
import { callOver, pathOf } from "./call.ts";
import { callsBy } from "./calls.ts";
import { connect } from "./connection.ts";
import { followFile, followTerminal, watchJob, watchSlots } from "./following.ts";
import type { ClientOptions, ReadOptions, ScreenOptions } from "./options.ts";
import type { UploadOptions } from "./upload-file.ts";

const defaultPatienceMs = 30_000;

/**
 * Client of a broker. Ids may be abbreviated while unique. All methods reject with a `Fault`:
 * `serverUnreachable` (kind `unreachable`) where nothing answers, else the server's.
 */
export type StintClient = ReturnType<typeof createClient>;

/** A client of a broker; connects when it is first used. @throws Fault `urlWrong` */
export function createClient({ patienceMs = defaultPatienceMs, ...place }: ClientOptions) {
  const connection = connect(place);
  const call = callOver(connection);
  return {
    /** Any operation of the API by its name. */
    call,
    ...callsBy(call),
    /**
     * Reports the job now and on every change; resolves with the final record. Reconnects when the connection
     * breaks; rejects when the server stays away, and at once when `signal` aborts.
     */
    watch(id: string, onChange: (job: JobView) => void, signal?: AbortSignal): Promise<JobView> {
      const path = pathOf("watchJob", { params: { id } });
      return watchJob(connection, { path, patienceMs, onChange, signal });
    },
    /** Bytes of a file as they arrive. */
    readFile(id: string, name: string, options: ReadOptions = {}): AsyncIterable<Uint8Array> {
      const path = pathOf("readFile", { params: { id, name } });
      return followFile(connection, { ...options, path, patienceMs });
    },
    /** Bytes of a result of a workflow. */
    readWorkflowFile(id: string, name: string): AsyncIterable<Uint8Array> {
      const path = pathOf("readWorkflowFile", { params: { id, name } });
      return followFile(connection, { path, patienceMs });
    },
    /** True where the broker is on another machine, by its address: it cannot read files of this one. */
    isElsewhere: connection.isElsewhere,
    /** Uploads a file of this machine. @returns its name for the inputSandbox of a job */
    async upload(path: string, options: UploadOptions = {}): Promise<string> {
      const { uploadFile } = await import("./upload-file.ts");
      return uploadFile({ connection, patienceMs }, path, options);
    },
    /** Bytes of a file of a state that a job saved. */
    readCheckpoint(id: string, name: string, file: string): AsyncIterable<Uint8Array> {
      const path = pathOf("readCheckpoint", { params: { id, name, path: file } });
      return followFile(connection, { path, patienceMs });
    },
    /** What is written to a job's terminal as it is, from the last of it on, until the job has ended. */
    readTerminal(id: string, options: ScreenOptions): AsyncIterable<Uint8Array> {
      const path = pathOf("watchTerminal", { params: { id } });
      const isOver = async () => isFinal((await call("getJob", { params: { id } })).state);
      return followTerminal(connection, { ...options, path, patienceMs, isOver });
    },
    /** Reports a site's slots now, on every change, and every minute; rejects as `watch` does. */
    watchSlots(name: string, onChange: (slots: SlotSetView) => void, signal?: AbortSignal): Promise<void> {
      const path = pathOf("watchSiteSlots", { params: { name } });
      return watchSlots(connection, { path, patienceMs, onChange, signal });
    },
    /** Stops the broker. @returns what continues without it; the broker ends soon afterwards */
    stopBroker: () => call("stopBroker"),
    /** Resolves when the broker answers. */
    async health(): Promise<{ readonly status: "ok" }> {
      return (await connection.json({ method: "GET", path: "/healthz", isRepeatable: true })) as {
        status: "ok";
      };
    },
    /** Closes idle connections. */
    close: () => connection.close(),
  };
}
