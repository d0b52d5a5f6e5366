/**
 * Replica catalogue: logical names of files, and the stores of sites that have copies of them.
 */
import { counted, formatSize, lengthText, some } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";
import type { JobRecord } from "../job.ts";
import type { ResourceOffers } from "../slot-resource.ts";

/** A copy in a store of a site. */
interface ReplicaCopy {
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

/** The input files of a job, seen from a site. */
export interface InputDataAt {
  /** In its own stores. */
  readonly nearFiles: number;
  readonly nearBytes: number;
  readonly farFiles: number;
  readonly farBytes: number;
  /** Sites from which far files are copied, in the order of the files. */
  readonly from: readonly string[];
  readonly transferMs: number;
  /** True where the rate of a transfer is assumed, as neither site declares links. */
  readonly isAssumed: boolean;
}

/** Where input files are in words: `12G there`, `12G at elm, 5m away`. */
export function dataText({ nearFiles, nearBytes, farFiles, ...far }: InputDataAt): string {
  const rate = far.isAssumed ? " at an assumed 1 Gbit/s, as no links are declared" : "";
  const length = lengthText(far.transferMs / 1000);
  const away = `${formatSize(far.farBytes)} at ${some(far.from)}, ${length} away${rate}`;
  const parts = [
    ...(nearFiles === 0 ? [] : [`${formatSize(nearBytes)} in its stores`]),
    ...(farFiles === 0 ? [] : [away]),
  ];
  return parts.length === 0 ? "no copies" : parts.join(", ");
}

/** Syntax of logical names. */
export const LOGICAL_NAME = "^(?=.{3,1000}$)(/(?!\\.{1,2}(/|$))[A-Za-z0-9._+=@-]+){2,}$";

/** Syntax of paths of files that a job leaves in a store: relative, without patterns. */
export const OUTPUT_FILE = "^(?=.{1,1000}$)(?!.*(^|/)\\.{0,2}(/|$))[^\\u0000-\\u001f\\u007f*?\\[\\]]+$";

/** A file that a job leaves in a store of its site. */
export interface KeptOutput {
  /** Path in the job's directory. */
  readonly file: string;
  readonly name: string;
  readonly store: string;
  /** Absolute path at the site; null: jobs leave no files in the store. */
  readonly path: string | null;
}

/** Files that a job leaves in the stores of its site if it succeeds (rule EN-282). */
export function outputsOf(
  { id, consumer, description }: Pick<JobRecord, "id" | "consumer" | "description">,
  { stores = {} }: ResourceOffers,
): readonly KeptOutput[] {
  const names = Object.keys(stores);
  const first = names.find((name) => stores[name].directory !== undefined);
  return (description.outputData ?? []).map(({ file, ...said }) => {
    const asked = said.store ?? description.outputSE ?? first ?? "";
    const store = names.find((name) => name.toLowerCase() === asked.toLowerCase()) ?? asked;
    const name = said.name ?? unnamed(consumer, id, file);
    const { directory } = Object.hasOwn(stores, store) ? stores[store] : {};
    return { file, name, store, path: directory === undefined ? null : `${directory}${name}` };
  });
}

/** Logical name of an output that has none. */
function unnamed(...parts: readonly string[]): string {
  return `/${parts.join("/").replaceAll(/[^A-Za-z0-9._+=@/-]/g, "_")}`;
}

/** Syntax of protocols: the schemes of addresses. */
export const PROTOCOL = "^[A-Za-z][A-Za-z0-9+.-]{0,63}$";

/** Consumer path of the folder of a logical name. */
export function folderOf(name: string): string {
  return name.slice(1, name.lastIndexOf("/"));
}

/** A copy as its job reports it. */
export interface LeftOutput {
  readonly name: string;
  readonly bytes: number;
  readonly checksum?: string;
}

/** A job that succeeded, whose outputs are still to be registered. */
interface OutputsDue {
  readonly job: string;
  readonly attempt: number;
  readonly site: string;
  readonly owner: string;
  readonly outputs: readonly KeptOutput[];
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
      }
    /** What a job that succeeded says that it left. */
    | { readonly kind: "registerOutputs"; readonly job: string; readonly left: readonly LeftOutput[] };
  readonly event:
    | ({ readonly kind: "replicaAdded"; readonly by: string } & Omit<Replica, "copies"> & ReplicaCopy)
    | {
        readonly kind: "replicaRemoved";
        readonly name: string;
        readonly at: Omit<ReplicaCopy, "url"> | null;
        readonly by: string;
      }
    | {
        readonly kind: "outputsRegistered";
        readonly job: string;
        /** Logical names of copies that are in the catalogue now. */
        readonly names: readonly string[];
        readonly failed: readonly { readonly name: string; readonly why: string }[];
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
  readonly books: { readonly replicas: Replica; readonly outputsDue: OutputsDue };
  readonly cause: /** Input files without a copy that the job could read: the first ones, and how many. */
    | { readonly kind: "dataMissing"; readonly names: readonly string[]; readonly count: number }
    /** Where the input files of a job are that goes to a site. */
    | ({ readonly kind: "dataThere"; readonly site: string } & InputDataAt);
  readonly action: "changeReplica";
}

export const replicas: FeatureModel<ReplicasTypes> = {
  events: { replicaAdded: 1, replicaRemoved: 1, outputsRegistered: 1 },
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
        why: "no copy of it is recorded yet, and transfer times are predicted from sizes",
        remedy: "give its size: --size 4G",
      }),
    },
    replicaDiffers: {
      status: 409,
      text: ({ name, known: { bytes, checksum } }) => ({
        what: `the copy differs from the recorded copies of ${name}`,
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
  books: { replicas: ({ name }) => name, outputsDue: ({ job }) => job },
  causes: {
    dataMissing: ({ names, count }) =>
      `${counted(count, "input file")} (${some(names)}) ${count === 1 ? "has" : "have"} no known copy ` +
      "that it could read; `stint replica add` records one",
    dataThere: ({ site, ...data }) => `its input data, seen from ${site}: ${dataText(data)}`,
  },
  actions: { changeReplica: { may: { admin: "all", voAdmin: "subtree", user: "subtree" } } },
};
