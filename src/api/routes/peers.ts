/** `/dispatches`, `/peers`: jobs that this broker and others have sent to clusters. */

import { assert } from "../../base/index.ts";
import { dispatchesSchema, peerParameters } from "../../contract/index.ts";
import { dispatchesGiven, dispatchesView } from "../dispatches.ts";
import { peerView } from "../peer-view.ts";
import { refusalProblem } from "../problem.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Registers the routes of peers. */
export function addPeers(api: Api, world: RouteWorld): void {
  addLooks(api, world);
  addHear(api, world);
}

function addLooks(api: Api, { brokerApi }: RouteWorld): void {
  api.get(
    urlOf("listDispatches"),
    {
      config: forThoseWhoMay("exchange"),
      schema: {
        summary:
          "List the active jobs that this broker has submitted to clusters, without those of other brokers",
        tags: ["peers"],
        response: answers("Dispatches", 200),
      },
    },
    async () => dispatchesView(brokerApi.query("dispatches")),
  );
  api.get(
    urlOf("listPeers"),
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        summary: "List other brokers that use the same clusters, with their last report and its counted use",
        tags: ["peers"],
        response: answers("PeerList", 200),
      },
    },
    async () => ({ items: brokerApi.query("peers").map(peerView) }),
  );
}

function addHear(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.put(
    urlOf("hearPeer"),
    {
      config: forThoseWhoMay("changeSite"),
      schema: {
        summary: "Report the jobs that another broker has submitted to clusters; replaces its earlier report",
        tags: ["peers"],
        params: peerParameters,
        body: dispatchesSchema,
        response: answers("Peer", 200),
      },
    },
    async (request) => {
      // Of no site in particular: what is told may be of any.
      const { owner: by } = guard.demand(request, "changeSite", {});
      const { name: peer } = request.params;
      const answer = await brokerApi.ask({ kind: "hearPeer", peer, ...dispatchesGiven(request.body), by });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      const heard = brokerApi.query("peers").find((it) => it.peer === peer);
      assert(heard !== undefined, "what was heard is known");
      return peerView(heard);
    },
  );
  api.delete(
    urlOf("forgetPeer"),
    {
      config: forThoseWhoMay("changeSite"),
      schema: {
        summary: "Stop counting the jobs of another broker",
        tags: ["peers"],
        params: peerParameters,
        response: answers("PeerList", 200),
      },
    },
    async (request) => {
      const { owner: by } = guard.demand(request, "changeSite", {});
      const answer = await brokerApi.ask({ kind: "forgetPeer", peer: request.params.name, by });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return { items: brokerApi.query("peers").map(peerView) };
    },
  );
}
