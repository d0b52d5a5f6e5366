/** `/vos`: how organisations place their own jobs. */
import { type VoView, voParameters, voRequestSchema } from "../../contract/index.ts";
import { mayDo } from "../../engine/index.ts";
import type { VoRecord } from "../../model/index.ts";
import { whoOf } from "../identity.ts";
import { isoInstant } from "../iso-instant.ts";
import { refusalProblem } from "../problem.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Registers the routes of organisations. */
export function addVos(api: Api, world: RouteWorld): void {
  addLooks(api, world);
  addChange(api, world);
}

function addLooks(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("listVos"),
    {
      config: forThoseWhoMay("seeVo"),
      schema: {
        summary: "List how the organisations that the caller may see place their jobs",
        tags: ["vos"],
        response: answers("VoList", 200),
      },
    },
    async (request) => {
      const who = whoOf(request);
      return {
        items: brokerApi
          .query("vos")
          .filter(({ vo }) => mayDo(who, "seeVo", { consumer: vo }))
          .map(voView),
      };
    },
  );
  api.get(
    urlOf("getVo"),
    {
      config: forThoseWhoMay("seeVo"),
      schema: {
        summary: "Show how an organisation places its jobs",
        tags: ["vos"],
        params: voParameters,
        response: answers("Vo", 200),
      },
    },
    async (request) => {
      const { name } = request.params;
      guard.demand(request, "seeVo", { consumer: name });
      return viewOf(brokerApi.query("vos"), name);
    },
  );
}

function addChange(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.put(
    urlOf("changeVo"),
    {
      config: forThoseWhoMay("changeVo"),
      schema: {
        summary: "Set how an organisation places its jobs, from now on",
        tags: ["vos"],
        params: voParameters,
        body: voRequestSchema,
        response: answers("Vo", 200),
      },
    },
    async (request) => {
      const { name: vo } = request.params;
      const { owner: by } = guard.demand(request, "changeVo", { consumer: vo });
      const answer = await brokerApi.ask({ kind: "changeVo", vo, ...request.body, by });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return viewOf(brokerApi.query("vos"), vo);
    },
  );
}

/** An organisation; without settings its jobs are placed by the defaults. */
function viewOf(records: readonly VoRecord[], name: string): VoView {
  const record = records.find(({ vo }) => vo === name);
  const silent = { vo: name, selector: null, enforcement: null, changedAt: null, by: null };
  return record === undefined ? { ...silent, lastSite: null, sentAt: {} } : voView(record);
}

function voView({ changedAtMs, sentAtMs, vo, selector, enforcement, by, lastSite }: VoRecord): VoView {
  const sentAt = Object.entries(sentAtMs).map(([site, atMs]) => [site, isoInstant(atMs)]);
  return {
    ...{ vo, selector, enforcement, changedAt: isoInstant(changedAtMs), by, lastSite },
    sentAt: Object.fromEntries(sentAt),
  };
}
