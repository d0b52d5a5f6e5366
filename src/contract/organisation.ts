/**
 * How organisations have their jobs placed, as it is asked for and as the API writes it.
 */
import { Type } from "typebox";
import { SITE_SELECTORS } from "../model/index.ts";
import { ref, type Shape, strict } from "./fields.ts";

const extraPpm = Type.Integer({
  ...{ minimum: 0, maximum: 1_000_000 },
  description: "Jobs beyond a group's share that keep the sites' queues filled: of what it has, in ppm",
});
const selector = Type.Union([Type.Enum([...SITE_SELECTORS]), Type.Null()], {
  description: "Which of several sites takes a job; null: the one that would start it earliest",
});
const enforcement = Type.Union([Type.Object({ extraPpm }, strict), Type.Null()], {
  description: "Its groups' jobs go to sites when it is their turn; null: as they come",
});
const voName = Type.String({
  pattern: "^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}$",
  description: "the first name of a consumer path, without what is below it",
});

/** `/vos/:name` */
export const voParameters = Type.Object({ name: voName }, strict);

/** `PUT /vos/:name` */
export const voRequestSchema = Type.Object({ selector, enforcement }, strict);

/** An organisation. */
export const voSchema = Type.Object(
  {
    vo: voName,
    selector,
    enforcement,
    changedAt: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
    by: Type.Union([Type.String(), Type.Null()], { description: "Who said it; null: nobody has yet" }),
    lastSite: Type.Union([Type.String(), Type.Null()], { description: "Where its last job was sent" }),
    sentAt: Type.Record(Type.String(), Type.String({ format: "date-time" }), {
      description: "When its last job was sent to each site, since it said something",
    }),
  },
  { ...strict, description: "How an organisation has its jobs placed" },
);

/** The list of them. */
export const voListSchema = Type.Object(
  { items: Type.Array(ref<VoView>("Vo")) },
  { ...strict, description: "The organisations that have said how their jobs are placed" },
);

/** How an organisation wants its jobs placed. */
export type VoRequest = Shape<typeof voRequestSchema>;
/** An organisation. */
export type VoView = Shape<typeof voSchema>;
