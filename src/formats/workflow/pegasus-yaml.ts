/**
 * Pegasus workflows in YAML, the successor of DAX since Pegasus 5.
 *
 * Jobs have `uses` (logical files, `input` or `output`) and profiles; dependencies are a list of their own. A
 * size stands with the file's use or in the replica catalogue. Source: schema wf-5.0 [PEGASUS].
 */
import { plainValue, yamlDocuments } from "../yaml/index.ts";
import { type Json, listOf, mappingOf, numberOf, textOf } from "./plain-json.ts";
import { bytesBetween, type DraftReading, millisecondsOf, type TaskFiles } from "./reading.ts";

/** The workflow of a text in YAML. */
export function readPegasusYaml(text: string): DraftReading {
  const { notes, documents } = yamlDocuments(text);
  const [document] = documents();
  const { problems } = notes.collected();
  if (document === undefined || problems.length > 0) return { draft: undefined, problems };
  const whole = mappingOf(plainValue(document.value));
  const jobs = listOf(whole.jobs).map(mappingOf);
  const replicas = listOf(mappingOf(whole.replicaCatalog).replicas).map(mappingOf);
  const sizes = new Map(replicas.map((it) => [textOf(it.lfn), numberOf(it.size) ?? 0]));
  const bytes = bytesBetween(jobs.map((job) => filesOf(job, sizes)));
  const parents = parentsOf(listOf(whole.jobDependencies).map(mappingOf));
  const tasks = jobs.map((job) => {
    const id = textOf(job.id);
    const profiles = mappingOf(mappingOf(job.profiles).pegasus);
    const [runtime, memory, gpus] = [profiles.runtime, profiles.memory, profiles.gpus].map(numberOf);
    return {
      ...{ id, procs: numberOf(profiles.cores) ?? 1 },
      ...(runtime === undefined ? {} : { runtimeMs: millisecondsOf(runtime) }),
      ...(memory === undefined ? {} : { memoryBytes: memory * 2 ** 20 }),
      ...(gpus === undefined ? {} : { gpus }),
      parents: (parents.get(id) ?? []).map((parent) => ({ id: parent, bytes: bytes(parent, id) })),
    };
  });
  return { draft: { name: textOf(whole.name), tasks }, problems: [] };
}

function parentsOf(dependencies: readonly Json[]): ReadonlyMap<string, readonly string[]> {
  const parents = new Map<string, string[]>();
  for (const { id, children } of dependencies) {
    for (const child of listOf(children).map(textOf)) {
      parents.set(child, [...(parents.get(child) ?? []), textOf(id)]);
    }
  }
  return parents;
}

function filesOf(job: Json, sizes: ReadonlyMap<string, number>): TaskFiles {
  const uses = listOf(job.uses).map(mappingOf);
  const nameOf = ({ lfn }: Json): string => textOf(lfn);
  return {
    id: textOf(job.id),
    reads: uses.filter(({ type }) => type === "input").map(nameOf),
    writes: uses
      .filter(({ type }) => type === "output")
      .map((of) => ({ name: nameOf(of), bytes: numberOf(of.size) ?? sizes.get(nameOf(of)) ?? 0 })),
  };
}
