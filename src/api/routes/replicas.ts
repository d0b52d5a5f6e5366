/** `/replicas`: lists files with their copies, records copies, removes them. */
import { replicaQuery, replicaRemoval, replicaRequest } from "../../contract/index.ts";
import { folderOf } from "../../model/index.ts";
import { refusalProblem } from "../problem.ts";
import { invalid } from "../validator.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Registers the routes. */
export function addReplicas(api: Api, { brokerApi, guard }: RouteWorld): void {
  const listed = (under: string) => ({ items: brokerApi.query("replicas", under) });
  api.get(
    urlOf("listReplicas"),
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        summary: "List files of the replica catalogue with their copies",
        ...{ tags: ["sites"], querystring: replicaQuery, response: answers("ReplicaList", 200) },
      },
    },
    async ({ query }) => listed(query.under ?? ""),
  );
  api.post(
    urlOf("addReplica"),
    {
      config: forThoseWhoMay("changeReplica"),
      schema: {
        summary: "Record a copy of a file in a store of a site; nothing is transferred",
        ...{ tags: ["sites"], body: replicaRequest, response: answers("ReplicaList", 200) },
      },
    },
    async (request) => {
      const { name } = request.body;
      const { owner: by } = guard.demand(request, "changeReplica", { consumer: folderOf(name) });
      const answer = await brokerApi.ask({ kind: "addReplica", ...request.body, by });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return listed(name);
    },
  );
  api.delete(
    urlOf("removeReplica"),
    {
      config: forThoseWhoMay("changeReplica"),
      schema: {
        summary: "Remove one copy of a file from the catalogue, or all; deletes no file",
        ...{ tags: ["sites"], querystring: replicaRemoval, response: answers("ReplicaList", 200) },
      },
    },
    async (request) => {
      const { name, site, store } = request.query;
      if ((site === undefined) !== (store === undefined)) {
        throw invalid([{ pointer: "/store", detail: "a copy is named by its site and its store" }]);
      }
      const at = site === undefined || store === undefined ? null : { site, store };
      const { owner: by } = guard.demand(request, "changeReplica", { consumer: folderOf(name) });
      const answer = await brokerApi.ask({ kind: "removeReplica", name, at, by });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return listed(name);
    },
  );
}
