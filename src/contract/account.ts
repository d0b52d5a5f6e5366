/**
 * Accounts of consumers at sites: what is asked about them, and what is answered.
 */
import { type TSchema, Type } from "typebox";
import type { PostingEntry, PostingKind } from "../model/index.ts";
import {
  as,
  consumerPath,
  count,
  instant,
  orNull,
  procMs,
  type Shape,
  siteName,
  strict,
  su,
} from "./fields.ts";

/** `GET /accounts` */
export const accountQuery = Type.Object(
  { consumer: Type.Optional(consumerPath), site: Type.Optional(siteName) },
  strict,
);

/** `POST /grants` */
export const grantRequestSchema = Type.Object(
  {
    site: siteName,
    consumer: consumerPath,
    su: Type.Number({ minimum: -1e9, maximum: 1e9, description: "SU; below 0: takes back" }),
  },
  strict,
);

const income = <Amount extends TSchema>(amount: Amount) =>
  Type.Object({ base: amount, delays: amount, penalties: amount }, strict);

/** How a consumer's accounts stand. */
export const accountsSchema = Type.Object(
  {
    consumer: Type.String(),
    levels: Type.Array(
      Type.Object(
        {
          site: Type.String(),
          consumer: Type.String(),
          balanceSu: orNull(su),
          balanceProcMs: orNull(procMs),
          granted: Type.Boolean({ description: "Whether anything was granted to it" }),
        },
        strict,
      ),
    ),
    sites: Type.Array(
      Type.Object(
        {
          site: Type.String(),
          hasGrants: Type.Boolean({ description: "Before that nothing is refused" }),
          incomeSu: income(su),
          incomeProcMs: income(procMs),
          reserved: Type.Object(
            { su, procMs, idleSu: su, idleProcMs: procMs },
            { ...strict, description: "The time of reservations that are over, and what was idle of it" },
          ),
          delays: Type.Object(
            { jobs: count, pricedSu: su, pricedProcMs: procMs, causedSu: su, causedProcMs: procMs },
            { ...strict, description: "Of jobs whose delay was priced and that have started since" },
          ),
        },
        strict,
      ),
    ),
    postings: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          site: Type.String(),
          consumer: Type.String(),
          at: instant,
          kind: as<PostingKind>(Type.String()),
          about: Type.String({ description: "The job or the reservation, or who granted" }),
          su,
          procMs,
          entries: Type.Array(
            as<PostingEntry>(
              Type.Object({ book: count, account: Type.String(), procMs: Type.Integer() }, strict),
            ),
          ),
        },
        strict,
      ),
    ),
  },
  { ...strict, description: "How a consumer's accounts stand, each level of its path" },
);

/** A grant that was made. */
export const grantSchema = Type.Object(
  {
    id: Type.String(),
    site: Type.String(),
    consumer: Type.String(),
    su,
    procMs,
    balanceSu: su,
    balanceProcMs: procMs,
  },
  { ...strict, description: "A grant, and what the consumer has now" },
);

/** What is asked about accounts. */
export type AccountQuery = Shape<typeof accountQuery>;
/** SU for a consumer at a site; negative: taken back. */
export type GrantRequest = Shape<typeof grantRequestSchema>;
/** A grant that was made, and what the consumer has now. */
export type GrantView = Shape<typeof grantSchema>;
/** How a consumer's accounts stand. */
export type AccountsView = Shape<typeof accountsSchema>;
/** What a consumer has at a site, at one level of its path. */
export type AccountLevelView = AccountsView["levels"][number];
/** What a site has earned. */
export type SiteAccountsView = AccountsView["sites"][number];
/** Amounts by what they were for. */
export type IncomeView = SiteAccountsView["incomeSu"];
/** What became of the time of reservations that are over. */
export type ReservedTimeView = SiteAccountsView["reserved"];
/** Jobs whose delay was priced and that have started since. */
export type PricedDelaysView = SiteAccountsView["delays"];
/** Money that moved. */
export type PostingView = AccountsView["postings"][number];
