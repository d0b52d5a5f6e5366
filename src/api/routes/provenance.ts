/** `/jobs/:id/provenance`: where the result of a job came from. */
import { jobParameters } from "../../contract/index.ts";
import { asSubmitted, type JobRecord, sandboxName } from "../../model/index.ts";
import { findJob } from "../find-job.ts";
import { jobView } from "../job-view.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Registers the route. */
export function addProvenance(api: Api, { brokerApi, guard, version }: RouteWorld): void {
  api.get(
    urlOf("getProvenance"),
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        summary: "Show where the result of a job came from: description, input hashes, site, outputs",
        tags: ["jobs"],
        params: jobParameters,
        response: answers("Provenance", 200),
      },
    },
    async (request) => {
      const job = await findJob({ brokerApi, guard, request }, request.params.id);
      const { environment, ...described } = asSubmitted(job.description);
      const site = brokerApi.sites().find(({ name }) => name === job.site);
      return {
        job: jobView(job),
        stint: version,
        // Variables may hold secrets, which seeing a job does not show.
        description: guard.permits(request, "hold", job) ? { ...described, environment } : described,
        inputs: inputsOf(job),
        site: site === undefined ? null : { name: site.name, kind: site.spec.type },
        outputs: [...(await brokerApi.listFiles(job.id))],
      };
    },
  );
}

function inputsOf({ inputs, description }: JobRecord) {
  const files = description.inputSandbox.map((path) => {
    const name = sandboxName(path);
    return { path, name, sha256: inputs?.files?.[name] ?? null };
  });
  return { digest: inputs?.digest ?? null, files };
}
