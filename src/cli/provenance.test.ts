import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { aJob, capturedProgram } from "../../test/captured-program.ts";
import type { JobSubmission, ProvenanceView } from "../api/client/index.ts";

const folder = mkdtempSync(join(tmpdir(), "stint-provenance-"));
const data = join(folder, "data.txt");
beforeEach(() => writeFileSync(data, "one\n"));

function told(change: Partial<ProvenanceView> = {}): ProvenanceView {
  const sha256 = createHash("sha256").update("one\n").digest("hex");
  return {
    job: aJob({
      id: "7f3a",
      executable: "sh",
      arguments: ["-c", "a b"],
      owner: "ann",
      site: "elm",
      result: "ok",
    }),
    stint: "1.2.3",
    description: {
      ...{ executable: "sh", arguments: ["-c", "a b"], environment: { A: "1" }, inputSandbox: [data] },
      ...{ reservation: "9c", after: ["ok:1"], site: "oak", wallTimeSec: 60 },
    },
    inputs: { digest: "d", files: [{ path: data, name: "data.txt", sha256 }] },
    site: { name: "elm", kind: "slurm" },
    outputs: [{ name: "out 1.txt", sizeBytes: 7 }],
    ...change,
  };
}

function brokerOf(view: ProvenanceView) {
  const submitted: JobSubmission[] = [];
  const client = {
    submitted,
    provenance: async () => view,
    events: async () => ({ items: [], next: null, head: 3, archives: [] }),
    ...{ call: async () => ({ items: [] }) as never, workflows: async () => [] },
    submit: async (jobs: readonly JobSubmission[]) => {
      submitted.push(...jobs);
      return ["8b2c"];
    },
  };
  return client;
}

const json = async (form: string) =>
  JSON.parse((await capturedProgram(brokerOf(told())).call("provenance", "7f3a", "-o", form)).out);

describe("stint provenance", () => {
  it("FO-153 json is everything, prov the statements of PROV-JSON", async () => {
    expect(await json("json")).toEqual({ ...told(), events: [] });
    const prov = await json("prov");
    const run = "stint:job/7f3a";
    expect(Object.keys(prov)).toEqual([
      ...["prefix", "entity", "activity", "agent", "used", "wasGeneratedBy", "wasAssociatedWith"],
    ]);
    // Whatever a relation names is there.
    const known = { ...prov.entity, ...prov.activity, ...prov.agent };
    for (const relations of [prov.used, prov.wasGeneratedBy, prov.wasAssociatedWith]) {
      for (const named of Object.values(relations).flatMap((one) => Object.values(one as object))) {
        expect(known).toHaveProperty([named]);
      }
    }
    expect(prov.wasGeneratedBy["_:generated1"]).toEqual({
      ...{ "prov:entity": `${run}/output/out 1.txt`, "prov:activity": run },
    });
  });

  it("FO-153 ro-crate: descriptor, root with its parts, run; every reference is there", async () => {
    const { "@context": context, "@graph": graph } = await json("ro-crate");
    expect(context).toBe("https://w3id.org/ro/crate/1.1/context");
    expect(graph[0]).toEqual({
      ...{ "@id": "ro-crate-metadata.json", "@type": "CreativeWork", about: { "@id": "./" } },
      conformsTo: { "@id": "https://w3id.org/ro/crate/1.1" },
    });
    const ids = new Set(graph.map((one: { "@id": string }) => one["@id"]));
    const written = [...JSON.stringify(graph).matchAll(/:\[?\{"@id":"([^"]+)"\}/g)];
    const references = written.map(([, id]) => id);
    expect(references.filter((id) => !ids.has(id) && !id?.startsWith("https:"))).toEqual([]);
    expect(graph[1]).toMatchObject({ "@id": "./", "@type": "Dataset", hasPart: [{ "@id": "out%201.txt" }] });
    expect(graph[2]).toMatchObject({ "@type": "CreateAction", object: [{ "@id": "#input-data.txt" }] });
    expect(graph[2].actionStatus).toBe("http://schema.org/CompletedActionStatus");
  });
});

describe("stint rerun", () => {
  it("submits the same at the same site, and lists what cannot be reproduced", async () => {
    const broker = brokerOf(told());
    const { out, err } = await capturedProgram(broker).call("rerun", "7f3a");
    expect(out).toBe("8b2c\n");
    expect(err).toBe(
      "stint: not the same: its reservation is not taken again\n" +
        "stint: not the same: it does not wait for other jobs\n",
    );
    expect(broker.submitted).toEqual([
      {
        ...{ executable: "sh", arguments: ["-c", "a b"], environment: { A: "1" }, inputSandbox: [data] },
        ...{ wallTimeSec: 60, site: "elm" },
      },
    ]);
  });

  it("a changed or missing input file is refused, unless it is meant", async () => {
    writeFileSync(data, "two\n");
    const refused = await capturedProgram(brokerOf(told())).call("rerun", "7f3a");
    expect(refused).toMatchObject({ code: 5, out: "" });
    expect(refused.err).toContain(`${data} has changed`);
    const meant = await capturedProgram(brokerOf(told())).call("rerun", "7f3a", "--anyway");
    expect(meant.out).toBe("8b2c\n");
    expect(meant.err).toContain(`not the same: ${data} has changed`);
    rmSync(data);
    const gone = await capturedProgram(brokerOf(told())).call("rerun", "7f3a");
    expect(gone.err).toContain(`${data} cannot be read`);
  });

  it("a site that is gone, and variables that nobody shows", async () => {
    const view = told({ site: null, description: { executable: "sh" } });
    const { err } = await capturedProgram(brokerOf(view)).call("rerun", "7f3a");
    expect(err).toContain("site elm is gone");
    expect(err).toContain("variables of its environment");
  });

  it("a stream and a pilot of a workflow do not run again alone", async () => {
    const stream = { ...brokerOf(told()), call: async () => ({ items: [{ id: "7f3a" }] }) as never };
    const ofStream = await capturedProgram(stream).call("rerun", "7f3a");
    expect(ofStream).toMatchObject({ code: 5, out: "" });
    expect(ofStream.err).toContain("it is a stream");
    const view = told();
    const pilot = brokerOf({ ...view, job: { ...view.job, id: "w5k2-p0" } });
    const workflows = async () => [{ id: "w5k2" }] as never;
    const ofPilot = await capturedProgram({ ...pilot, workflows }).call("rerun", "w5k2-p0");
    expect(ofPilot.err).toContain("it is a pilot of workflow w5k2");
    expect([stream.submitted, pilot.submitted]).toEqual([[], []]);
  });
});
