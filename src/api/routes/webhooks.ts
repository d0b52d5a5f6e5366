/** `/webhooks`: makes, lists and removes webhooks, and sends once more what was given up. */
import { nearestWord } from "../../base/index.ts";
import { type WebhookView, webhookParameters, webhookRequest } from "../../contract/index.ts";
import { EVENT_VERSIONS } from "../../model/index.ts";
import type { Webhook } from "../../runtime/index.ts";
import { whoOf } from "../identity.ts";
import { isoInstant } from "../iso-instant.ts";
import { ProblemError } from "../problem.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

const KINDS = Object.keys(EVENT_VERSIONS);
const config = forThoseWhoMay("manageWebhooks");

/** Registers the routes. */
export function addWebhooks(api: Api, world: RouteWorld): void {
  const { webhooks } = world;
  api.get(
    urlOf("listWebhooks"),
    { config, schema: { summary: "List webhooks", tags: ["events"], response: answers("WebhookList", 200) } },
    async () => ({ items: webhooks.list().map(webhookView) }),
  );
  addCreate(api, world);
  for (const [operation, method, summary] of [
    ["removeWebhook", "delete", "Remove a webhook"],
    ["redeliverWebhook", "post", "Send abandoned events again"],
  ] as const) {
    const act = operation === "removeWebhook" ? webhooks.remove : webhooks.redeliver;
    api[method](
      urlOf(operation),
      {
        config,
        schema: {
          ...{ summary, tags: ["events"], params: webhookParameters },
          response: answers("Webhook", 200),
        },
      },
      async (request) => {
        const { id } = request.params;
        const ids = webhooks.list().map((webhook) => webhook.id);
        const found = ids.filter((one) => one.startsWith(id));
        const changed = found.length === 1 && found[0] !== undefined ? await act(found[0]) : undefined;
        if (changed === undefined) throw unknownWebhook(id);
        return webhookView(changed);
      },
    );
  }
}

function addCreate(api: Api, { webhooks }: RouteWorld): void {
  api.post(
    urlOf("createWebhook"),
    {
      config,
      schema: {
        summary: "Make a webhook; only this response has its secret",
        description:
          "Every event from now on is posted to its address as JSON, signed in the header stint-signature " +
          "(`t=SECONDS,v1=HEX`: HMAC-SHA256 of the seconds, a full stop and the body).",
        tags: ["events"],
        body: webhookRequest,
        response: answers("NewWebhook", 201),
      },
    },
    async (request, reply) => {
      const { url, kinds = [], allowPrivate = false } = request.body;
      demandUrl(url);
      for (const kind of kinds) if (!KINDS.includes(kind)) throw unknownKind(kind);
      const by = whoOf(request).owner;
      const made = await webhooks.add({ url, kinds, isPrivateAllowed: allowPrivate, by });
      reply.code(201).header("cache-control", "no-store");
      return { ...webhookView(made.webhook), secret: made.secret };
    },
  );
}

function webhookView({ isPrivateAllowed, by, createdAtMs, dead, ...same }: Webhook): WebhookView {
  return {
    ...same,
    allowPrivate: isPrivateAllowed,
    createdBy: by,
    createdAt: isoInstant(createdAtMs),
    dead: dead.map(({ atMs, ...letter }) => ({ ...letter, at: isoInstant(atMs) })),
  };
}

function demandUrl(url: string): void {
  const parsed = URL.parse(url);
  const isUsable = parsed !== null && ["http:", "https:"].includes(parsed.protocol);
  if (isUsable && parsed.username === "" && parsed.password === "" && parsed.hash === "") return;
  throw new ProblemError({
    ...{ status: 422, code: "webhookUrl", facts: { pointer: "/url" } },
    what: "the webhook's address cannot be used",
    why: "it is one of http or https, without user, password and fragment",
    remedy: "write for instance https://hooks.example.org/stint",
  });
}

function unknownKind(kind: string): ProblemError {
  const nearest = nearestWord(kind, KINDS);
  return new ProblemError({
    ...{ status: 422, code: "unknownEventKind", facts: { pointer: "/kinds" } },
    what: `there are no events of the kind ${JSON.stringify(kind.slice(0, 64))}`,
    why: "a webhook selects events by their kinds in the log",
    remedy: nearest === undefined ? "see stint events -o wide for kinds" : `did you mean ${nearest}?`,
  });
}

function unknownWebhook(id: string): ProblemError {
  return new ProblemError({
    ...{ status: 404, code: "unknownWebhook" },
    what: `no webhook ${JSON.stringify(id.slice(0, 64))} was found`,
    why: "none has this id, or several begin with it",
    remedy: "see stint webhook list",
  });
}
