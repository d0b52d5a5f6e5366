/**
 * Replica catalogue: logical names of files, and the stores of sites that have copies of them.
 */
import { formatSize, some } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";

/** A copy in a store of a site. */
export interface ReplicaCopy {
  readonly site: string;
  readonly store: string;
  /** Address of the copy in the store; absent: its users know. */
  readonly url?: string;
}

/** A file by its logical name, with its copies, in the order in which they came. */
export interface Replica {
  /** `/vo/group/…/name`: the path before the last `/` is the consumer that may change it. */
  readonly name: string;
  readonly bytes: number;
  /** `adler32:…`, `md5:…` or `sha256:…`. */
  readonly checksum?: string;
  readonly copies: readonly ReplicaCopy[];
}

/** Syntax of logical names. */
export const LOGICAL_NAME = "^(?=.{3,1000}$)(/(?!\\.{1,2}(/|$))[A-Za-z0-9._+=@-]+){2,}$";

/** Consumer path of the folder of a logical name. */
export function folderOf(name: string): string {
  return name.slice(1, name.lastIndexOf("/"));
}

interface ReplicasTypes {
  readonly command:
    | ({ readonly kind: "addReplica"; readonly by: string } & Omit<Replica, "copies" | "bytes"> &
        ReplicaCopy & {
          /** Absent: as known of other copies. */
          readonly bytes?: number;
        })
    | {
        readonly kind: "removeReplica";
        readonly name: string;
        /** Null: every copy. */
        readonly at: Omit<ReplicaCopy, "url"> | null;
        readonly by: string;
      };
  readonly event:
    | ({ readonly kind: "replicaAdded"; readonly by: string } & Omit<Replica, "copies"> & ReplicaCopy)
    | {
        readonly kind: "replicaRemoved";
        readonly name: string;
        readonly at: Omit<ReplicaCopy, "url"> | null;
        readonly by: string;
      };
  readonly refusal:
    | { readonly kind: "unknownReplica"; readonly name: string; readonly at: string | null }
    | { readonly kind: "replicaSizeNeeded"; readonly name: string }
    | {
        readonly kind: "replicaDiffers";
        readonly name: string;
        readonly known: Pick<Replica, "bytes" | "checksum">;
      }
    | {
        readonly kind: "unknownStore";
        readonly site: string;
        readonly store: string;
        readonly known: readonly string[];
      };
  readonly books: { readonly replicas: Replica };
  readonly action: "changeReplica";
}

export const replicas: FeatureModel<ReplicasTypes> = {
  events: { replicaAdded: 1, replicaRemoved: 1 },
  refusals: {
    unknownReplica: {
      status: 404,
      text: ({ name, at }) => ({
        what: at === null ? `there is no file ${name}` : `there is no copy of ${name} at ${at}`,
        why: "the replica catalogue does not have it",
        remedy: "`stint replica list` shows all files with their copies",
      }),
    },
    replicaSizeNeeded: {
      status: 400,
      text: ({ name }) => ({
        what: `the size of ${name} is missing`,
        why: "no copy of it is known yet, and transfers are predicted by sizes",
        remedy: "give its size: --size 4G",
      }),
    },
    replicaDiffers: {
      status: 409,
      text: ({ name, known: { bytes, checksum } }) => ({
        what: `the copy differs from those of ${name} that are known`,
        why: `they have ${formatSize(bytes)}${checksum === undefined ? "" : ` and the checksum ${checksum}`}`,
        remedy: "choose another logical name, or remove the other copies first",
      }),
    },
    unknownStore: {
      status: 404,
      text: ({ site, store, known }) => ({
        what: `${site} has no store ${store}`,
        why: known.length === 0 ? "it declares no stores" : `its stores are ${some(known)}`,
        remedy: "declare it in stint.yaml (stores), or name another one: --at SITE/STORE",
      }),
    },
  },
  books: { replicas: ({ name }) => name },
  actions: { changeReplica: { may: { admin: "all", voAdmin: "subtree", user: "subtree" } } },
};
