/** Fields of a description about mail. */
import { Type } from "typebox";
import { MAIL_ADDRESS_PATTERN, MAIL_OCCASIONS } from "../model/index.ts";

/** When mail is sent, and to whom. */
export const mailFields = {
  mail: Type.Optional(
    Type.Array(Type.Enum([...MAIL_OCCASIONS]), {
      ...{ minItems: 1, maxItems: MAIL_OCCASIONS.length, uniqueItems: true },
      description: "When mail about the job is sent, if the broker sends mail",
    }),
  ),
  mailTo: Type.Optional(
    Type.String({
      pattern: MAIL_ADDRESS_PATTERN,
      description: "Address to which mail is sent; absent: the job's owner",
    }),
  ),
};
