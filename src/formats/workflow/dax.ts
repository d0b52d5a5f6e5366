/**
 * Pegasus DAX: abstract workflows in XML, versions 2 and 3.
 *
 * A job's runtime is its attribute `runtime` (the workflow generator) or the profile `pegasus/runtime`;
 * processors and memory are the profiles `cores` and `memory` (MB). The bytes of an edge are the files that
 * the parent writes and the child reads; files that no job writes are staged in. Source: schemas dax-2.1 and
 * dax-3.6 [DAX].
 */
import {
  bytesBetween,
  type DraftReading,
  type FileRead,
  millisecondsOf,
  stagedFiles,
  type TaskFiles,
  unreadable,
} from "./reading.ts";
import { type XmlPiece, xmlPieces } from "./xml.ts";

interface Job extends TaskFiles {
  readonly line: number;
  readonly reads: FileRead[];
  readonly writes: { readonly name: string; readonly bytes: number }[];
  readonly profiles: Map<string, string>;
}

/** The workflow of a text in XML. */
export function readDax(text: string): DraftReading {
  const pieces = xmlPieces(text);
  if (!pieces.ok) {
    return unreadable({
      ...{ code: "xmlSyntax", line: pieces.refusal.line, what: "this is not XML" },
      ...{ why: pieces.refusal.why, remedy: "check whether the file is complete" },
    });
  }
  const { name, jobs, parents } = collected(pieces.value);
  const bytes = bytesBetween(jobs);
  const staged = stagedFiles(jobs);
  const tasks = jobs.map(({ id, line, profiles }) => {
    const runtime = numberIn(profiles.get("runtime"));
    const memory = numberIn(profiles.get("memory"));
    const gpus = numberIn(profiles.get("gpus"));
    return {
      ...{ id, line, procs: numberIn(profiles.get("cores")) ?? 1 },
      ...(runtime === undefined ? {} : { runtimeMs: millisecondsOf(runtime) }),
      ...(memory === undefined ? {} : { memoryBytes: memory * 2 ** 20 }),
      ...(gpus === undefined ? {} : { gpus }),
      ...staged(id),
      parents: [...(parents.get(id) ?? [])].map((parent) => ({ id: parent, bytes: bytes(parent, id) })),
    };
  });
  const known = new Set(jobs.map(({ id }) => id));
  const strangers = [...parents.keys()].filter((child) => !known.has(child));
  return {
    draft: { name, tasks },
    problems: strangers.map((child) => ({
      code: "unknownChild",
      what: `<child ref="${child}"> does not name a job`,
      why: "a child must be a job in the same file",
      remedy: "correct the id, or add the job",
    })),
  };
}

interface Collected {
  readonly name: string;
  readonly jobs: readonly Job[];
  readonly parents: ReadonlyMap<string, ReadonlySet<string>>;
}

const JOBS = new Set(["job", "dax", "dag"]);

function collected(pieces: readonly XmlPiece[]): Collected {
  const jobs: Job[] = [];
  const parents = new Map<string, Set<string>>();
  let name = "";
  let job: Job | undefined;
  let child = "";
  let profile: string | undefined;
  for (const piece of pieces) {
    if (piece.kind === "text") {
      if (profile !== undefined) job?.profiles.set(profile, piece.text.trim());
    } else if (piece.kind === "close") {
      if (JOBS.has(piece.name)) job = undefined;
      if (piece.name === "profile") profile = undefined;
    } else {
      const { attributes: of, line } = piece;
      if (piece.name === "adag") name = of.get("name") ?? "";
      else if (JOBS.has(piece.name)) {
        job = { id: of.get("id") ?? "", line, reads: [], writes: [], profiles: new Map() };
        if (of.has("runtime")) job.profiles.set("runtime", of.get("runtime") ?? "");
        jobs.push(job);
      } else if (piece.name === "uses" && job !== undefined) use(job, of);
      else if (piece.name === "profile" && of.get("namespace") === "pegasus") profile = of.get("key");
      else if (piece.name === "child") child = of.get("ref") ?? "";
      else if (piece.name === "parent") {
        parents.set(child, (parents.get(child) ?? new Set()).add(of.get("ref") ?? ""));
      }
    }
  }
  return { name, jobs, parents };
}

function use(job: Job, of: ReadonlyMap<string, string>): void {
  const name = of.get("file") ?? of.get("name") ?? "";
  const link = of.get("link");
  const bytes = numberIn(of.get("size"));
  if (link === "input" || link === "inout") job.reads.push({ name, bytes });
  if (link === "output" || link === "inout") job.writes.push({ name, bytes: bytes ?? 0 });
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined || text.trim() === "" ? undefined : Number(text);
}
