/** Input files of a submission: uploaded as soon as they are chosen, and those of an earlier job. */
import { useEffect, useReducer, useRef } from "react";
import { client, Fault } from "../../app/client.ts";

/** An input file. */
export interface Input {
  readonly name: string;
  readonly isExecutable: boolean;
  /** Null for a file of an earlier job. */
  readonly file: File | null;
  /** Hash once it is known; then it is named by it. */
  readonly sha256: string | null;
  /** Path at the broker, of an earlier job's file that was not uploaded. */
  readonly path: string | null;
  readonly sentBytes: number;
  readonly isReady: boolean;
  readonly error: unknown;
}

/** Input files, and what can be done with them. */
export interface Inputs {
  readonly list: readonly Input[];
  readonly add: (files: Iterable<File>) => void;
  readonly retry: (name: string) => void;
  readonly remove: (name: string) => void;
  readonly allowExecution: (name: string, isExecutable: boolean) => void;
}

type Change =
  | { readonly kind: "put"; readonly input: Input }
  | { readonly kind: "change"; readonly name: string; readonly change: Partial<Input> }
  | { readonly kind: "remove"; readonly name: string };

function changed(list: readonly Input[], change: Change): readonly Input[] {
  if (change.kind === "put") return [...list.filter((one) => one.name !== change.input.name), change.input];
  if (change.kind === "remove") return list.filter((one) => one.name !== change.name);
  return list.map((one) => (one.name === change.name ? { ...one, ...change.change } : one));
}

const EMPTY = { isExecutable: false, file: null, sha256: null, path: null, sentBytes: 0, isReady: false };

/** Input files; at first those of an earlier job, where one is named. */
export function useInputs(earlierJob: string | undefined): Inputs {
  const [list, apply] = useReducer(changed, []);
  const running = useRef(new Map<string, AbortController>());
  const send = async (file: File, earlier: Partial<Input> = {}): Promise<void> => {
    const { name } = file;
    running.current.get(name)?.abort();
    const stop = new AbortController();
    running.current.set(name, stop);
    const tell = (change: Partial<Input>): void => {
      if (!stop.signal.aborted) apply({ kind: "change", name, change });
    };
    const isExecutable = earlier.isExecutable ?? (await file.slice(0, 2).text()) === "#!";
    apply({ kind: "put", input: { ...EMPTY, name, file, isExecutable, error: null } });
    try {
      const onProgress = (sentBytes: number): void => tell({ sentBytes });
      const sha256 = await client.upload(file, { onProgress, signal: stop.signal });
      tell({ sha256, isReady: true });
    } catch (error) {
      tell({ error });
    }
  };
  useEffect(() => {
    if (earlierJob === undefined) return;
    void inputsOfJob(earlierJob).then((found) => {
      for (const input of found) apply({ kind: "put", input });
    });
  }, [earlierJob]);
  return {
    list,
    add: (files) => {
      for (const file of files) void send(file);
    },
    retry: (name) => {
      const input = list.find((one) => one.name === name);
      if (input?.file) void send(input.file, input);
    },
    remove: (name) => {
      running.current.get(name)?.abort();
      apply({ kind: "remove", name });
    },
    allowExecution: (name, isExecutable) => apply({ kind: "change", name, change: { isExecutable } }),
  };
}

/** How a description names an input file. */
export function pathOfInput({ name, sha256, path, isExecutable }: Input): string {
  const mark = name.includes("/") ? "/./" : "/";
  return path ?? `upload${isExecutable ? "+x" : ""}:${sha256}${mark}${name}`;
}

const UPLOAD = /^upload(\+x)?:([0-9a-f]{64})\//;

/** Files of an earlier job: uploads where they are still there, and paths of the broker's machine. */
async function inputsOfJob(id: string): Promise<readonly Input[]> {
  const { inputs } = await client.provenance(id);
  return Promise.all(
    inputs.files.map(async ({ path, name }) => {
      const [, executable, sha256] = UPLOAD.exec(path) ?? [];
      if (sha256 === undefined) return { ...EMPTY, name, path, isReady: true, error: null };
      const input = { ...EMPTY, name, sha256, isExecutable: executable !== undefined };
      const upload = await client.call("getUpload", { params: { sha256 } });
      if (!upload.whole) return { ...input, error: gone(name) };
      return { ...input, sentBytes: upload.receivedBytes, isReady: true, error: null };
    }),
  );
}

function gone(name: string): Fault {
  return new Fault({
    kind: "notFound",
    code: "notUploaded",
    what: `${name} is no longer at the broker`,
    why: "uploads are removed a day after their last use",
    remedy: "choose the file again",
  });
}
