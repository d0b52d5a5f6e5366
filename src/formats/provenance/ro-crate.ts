/**
 * Provenance as the metadata file of an RO-Crate 1.1: the folder with the outputs is the crate, the run an
 * action with inputs and results.
 */
import { commandOf, type Provenance } from "./provenance.ts";

const ACTION_STATES: Readonly<Record<string, string>> = {
  ok: "http://schema.org/CompletedActionStatus",
  failed: "http://schema.org/FailedActionStatus",
};
const id = (value: string) => ({ "@id": value });

/** `ro-crate-metadata.json` as plain data. */
export function roCrate(provenance: Provenance): object {
  const { job, inputs, outputs, site, stint } = provenance;
  const owner = `#owner-${encodeURIComponent(job.owner)}`;
  const inputIds = inputs.files.map(({ name }) => `#input-${encodeURI(name)}`);
  const outputIds = outputs.map(({ name }) => encodeURI(name));
  const ended = job.endedAt === null ? {} : { endTime: job.endedAt };
  const title = job.name ?? `job ${job.id}`;
  return {
    "@context": "https://w3id.org/ro/crate/1.1/context",
    "@graph": [
      {
        ...{ "@id": "ro-crate-metadata.json", "@type": "CreativeWork" },
        ...{ conformsTo: id("https://w3id.org/ro/crate/1.1"), about: id("./") },
      },
      {
        ...{ "@id": "./", "@type": "Dataset", name: title, description: commandOf(provenance) },
        datePublished: job.endedAt ?? job.submittedAt,
        ...{ hasPart: outputIds.map(id), mentions: id("#run") },
      },
      {
        ...{ "@id": "#run", "@type": "CreateAction", name: title, description: commandOf(provenance) },
        ...(job.startedAt === null ? {} : { startTime: job.startedAt }),
        ...ended,
        ...{ agent: id(owner), instrument: id("#program"), object: inputIds.map(id) },
        ...{ result: outputIds.map(id), actionStatus: ACTION_STATES[job.result ?? ""] },
        ...(site === null ? {} : { location: id("#site") }),
      },
      {
        ...{ "@id": "#program", "@type": "SoftwareApplication", name: job.executable },
        softwareRequirements: id("#stint"),
      },
      { "@id": "#stint", "@type": "SoftwareApplication", name: "Stint", version: stint },
      { "@id": owner, "@type": "Person", name: job.owner },
      ...(site === null ? [] : [{ "@id": "#site", "@type": "Place", name: site.name }]),
      ...inputs.files.map(({ path, name, sha256 }, at) => ({
        ...{ "@id": inputIds[at], "@type": "File", name, alternateName: path },
        ...(sha256 === null ? {} : { identifier: `sha256:${sha256}` }),
      })),
      ...outputs.map(({ name, sizeBytes }, at) => ({
        ...{ "@id": outputIds[at], "@type": "File", name, contentSize: String(sizeBytes) },
      })),
    ],
  };
}
