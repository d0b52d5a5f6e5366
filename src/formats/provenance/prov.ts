/** Provenance as PROV-JSON of the W3C: files are entities, the run is an activity, people are agents. */
import { commandOf, type Provenance } from "./provenance.ts";

const text = (value: string) => ({ $: value, type: "xsd:string" });

/** The document as plain data. */
export function provDocument(provenance: Provenance): object {
  const { job, inputs, outputs, site, stint, events } = provenance;
  const run = `stint:job/${job.id}`;
  const owner = `stint:owner/${job.owner}`;
  const program = `stint:job/${job.id}/program`;
  const inputIds = inputs.files.map(({ name }) => `stint:job/${job.id}/input/${name}`);
  const outputIds = outputs.map(({ name }) => `stint:job/${job.id}/output/${name}`);
  return {
    prefix: { stint: "urn:stint:", xsd: "http://www.w3.org/2001/XMLSchema#" },
    entity: {
      [program]: { "prov:label": text(commandOf(provenance)) },
      ...named(inputIds, (at) => {
        const { path, sha256 } = inputs.files[at] ?? { path: "", sha256: null };
        return { "prov:location": text(path), ...(sha256 === null ? {} : { "stint:sha256": text(sha256) }) };
      }),
      ...named(outputIds, (at) => ({ "stint:sizeBytes": outputs[at]?.sizeBytes ?? 0 })),
    },
    activity: {
      [run]: {
        ...(job.startedAt === null ? {} : { "prov:startTime": job.startedAt }),
        ...(job.endedAt === null ? {} : { "prov:endTime": job.endedAt }),
        "stint:state": text(job.state),
        ...(job.exitCode === null ? {} : { "stint:exitCode": job.exitCode }),
        ...(site === null ? {} : { "prov:location": text(site.name) }),
        "stint:events": events.length,
      },
    },
    agent: {
      [owner]: { "prov:type": { $: "prov:Person", type: "xsd:QName" } },
      "stint:broker": {
        "prov:type": { $: "prov:SoftwareAgent", type: "xsd:QName" },
        "stint:version": text(stint),
      },
    },
    used: relations("used", [program, ...inputIds], (entity) => ({
      "prov:activity": run,
      "prov:entity": entity,
    })),
    wasGeneratedBy: relations("generated", outputIds, (entity) => ({
      "prov:entity": entity,
      "prov:activity": run,
    })),
    wasAssociatedWith: relations("associated", [owner, "stint:broker"], (agent) => ({
      "prov:activity": run,
      "prov:agent": agent,
    })),
  };
}

function named(ids: readonly string[], of: (at: number) => object): Readonly<Record<string, object>> {
  return Object.fromEntries(ids.map((id, at) => [id, of(at)]));
}

function relations(
  name: string,
  subjects: readonly string[],
  of: (subject: string) => object,
): Readonly<Record<string, object>> {
  return Object.fromEntries(subjects.map((subject, at) => [`_:${name}${at + 1}`, of(subject)]));
}
