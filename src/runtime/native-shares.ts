/**
 * The port to a batch system's own shares, for usage policies that it is to enforce itself ([UP] slide 13).
 */
import type { CompiledShares, NativeShares, ShareChange } from "../model/index.ts";
import type { ShareTree, SiteResource } from "../policy/index.ts";

/** What is compiled, for which cluster. */
export interface SharesToCompile {
  readonly shares: ShareTree;
  /** Where the names of accounts are not given, none counts as new to the accounting. */
  readonly snapshot: Omit<NativeShares, "accountNames" | "usedAccountNames" | "gpus"> & Partial<NativeShares>;
  readonly capacity: Readonly<Record<SiteResource, number>>;
  /** Which consumer an account is, where it is not the one of its name. */
  readonly consumers: Readonly<Record<string, string>>;
}

/** `made`; `notMade`, or taken back; `partly`: some settings of it; `otherwise`: somebody else's. */
export type ShareStanding =
  | { readonly kind: "made" | "notMade" | "partly" }
  | { readonly kind: "otherwise"; readonly why: string };

/** How usage policies are said in a batch system's own words. Pure. */
export interface ShareLanguage {
  /** The changes that bring a cluster to the policies; none where it is there already. */
  compile(asked: SharesToCompile): CompiledShares;
  howStands(change: ShareChange, shares: NativeShares): ShareStanding;
  /** What others have made of something that we added, so that it is not ours alone to take away. */
  usedByOthers(change: ShareChange, shares: NativeShares): string | undefined;
  /** Whether the name of an account that we added is to be forgotten, too: no cluster has it any more. */
  isForgettable(change: ShareChange, shares: NativeShares): boolean;
}

/** A change of a cluster's own shares, as a command in words. */
export interface ShareOrder {
  /** For people: `change account cms`. */
  readonly what: string;
  readonly words: readonly string[];
  /** It takes back what was changed by us, which needs no grant. */
  readonly isTakingBack: boolean;
}

/** A batch system's own shares, where it has any. */
export interface SiteShares {
  readonly language: ShareLanguage;
  /** What its accounting says of shares and limits now. */
  look(): Promise<NativeShares>;
  /**
   * Makes a change. What became of it a look tells: a command may complain of what is as it should be.
   *
   * @throws Fault `compileNotGranted`; `siteMayNotCompile` where that takes a right that we have not; else
   *   what the batch system said
   */
  change(order: ShareOrder): Promise<void>;
}
