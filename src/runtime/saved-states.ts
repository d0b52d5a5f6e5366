/** Questions about the states that jobs saved. */
import type { SavedState } from "../model/index.ts";

/** A state that a job saved, with its files. */
export interface SavedStateFiles {
  readonly state: SavedState;
  readonly files: readonly { readonly path: string; readonly sizeBytes: number }[];
  /** Bytes of one of them, from a byte on. */
  bytesOf(path: string, fromByte: number): AsyncIterable<Uint8Array>;
}

/** The part of the broker's API about states. */
export interface SavedStateApi {
  /** The states that a job has saved, newest first; undefined for one that is not known. */
  savedStates(id: string): Promise<readonly SavedState[] | undefined>;
  /** A state of a job by its name, with its files; undefined where there is none. */
  savedState(id: string, name: string): Promise<SavedStateFiles | undefined>;
}
