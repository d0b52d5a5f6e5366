/** Form of all messages on impossible requests. */

/** Three sentences without a capital and a full stop, as a Fault has them. */
export interface RefusalText {
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
}
