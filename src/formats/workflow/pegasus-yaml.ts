/**
 * Pegasus workflows in YAML, the successor of DAX since Pegasus 5.
 *
 * Jobs have `uses` (logical files, `input` or `output`) and profiles; dependencies are a list of their own. A
 * size stands with the file's use or in the replica catalogue, which also says which sites have a file that
 * no job writes. Source: schema wf-5.0 [PEGASUS].
 */
import { plainValue, yamlDocuments } from "../yaml/index.ts";
import { type Json, listOf, mappingOf, numberOf, textOf } from "./plain-json.ts";
import { bytesBetween, type DraftReading, millisecondsOf, stagedFiles, type TaskFiles } from "./reading.ts";

/** The workflow of a text in YAML. */
export function readPegasusYaml(text: string): DraftReading {
  const { notes, documents } = yamlDocuments(text);
  const [document] = documents();
  const { problems } = notes.collected();
  if (document === undefined || problems.length > 0) return { draft: undefined, problems };
  const whole = mappingOf(plainValue(document.value));
  const jobs = listOf(whole.jobs).map(mappingOf);
  const replicas = listOf(mappingOf(whole.replicaCatalog).replicas).map(mappingOf);
  const known = new Map(replicas.map((it) => [textOf(it.lfn), it]));
  const files = jobs.map((job) => filesOf(job, known));
  const bytes = bytesBetween(files);
  const staged = stagedFiles(files);
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
      ...staged(id),
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

/** @param replicas entries of the replica catalogue, by name */
function filesOf(job: Json, replicas: ReadonlyMap<string, Json>): TaskFiles {
  const files = (wanted: string) =>
    listOf(job.uses)
      .map(mappingOf)
      .filter(({ type }) => type === wanted)
      .map((of) => {
        const name = textOf(of.lfn);
        const { size, pfns } = replicas.get(name) ?? {};
        const at = listOf(pfns).map((pfn) => textOf(mappingOf(pfn).site));
        return { name, bytes: numberOf(of.size) ?? numberOf(size), at };
      });
  return {
    id: textOf(job.id),
    reads: files("input"),
    writes: files("output").map(({ name, bytes = 0 }) => ({ name, bytes })),
  };
}
