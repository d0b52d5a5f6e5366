/** `/tickets` and `/ticket-keys`: remaining amounts of tickets, and trusted keys. */

import type { FastifyRequest } from "fastify";
import {
  ticketCheckRequestSchema,
  ticketKeyParameters,
  ticketKeyRequestSchema,
} from "../../contract/index.ts";
import { mayDo } from "../../engine/index.ts";
import { readPublicKey, ticketKeyId } from "../../formats/ticket/index.ts";
import { isWithin, type Ticket, type TicketKeyRecord } from "../../model/index.ts";
import { whoOf } from "../identity.ts";
import { refusalProblem } from "../problem.ts";
import { ticketCheckView, ticketKeyView, ticketView } from "../ticket-view.ts";
import { invalid } from "../validator.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Registers the routes of tickets. */
export function addTickets(api: Api, world: RouteWorld): void {
  addLooks(api, world);
  addCheck(api, world);
  addTrust(api, world);
  addRevoke(api, world);
}

function addLooks(api: Api, { brokerApi }: RouteWorld): void {
  api.get(
    urlOf("listTickets"),
    {
      config: forThoseWhoMay("seeUsage"),
      schema: {
        summary: "List tickets in use, with their remaining amounts",
        tags: ["tickets"],
        response: answers("TicketList", 200),
      },
    },
    async (request) => ({
      items: brokerApi
        .query("tickets")
        .filter(({ ticket }) => isSeen(request, ticket))
        .map(ticketView),
    }),
  );
  api.get(
    urlOf("listTicketKeys"),
    {
      config: forThoseWhoMay("seePolicy"),
      schema: {
        summary: "List trusted and revoked keys",
        tags: ["tickets"],
        response: answers("TicketKeyList", 200),
      },
    },
    async () => ({ items: brokerApi.query("ticketKeys").map(ticketKeyView) }),
  );
}

function addCheck(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    urlOf("checkTicket"),
    {
      config: forThoseWhoMay("seeUsage"),
      schema: {
        summary: "Check whether a ticket would be accepted, and its remaining amount; records nothing",
        tags: ["tickets"],
        body: ticketCheckRequestSchema,
        response: answers("TicketCheck", 200),
      },
    },
    async (request) => {
      const check = brokerApi.checkTicket(request.body.ticket);
      const { ticket } = check;
      if (ticket !== null && !isSeen(request, ticket)) guard.demand(request, "seeUsage", ticket);
      return ticketCheckView(check);
    },
  );
}

function addTrust(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    urlOf("trustTicketKey"),
    {
      config: forThoseWhoMay("changePolicy"),
      schema: {
        summary: "Trust a key to sign tickets for a VO",
        tags: ["tickets"],
        body: ticketKeyRequestSchema,
        response: answers("TicketKey", 201),
      },
    },
    async (request, reply) => {
      const { owner: by } = guard.demand(request, "changePolicy", {});
      const { publicKey, vo, label = "" } = request.body;
      const key = keyGiven(publicKey);
      const answer = await brokerApi.ask({ kind: "trustTicketKey", key, vo, publicKey, label, by });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      reply.code(201);
      return ticketKeyView(keyNamed(brokerApi.query("ticketKeys"), key));
    },
  );
}

function addRevoke(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.delete(
    urlOf("revokeTicketKey"),
    {
      config: forThoseWhoMay("changePolicy"),
      schema: {
        summary: "Revoke a key for good; jobs accepted under its tickets continue",
        tags: ["tickets"],
        params: ticketKeyParameters,
        response: answers("TicketKey", 200),
      },
    },
    async (request) => {
      const { owner: by } = guard.demand(request, "changePolicy", {});
      const { id: key } = request.params;
      const answer = await brokerApi.ask({ kind: "revokeTicketKey", key, by });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return ticketKeyView(keyNamed(brokerApi.query("ticketKeys"), key));
    },
  );
}

/** True for callers who may see the use of the ticket's consumer, or may use the ticket. */
function isSeen(request: FastifyRequest, { consumer, site }: Ticket): boolean {
  const who = whoOf(request);
  return mayDo(who, "seeUsage", { consumer, site }) || isWithin(who.consumer, consumer);
}

/** Id of a valid key. */
function keyGiven(publicKey: string): string {
  try {
    readPublicKey(publicKey);
  } catch {
    const detail = "it is no public key: ed25519: and 43 letters, digits, - and _";
    throw invalid([{ pointer: "/publicKey", detail }]);
  }
  return ticketKeyId(publicKey);
}

function keyNamed(keys: readonly TicketKeyRecord[], key: string): TicketKeyRecord {
  const found = keys.find(({ id }) => id === key);
  if (found === undefined) throw refusalProblem({ kind: "unknownTicketKey", key });
  return found;
}
