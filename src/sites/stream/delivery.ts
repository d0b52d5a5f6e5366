/** Ways in which blocks reach an application: what each of them does, and works with. */
import type { ChildProcess } from "node:child_process";

/** A block as the application gets it. */
export interface HandedBlock {
  readonly seq: number;
  /** Address that its data came from. */
  readonly source: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** True for the last block of the stream. */
  readonly last: boolean;
}

/** Takes an acknowledgement. @param results files that were made of the block */
export type Acknowledge = (seq: number, results?: readonly string[]) => void;

/** Way in which blocks reach the application. */
export interface Delivery {
  /** Hands over the next block, in order. */
  readonly offer: (block: HandedBlock) => void;
  /** Tells that no further block will come. */
  readonly end: () => void;
  /** Takes the last acknowledgements when the process has ended. @param isGood true after exit code 0 */
  readonly close: (isGood: boolean) => Promise<void>;
}

/** Dependencies of a delivery. */
export interface DeliveryWorld {
  readonly child: ChildProcess;
  readonly inbox: string;
  readonly acknowledge: Acknowledge;
  /** True where acknowledgements may name results. */
  readonly hasSink: boolean;
  /** Takes lines of the application that are no messages. */
  readonly print: (line: string) => void;
}
