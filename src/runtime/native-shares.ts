/**
 * The port to a batch system's own shares, for usage policies that it is to enforce itself ([UP] slide 13).
 */
import type { CompiledShares, NativeShares, ShareChange } from "../model/index.ts";
import type { ShareTree, SiteResource } from "../policy/index.ts";

/** Policies to compile, and their cluster. */
export interface SharesToCompile {
  readonly shares: ShareTree;
  /** Where the names of accounts are not given, none counts as new to the accounting. */
  readonly snapshot: Omit<NativeShares, "accountNames" | "usedAccountNames" | "gpus"> & Partial<NativeShares>;
  readonly capacity: Readonly<Record<SiteResource, number>>;
  /** Which consumer an account is, where it is not the one of its name. */
  readonly consumers: Readonly<Record<string, string>>;
}

/** `made`; `notMade`, or reverted; `partly`: some settings of it; `otherwise`: another's setting. */
export type ShareStanding =
  | { readonly kind: "made" | "notMade" | "partly" }
  | { readonly kind: "otherwise"; readonly why: string };

/** Usage policies in a batch system's own settings. Pure. */
export interface ShareLanguage {
  /** The changes that bring a cluster to the policies; none where it is there already. */
  compile(asked: SharesToCompile): CompiledShares;
  howStands(change: ShareChange, shares: NativeShares): ShareStanding;
  /** Uses by others of something that we added, for which it must not be removed; undefined for none. */
  usedByOthers(change: ShareChange, shares: NativeShares): string | undefined;
  /** True where the name of an account that we added can be deleted, too: no cluster has it any more. */
  isForgettable(change: ShareChange, shares: NativeShares): boolean;
}

/** A change of a cluster's own shares, as a command in words. */
export interface ShareOrder {
  /** For people: `change account cms`. */
  readonly what: string;
  readonly words: readonly string[];
  /** True for a reversal of our changes, which needs no grant. */
  readonly isTakingBack: boolean;
}

/** A batch system's own shares, where it has any. */
export interface SiteShares {
  readonly language: ShareLanguage;
  /** Current shares and limits in the accounting. */
  look(): Promise<NativeShares>;
  /**
   * Makes a change. Read the outcome from `look`: a command may report an error on a correct setting.
   *
   * @throws Fault `compileNotGranted`; `siteMayNotCompile` where that takes a right that we have not; else
   *   what the batch system said
   */
  change(order: ShareOrder): Promise<void>;
}
