/** Placement settings of organisations: requests and responses. */
import { Type } from "typebox";
import { SITE_SELECTORS } from "../model/index.ts";
import { ref, type Shape, strict } from "./fields.ts";

const extraPpm = Type.Integer({
  ...{ minimum: 0, maximum: 1_000_000 },
  description: "Jobs submitted beyond a group's share to keep the sites' queues filled, in ppm of the share",
});
const selector = Type.Union([Type.Enum([...SITE_SELECTORS]), Type.Null()], {
  description: "Selector among sites; null: the earliest start",
});
const enforcement = Type.Union([Type.Object({ extraPpm }, strict), Type.Null()], {
  description: "Order of its groups' jobs; null: as they arrive",
});
const voName = Type.String({
  pattern: "^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}$",
  description: "the first name of a consumer path, without what is below it",
});

/** `/vos/:name` */
export const voParameters = Type.Object({ name: voName }, strict);

/** `PUT /vos/:name` */
export const voRequestSchema = Type.Object({ selector, enforcement }, strict);

/** An organisation with its settings. */
export const voSchema = Type.Object(
  {
    vo: voName,
    selector,
    enforcement,
    changedAt: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
    by: Type.Union([Type.String(), Type.Null()], { description: "Author of the settings; null: none yet" }),
    lastSite: Type.Union([Type.String(), Type.Null()], {
      description: "Site to which its last job was submitted",
    }),
    sentAt: Type.Record(Type.String(), Type.String({ format: "date-time" }), {
      description: "When a job was last submitted to each site, since the settings exist",
    }),
  },
  { ...strict, description: "How an organisation places its jobs" },
);

/** List of organisations. */
export const voListSchema = Type.Object(
  { items: Type.Array(ref<VoView>("Vo")) },
  { ...strict, description: "Organisations with settings for the placement of their jobs" },
);

/** Settings for the placement of an organisation's jobs. */
export type VoRequest = Shape<typeof voRequestSchema>;
/** An organisation with its settings. */
export type VoView = Shape<typeof voSchema>;
