/** `/webhooks`: addresses that are told of events. */
import { Type } from "typebox";
import { count, instant, orNull, ref, type Shape, shortId, strict } from "./fields.ts";

/** Request for a webhook. */
export const webhookRequest = Type.Object(
  {
    url: Type.String({ maxLength: 2000, description: "An http or https address, without a password" }),
    kinds: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 200,
        description: "Kinds of events, such as attemptEnded; all where absent",
      }),
    ),
    allowPrivate: Type.Optional(
      Type.Boolean({
        description: "Whether the address may be on the broker's machine or in a private network",
      }),
    ),
  },
  strict,
);

/** `/webhooks/:id` */
export const webhookParameters = Type.Object({ id: shortId });

const fields = {
  id: Type.String(),
  url: Type.String(),
  kinds: Type.Array(Type.String(), { description: "Kinds of events that are posted; an empty list: all" }),
  allowPrivate: Type.Boolean(),
  createdBy: Type.String(),
  createdAt: instant,
  throughSeq: Type.Integer({
    minimum: 0,
    description: "Number of the last event that was delivered or abandoned",
  }),
  failing: orNull(
    Type.Object(
      { seq: Type.Integer(), tries: count, why: Type.String() },
      { ...strict, description: "Event that could not be delivered yet and will be sent again" },
    ),
  ),
  dead: Type.Array(
    Type.Object(
      { seq: Type.Integer(), kind: Type.String(), at: instant, why: Type.String() },
      { ...strict, description: "An event whose delivery failed for good" },
    ),
  ),
};

/** A webhook. */
export const webhookSchema = Type.Object(fields, { ...strict, description: "A webhook, without its secret" });
/** All of them. */
export const webhookListSchema = Type.Object(
  { items: Type.Array(ref<WebhookView>("Webhook")) },
  { ...strict, description: "Webhooks" },
);
/** A new one, with what signs its requests. */
export const newWebhookSchema = Type.Object(
  { ...fields, secret: Type.String({ description: "Key of the signatures; shown only in this response" }) },
  { ...strict, description: "A new webhook, with its secret" },
);

/** A webhook. */
export type WebhookView = Shape<typeof webhookSchema>;
/** Request for a webhook. */
export type WebhookRequestView = Shape<typeof webhookRequest>;
/** A new webhook with its secret. */
export type NewWebhookView = Shape<typeof newWebhookSchema>;
