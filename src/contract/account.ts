/** Accounts of consumers at sites: requests and responses. */
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
    su: Type.Number({ minimum: -1e9, maximum: 1e9, description: "SU; a negative amount withdraws SU" }),
  },
  strict,
);

const income = <Amount extends TSchema>(amount: Amount) =>
  Type.Object({ base: amount, delays: amount, penalties: amount }, strict);

/** Accounts of a consumer, at each level of its path. */
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
          granted: Type.Boolean({ description: "True after a first grant" }),
        },
        strict,
      ),
    ),
    sites: Type.Array(
      Type.Object(
        {
          site: Type.String(),
          hasGrants: Type.Boolean({ description: "False: no grants have been made, and no work is refused" }),
          incomeSu: income(su),
          incomeProcMs: income(procMs),
          reserved: Type.Object(
            { su, procMs, idleSu: su, idleProcMs: procMs },
            {
              ...strict,
              description: "Reserved time of ended reservations, and the part of it that was idle",
            },
          ),
          delays: Type.Object(
            { jobs: count, pricedSu: su, pricedProcMs: procMs, causedSu: su, causedProcMs: procMs },
            { ...strict, description: "Started jobs whose delay was priced" },
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
          about: Type.String({ description: "The job, the reservation or the granter" }),
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
  { ...strict, description: "Accounts of a consumer at each level of its path" },
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
  { ...strict, description: "A grant, and the balance after it" },
);

/** Query for accounts. */
export type AccountQuery = Shape<typeof accountQuery>;
/** SU for a consumer at a site; negative: takes SU back. */
export type GrantRequest = Shape<typeof grantRequestSchema>;
/** A grant that was made, and the balance after it. */
export type GrantView = Shape<typeof grantSchema>;
/** Accounts of a consumer, at each level of its path. */
export type AccountsView = Shape<typeof accountsSchema>;
/** Account of a consumer at a site, at one level of its path. */
export type AccountLevelView = AccountsView["levels"][number];
/** Income of a site. */
export type SiteAccountsView = AccountsView["sites"][number];
/** Amounts by their purpose. */
export type IncomeView = SiteAccountsView["incomeSu"];
/** Time of ended reservations: sold, used, idle. */
export type ReservedTimeView = SiteAccountsView["reserved"];
/** Started jobs whose delay was priced. */
export type PricedDelaysView = SiteAccountsView["delays"];
/** A posting of an account. */
export type PostingView = AccountsView["postings"][number];
